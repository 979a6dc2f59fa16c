import { AppError } from '../errors.ts';

/** Day first is the declared order of `time`; one sample of the spec has the year first (Request envelope). */
export type TimeOrder = 'dmy' | 'ymd';

// Cached, because making a formatter takes longer than everything else that a key press does.
const formatters = new Map<string, Intl.DateTimeFormat>();
// The last text, because a run makes many calls a second, and formatting is a fifth of preparing a call.
let last: { second: number; timeZone: string; order: TimeOrder; text: string } | null = null;

function formatterOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  try {
    const formatter = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, formatter);
    return formatter;
  } catch {
    return null;
  }
}

/** Returns whether `formatTime` knows the time zone. */
export function isTimeZone(timeZone: string): boolean {
  return timeZone === 'UTC' || formatterOf(timeZone) !== null;
}

/** Writes `20-11-2026 10:15:30` (dmy) or `2026-11-20 10:15:30` (ymd) in the zone; throws `invalid_input` for an unknown zone. */
export function formatTime(epochMs: number, timeZone: string, order: TimeOrder): string {
  if (!Number.isFinite(epochMs) || Math.abs(epochMs) > 8.64e15) {
    throw new AppError('invalid_input', 'The time is outside the range of dates');
  }
  const second = Math.floor(epochMs / 1_000);
  if (last?.second === second && last.timeZone === timeZone && last.order === order) return last.text;
  const text = (timeZone === 'UTC' ? inUtc(epochMs, order) : null) ?? inZone(epochMs, timeZone, order);
  last = { second, timeZone, order, text };
  return text;
}

/** Writes a time in UTC without a formatter, since the first one takes 10 ms to make. Null for years that ISO 8601 writes with more digits. */
function inUtc(epochMs: number, order: TimeOrder): string | null {
  const written = new Date(epochMs).toISOString();
  if (written.length > '2026-11-20T10:15:30.000Z'.length || written.startsWith('0000')) return null;
  const [[year, month, day], clock] = [written.slice(0, 10).split('-'), written.slice(11, 19)];
  return `${order === 'dmy' ? `${day}-${month}-${year}` : `${year}-${month}-${day}`} ${clock}`;
}

function inZone(epochMs: number, timeZone: string, order: TimeOrder): string {
  const formatter = formatterOf(timeZone);
  if (formatter === null) {
    throw new AppError('invalid_input', `Unknown time zone: ${timeZone}. Use an IANA name such as Europe/Berlin, or UTC`);
  }
  // `11/20/2026, 10:15:30`: the parts in this locale's order; `formatToParts` returns the same but takes four times as long.
  const [month, day, year = '', ...clock] = formatter.format(epochMs).match(/\d+/g) ?? [];
  const fullYear = year.padStart(4, '0');
  return `${order === 'dmy' ? `${day}-${month}-${fullYear}` : `${fullYear}-${month}-${day}`} ${clock.join(':')}`;
}
