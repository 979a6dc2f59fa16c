import type { WrittenBytes } from './recorded-call.ts';

import { replacedText } from '#shared/calls/replaced.ts';
import { clockDifference, clockRange } from '#shared/calls/server-clock.ts';
import type { Call } from '#shared/ipc/index.ts';
import { packFormat } from '#shared/model/pack-environment.ts';
import { escapeHtml, htmlPageAround, htmlTable } from '../../files/html.ts';

/** Returns the text before and after the calls in a support pack's HTML file, which has no script and loads nothing. */
export function supportPageAround(title: string, pack: SupportPack): readonly [head: string, tail: string] {
  const facts = [
    ['Made', `${pack.madeAt} by ${pack.program} on ${pack.runtime}`],
    [
      'Tokens',
      pack.tokensMasked
        ? 'masked as [token], other secrets as [secret]; lengths and digests are of what was sent'
        : 'as they were sent',
    ],
    ['Private key', 'in none of this; <PRIVATE_KEY> stands in its place'],
  ];
  const table = htmlTable(
    [],
    facts.map((cells) => ({ cells })),
  );
  const [head, tail] = htmlPageAround(title);
  return [`${head}${table}\n`, tail];
}

/** Returns the section of one call. */
export function supportSection(call: SupportCall): string {
  return `<h2>${escapeHtml(`Call ${call.id}: ${call.operation}`)}</h2>
${htmlTable(
  [],
  facts(call).map((cells) => ({ cells })),
)}
${hashInput(call)}
<h3>Request</h3>
<pre>${escapeHtml(`POST ${call.request.url}\n${headerLines(call.request.headers)}`)}</pre>
<pre>${escapeHtml(call.request.body)}</pre>
<h3>Response</h3>
${response(call)}
${raw(call)}<h3>Timings, in milliseconds</h3>
${htmlTable([], timings(call))}
${findings(call)}`;
}

function facts({ environment, sentAt, outcome, repeats, instead, overrides, request, ...call }: SupportCall): string[][] {
  const { code, message, status, failure, state } = outcome;
  const answer = [
    code === null ? null : `code ${code}`,
    message === null || message === '' ? null : message,
    status === null ? null : `HTTP ${status}`,
  ].filter((part) => part !== null);
  const replaced = replacedText({
    url: request.url,
    environmentName: environment,
    ...(instead === undefined ? {} : { instead }),
  });
  const faults = Object.entries(overrides).map(([name, value]) => `${name}: ${String(value)}`);
  return [
    ['Environment', environment],
    ['Sent', `${sentAt} (UTC, by the sender's clock)`],
    ...(repeats === null ? [] : [['Repeats', `call ${repeats}, byte for byte: old time and hash`]]),
    ...(replaced === null ? [] : [['For this call alone', replaced]]),
    ['Outcome', failure === null ? (answer.length === 0 ? state : answer.join(', ')) : failure.message],
    ...(faults.length === 0 ? [] : [['Set by hand', faults.join('; ')]]),
    ['Clock difference', clockWords(call)],
  ];
}

function clockWords(call: Pick<SupportCall, 'clockOffsetMs' | 'timings'>): string {
  const range = clockRange(call);
  if (range === null) return 'not known';
  const difference = clockDifference(range, "the sender's");
  return difference === null ? 'none that the Date of this response shows' : `the provider's clock is ${difference}`;
}

function hashInput({ hashInput: input }: SupportCall): string {
  if (input === null) return '<h3>Hash input</h3>\n<p>This method is not signed.</p>';
  return `<h3>Hash input</h3>
<pre>${escapeHtml(input.text)}</pre>
${htmlTable(
  ['Segment', 'Bytes', 'SHA-256 of the segment alone'],
  input.segments.map(({ name, bytes, sha256 }) => ({ cells: [name, String(bytes), sha256] })),
)}
<p>hash as sent: <code>${escapeHtml(input.hash ?? 'none')}</code></p>`;
}

function response({ response: answer, outcome }: SupportCall): string {
  if (answer === null) return `<p>${escapeHtml(outcome.failure?.message ?? 'None.')}</p>`;
  return `<pre>${escapeHtml(`HTTP ${outcome.status ?? ''}\n${headerLines(answer.headers)}`)}</pre>
${bytesShown(answer)}${answer.truncated ? "\n<p>The body was truncated at the environment's limit.</p>" : ''}`;
}

function raw({ raw: came }: SupportCall): string {
  return came === undefined ? '' : `<h3>As it came, ${came.bytes.toLocaleString('en')} bytes</h3>\n${bytesShown(came)}\n`;
}

function bytesShown(bytes: WrittenBytes): string {
  return `<pre>${escapeHtml('text' in bytes ? bytes.text : `In base64, for it is not UTF-8:\n${bytes.base64}`)}</pre>`;
}

function headerLines(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function timings({ timings: phases }: SupportCall) {
  return Object.entries(phases ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' ? [{ cells: [name, String(value)] }] : [],
  );
}

function findings({ findings: list }: SupportCall): string {
  if (list.length === 0) return '';
  const rows = list.map(({ severity, path, message }) => ({ cells: [severity, path, message], mark: severity }));
  return `<h3>Findings</h3>\n${htmlTable(['', 'Place', 'What'], rows)}`;
}

/** The first members of a pack's JSON. `core/packs` opens such a file again. */
export const packMark = { format: packFormat, version: 1 } as const;

/** The head of a support pack: everything that the provider needs to find a fault. Tokens are masked unless the user keeps them. */
export interface SupportPack {
  readonly madeAt: string;
  readonly program: string;
  readonly runtime: string;
  readonly tokensMasked: boolean;
}

export interface SupportCall {
  readonly id: number;
  readonly operation: string;
  readonly environment: string;
  readonly sentAt: string;
  /** Parts in which a token or another secret is masked. */
  readonly masked: readonly string[];
  readonly outcome: Pick<Call, 'state' | 'status' | 'code' | 'message' | 'failure'>;
  /** The call whose bytes were sent again, with their old time and hash; null for a request that was signed again. */
  readonly repeats: number | null;
  /** Settings that were the call's own; absent for nearly every call. */
  readonly instead?: Call['instead'];
  /** Faults that the sender made on purpose. */
  readonly overrides: Call['draft']['overrides'];
  /** Null for a call that is not signed. */
  readonly hashInput: {
    readonly text: string;
    readonly time: string;
    /** Position of `data` in `request.body`, in bytes; null for a call without data. */
    readonly data: { readonly offset: number; readonly length: number } | null;
    readonly segments: readonly Segment[];
    readonly hash: string | null;
  } | null;
  readonly request: {
    readonly url: string;
    readonly headers: Call['request']['headers'];
    /** Of the body as it was sent. */
    readonly bytes: number;
    readonly body: string;
  };
  readonly response:
    | ({ readonly headers: Call['request']['headers']; readonly bytes: number; readonly truncated: boolean } & WrittenBytes)
    | null;
  /** The bytes as they came; absent for nearly every call, and if they are left out. */
  readonly raw?: { readonly bytes: number } & WrittenBytes;
  readonly timings: Call['timings'];
  /** Positive: the provider's clock is ahead, in milliseconds; the middle of a range, as in a call. */
  readonly clockOffsetMs: number | null;
  readonly findings: Call['findings'];
}

/** A part of the hash input after the key, as it was hashed. */
export interface Segment {
  readonly name: 'time' | 'data';
  readonly bytes: number;
  /** Lowercase hexadecimal SHA-256 of the bytes that were hashed, tokens included. */
  readonly sha256: string;
}
