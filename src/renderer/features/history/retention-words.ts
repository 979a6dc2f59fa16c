import type { HistoryStatus } from '#shared/ipc/index.ts';
import type { Retention } from '#shared/ipc/history.ts';
import { bytesText } from '#renderer/calls/call-words.ts';
import { alwaysKept } from '#shared/model/limits.ts';

/** The three limits as typed; empty for none. Size in megabytes of 1,000,000 bytes. */
export interface RetentionText {
  readonly days: string;
  readonly calls: string;
  readonly megabytes: string;
}

const megabyte = 1_000_000;
/** The least and the most of each, as core takes them. */
const limits = { days: [1, 100_000], calls: [alwaysKept, 1_000_000_000], megabytes: [2, 1_000_000_000] } as const;

/** Returns the limits as fields. A size that another program set in bytes is rounded up to whole megabytes. */
export function retentionText({ maxAgeDays, maxCalls, maxBytes }: Retention): RetentionText {
  const text = (value: number | null) => (value === null ? '' : String(value));
  return {
    days: text(maxAgeDays),
    calls: text(maxCalls),
    megabytes: text(maxBytes === null ? null : Math.ceil(maxBytes / megabyte)),
  };
}

/** Returns the problem of one field in words; null if it can be kept. */
export function limitProblem(field: keyof RetentionText, text: string): string | null {
  const trimmed = text.trim();
  const [least, most] = limits[field];
  if (trimmed === '' || (/^\d{1,10}$/.test(trimmed) && Number(trimmed) >= least && Number(trimmed) <= most)) return null;
  return `Enter a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}, or leave it empty.`;
}

/** Returns the fields as core takes them; null if one has a problem. */
export function readRetention({ days, calls, megabytes }: RetentionText): Retention | null {
  if (
    (Object.entries({ days, calls, megabytes }) as [keyof RetentionText, string][]).some(
      ([field, text]) => limitProblem(field, text) !== null,
    )
  )
    return null;
  const number = (text: string) => (text.trim() === '' ? null : Number(text));
  const size = number(megabytes);
  return { maxAgeDays: number(days), maxCalls: number(calls), maxBytes: size === null ? null : size * megabyte };
}

/** Returns `Keep all calls`, `Keep 30 days, at most 10,000 calls`. */
export function retentionLine(retention: Retention): string {
  const { days, calls, megabytes } = retentionText(retention);
  const parts = [
    ...(days === '' ? [] : [`${Number(days).toLocaleString('en')} ${days === '1' ? 'day' : 'days'}`]),
    ...(calls === '' ? [] : [`at most ${Number(calls).toLocaleString('en')} ${calls === '1' ? 'call' : 'calls'}`]),
    ...(megabytes === '' ? [] : [`at most ${Number(megabytes).toLocaleString('en')} MB of calls`]),
  ];
  return parts.length === 0 ? 'Keep all calls' : `Keep ${parts.join(', ')}`;
}

/** Returns the size of all files of the history, such as `9.5 MB`. */
export function sizeText({ database, wal, index }: HistoryStatus['bytes']): string {
  return bytesText(database + wal + index);
}
