import type { CallSummary } from '#shared/ipc/index.ts';
import { sizeText } from '#shared/byte-size.ts';

/** The outcome of a call: a tone, and a word or two. */
export interface Outcome {
  readonly tone: 'good' | 'warn' | 'bad' | 'plain' | 'note';
  readonly text: string;
}

const failures: Readonly<Record<NonNullable<CallSummary['failure']>['kind'], string>> = {
  address: 'URL refused',
  dns: 'name not found',
  connect: 'no connection',
  proxy: 'proxy failed',
  tls: 'TLS refused',
  timeout: 'timed out',
  too_large: 'too large',
  protocol: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  unreadable: 'unreadable',
};

/** Returns the provider's code if there is one, else what happened instead. */
export function outcomeOf(call: Pick<CallSummary, 'state' | 'code' | 'status' | 'failure' | 'doubt'>): Outcome {
  switch (call.state) {
    case 'pending':
      return { tone: 'note', text: 'waiting' };
    case 'cancelled':
      return { tone: 'plain', text: 'cancelled' };
    case 'interrupted':
      return { tone: 'warn', text: 'interrupted' };
    case 'failed':
      return { tone: 'bad', text: call.failure === null ? 'failed' : failures[call.failure.kind] };
    case 'answered':
      if (call.code === 0) return call.doubt === undefined ? { tone: 'good', text: '0 ok' } : { tone: 'warn', text: '0 ok?' };
      if (call.code !== null) return { tone: 'bad', text: `code ${call.code}` };
      // An accepted wallet response has no code.
      return (call.status ?? 0) < 400
        ? { tone: call.doubt === undefined ? 'plain' : 'warn', text: `HTTP ${call.status ?? ''}`.trim() }
        : { tone: 'bad', text: `HTTP ${call.status ?? ''}`.trim() };
  }
}

/** Returns the provider's message, or the reason why there is none or why it says little. */
export function messageOf(call: Pick<CallSummary, 'state' | 'message' | 'failure' | 'doubt'>): string {
  if (call.failure !== null) return call.failure.message;
  if (call.state === 'interrupted') return 'Croupier exited before the response.';
  return call.doubt ?? call.message ?? '';
}

/** Returns `412 B`, `1.5 kB`, `2.0 MB`; powers of ten. */
export function bytesText(bytes: number | null): string {
  return bytes === null ? '' : sizeText(bytes);
}

/** Returns `38 ms`, `1.4 s`, `2 min 5 s`. */
export function durationText(milliseconds: number | null): string {
  if (milliseconds === null) return '';
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns the time of day for today's calls, with the date for older ones; in the user's own zone. */
export function timeText(sentAt: number, now: number): string {
  const sent = new Date(sentAt);
  const time = `${two(sent.getHours())}:${two(sent.getMinutes())}:${two(sent.getSeconds())}`;
  if (sent.toDateString() === new Date(now).toDateString()) return time;
  return `${sent.getFullYear()}-${two(sent.getMonth() + 1)}-${two(sent.getDate())} ${time}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
