import { logMonthOf } from '#shared/rounds/log-month.ts';
import { formatTime } from '#shared/signing/time.ts';

/** Returns the problem of a typed round ID in words; null if it can be sent, and while it is empty. */
export function roundIdProblem(text: string): string | null {
  const id = text.trim();
  if (id === '') return null;
  if (/^-\d+$/.test(id)) return "A round ID can't be negative.";
  if (/^\d*[.,]\d*$/.test(id)) return 'A round ID is a whole number.';
  if (/^[\d\s]+$/.test(id)) return /\s/.test(id) ? 'Remove the space between the digits.' : longProblem(id);
  if (/^0x[0-9a-f]+$/i.test(id)) return 'Use decimal digits.';
  return 'A round ID has digits only.';
}

/** Returns why a date is incomplete; null if it is whole. `logMonthOf` decides whether such a day exists. */
export function dateProblem(text: string): string | null {
  if (/^\d{2}-\d{2}-\d{4}$/.test(text)) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'Day first: use dd-mm-yyyy, such as 20-11-2026.';
  return 'Use dd-mm-yyyy, such as 20-11-2026.';
}

/** Returns why the typed values cannot be sent yet; null if they can: a whole ID, and a day that has begun in the zone. */
export function lookUpWaits(typed: { roundId: string; date: string }, timeZone: string, now: number): string | null {
  const { roundId, date } = typed;
  if (roundId.trim() === '') return 'Enter a roundId first.';
  if (date === '') return 'Enter the round day first.';
  const problem = roundIdProblem(roundId) ?? dateProblem(date);
  if (problem !== null) return problem;
  const month = logMonthOf(date, now, timeZone);
  return month.ok ? null : month.message;
}

/** Returns today in a zone as `dd-mm-yyyy`; in UTC if the zone is unknown. */
export function todayIn(timeZone: string, now: number): string {
  try {
    return formatTime(now, timeZone, 'dmy').slice(0, 10);
  } catch {
    return formatTime(now, 'UTC', 'dmy').slice(0, 10);
  }
}

/** Converts `dd-mm-yyyy` to the date picker's `yyyy-mm-dd`; empty for any other text. */
export function toPicker(date: string): string {
  const match = /^(\d{2})-(\d{2})-(\d{4})$/.exec(date);
  return match === null ? '' : `${match[3]}-${match[2]}-${match[1]}`;
}

/** Converts the date picker's `yyyy-mm-dd` to `dd-mm-yyyy`. */
export function fromPicker(date: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date);
  return match === null ? '' : `${match[3]}-${match[2]}-${match[1]}`;
}

/** Returns `yyyy-mm` as `November 2026`. */
export function monthName(month: string): string {
  return new Date(`${month}-01T00:00Z`).toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** Returns whether a day is so near its month's edge that another time zone can put it, or now, into another month. */
export function nearMonthEdge(date: string): boolean {
  const [day = 0, month = 0, year = 0] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day === 1 || day === last;
}

function longProblem(id: string): string | null {
  if (id.length > 1 && id.startsWith('0')) return "A round ID can't begin with 0.";
  return id.length > 40 ? 'Too long: a round ID has at most 40 digits.' : null;
}
