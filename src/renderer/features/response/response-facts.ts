import type { Timings } from '#shared/ipc/calls.ts';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import type { KeptPart } from '#shared/ipc/kept-part.ts';
import { doubtsOf, unreadRule } from '#shared/provider/findings.ts';
import { documentedMessage, otherRequest } from '#shared/provider/index.ts';
import { keyInResponseRule } from '#shared/secrets/key-mark.ts';

/** One fact about a response, for a pill. */
export interface ResponseFact {
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
}

/** Returns the first fact about a response: the provider's code with its word. */
export function codeFact(call: Call): ResponseFact {
  if (call.response !== null && call.failure !== null) return { text: 'Incomplete response', tone: 'bad' };
  if (call.state === 'failed' && call.rawBytes !== undefined) return { text: 'Unreadable response', tone: 'bad' };
  if (call.state === 'failed' || call.state === 'interrupted') return { text: 'No response', tone: 'bad' };
  if (call.state === 'cancelled') return { text: 'Cancelled', tone: 'plain' };
  if (call.state === 'pending') return { text: 'No outcome yet', tone: 'plain' };
  const [doubt] = doubtsOf(call.findings);
  if (call.code === null) {
    if (doubt?.rule === unreadRule) return { text: 'Not read', tone: 'warn' };
    if (doubt?.rule === 'duplicate-key') return { text: 'Ambiguous code', tone: 'warn' };
    // Some wallet responses are documented without a code, and a path that takes plain JSON has a shape of its own.
    const wallet = call.request.hashInput === null && call.status !== null && call.status < 300;
    return { text: 'No code', tone: wallet && doubt === undefined ? 'plain' : 'warn' };
  }
  const said = call.message ?? documentedMessage(call.code);
  return { text: `${call.code} ${shorten(said)}`.trim(), tone: call.code !== 0 ? 'bad' : doubt === undefined ? 'good' : 'warn' };
}

const maskedNames: Readonly<Record<KeptPart, string>> = {
  body: 'response body',
  raw: 'bytes as they came',
  sentRaw: 'request bytes as they came',
};

/** Returns whether the kept bytes of a part are those that came, in words. */
export function asReceived(
  { findings, maskedParts = [] }: Pick<Call, 'findings' | 'maskedParts'>,
  part: KeptPart = 'body',
): string {
  if (maskedParts.includes(maskedNames[part])) return 'as in the support pack';
  return findings.some(({ rule }) => rule === keyInResponseRule) ? 'with the key masked' : 'as received';
}

/** Returns milliseconds in words: `38 ms`, `1.25 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return '<1 ms';
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}

/** Returns bytes in words: `412 B`, `12.4 kB`, `5.2 MB`, by thousands. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** One part of a call's time. */
export interface Phase {
  readonly name: string;
  readonly milliseconds: number;
  readonly color: 'name' | 'connect' | 'tls' | 'wait' | 'download';
}

/** Returns the phases that took place, in order. */
export function phases(timings: Timings): Phase[] {
  const all = [
    { name: 'Proxy', milliseconds: timings.proxy?.ms ?? null, color: 'name' },
    { name: 'DNS', milliseconds: timings.dns, color: 'name' },
    { name: 'Connect', milliseconds: timings.connect, color: 'connect' },
    { name: 'TLS', milliseconds: timings.tls, color: 'tls' },
    { name: 'First byte', milliseconds: timings.firstByte, color: 'wait' },
    { name: 'Download', milliseconds: timings.download, color: 'download' },
  ] as const;
  return all.flatMap((phase) => (phase.milliseconds === null ? [] : [{ ...phase, milliseconds: phase.milliseconds }]));
}

/** Returns the words for a screen reader when a response has come. */
export function announcement(call: Call): string {
  const { text } = codeFact(call);
  const { repeats, failure } = call;
  const operation = call.operation ?? otherRequest;
  if (failure !== null) {
    const repeat = repeats === null ? '' : `, an exact repeat of call ${repeats}`;
    return `${operation}${repeat}: ${text.toLowerCase()}. ${failure.message}`;
  }
  const sent = repeats === null ? operation : `${operation}, sent exactly as call ${repeats}`;
  const took = call.durationMs === null ? '' : `, in ${duration(call.durationMs)}`;
  const [doubt] = doubtsOf(call.findings);
  const code = call.code !== null ? ` code ${text}` : doubt === undefined ? ' without a code' : '';
  return `${sent} answered${code}${took}${doubt === undefined ? '' : `. ${doubt.message}`}`;
}

function shorten(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
