import type { CallSummary } from '#shared/ipc/index.ts';
import type { TableHeading } from '#renderer/ui/table-headings.ts';
import { totalText } from './history-words.ts';

export const groupings = ['none', 'day', 'session'] as const;
/** Grouping of the list: none, by day, or by day and within a day by the session of Croupier that sent the calls. */
export type Grouping = (typeof groupings)[number];

/** Facts that the headings need beside the calls. */
export interface GroupingOf {
  readonly grouping: Grouping;
  /** Milliseconds since the epoch; decides which day is today. */
  readonly now: number;
  /** ID of this session of Croupier; null while it is not known. */
  readonly run: string | null;
  /** True if older calls were not fetched yet, so that the last group may have more. */
  readonly open: boolean;
}

/**
 * Returns the headings of calls in the order of the list. A session that comes up again after another one has a heading each time.
 */
export function groupCalls(calls: readonly CallSummary[], { grouping, now, run, open }: GroupingOf): readonly TableHeading[] {
  if (grouping === 'none') return [];
  const headings: TableHeading[] = [];
  const count = (from: number, to: number) => {
    const complete = !open || to < calls.length;
    return `${totalText(to - from, complete)} ${to - from === 1 && complete ? 'call' : 'calls'}`;
  };
  for (let from = 0, to = 0; from < calls.length; from = to) {
    to = endOf(calls, from, calls.length, ({ day }) => day);
    // A pack does not say in which sessions its calls were sent.
    const whole = grouping === 'day' || calls[from]?.pack !== undefined;
    // The sessions of a day have the numbers.
    headings.push({ before: from, level: 1, title: dayText(calls[from]?.day ?? '', now), detail: whole ? count(from, to) : '' });
    if (whole) continue;
    for (let first = from, end = first; first < to; first = end) {
      end = endOf(calls, first, to, (call) => call.run);
      const [newest, oldest] = [calls[first], calls[end - 1]];
      if (newest === undefined || oldest === undefined) continue;
      const title = sessionText(newest.run === run, clockText(oldest.sentAt), clockText(newest.sentAt));
      headings.push({ before: first, level: 2, title, detail: count(first, end) });
    }
  }
  return headings;
}

/** Returns a day, given as YYYY-MM-DD, in words: `Today`, `Yesterday`, `Saturday 21 November 2026`. */
export function dayText(day: string, now: number): string {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return 'Unknown day';
  const midnight = new Date(year, month - 1, date);
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (midnight.toDateString() === today.toDateString()) return 'Today';
  if (midnight.toDateString() === yesterday.toDateString()) return 'Yesterday';
  return `${weekdays[midnight.getDay()] ?? ''} ${date} ${months[midnight.getMonth()] ?? ''} ${year}`;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = 'January February March April May June July August September October November December'.split(' ');

function endOf(calls: readonly CallSummary[], from: number, limit: number, of: (call: CallSummary) => string): number {
  const first = calls[from];
  let to = from + 1;
  for (let next = calls[to]; to < limit && first !== undefined && next !== undefined && of(next) === of(first); next = calls[to])
    to += 1;
  return to;
}

function sessionText(isThis: boolean, from: string, to: string): string {
  const times = from === to ? from : `${from}–${to}`;
  return isThis ? `This session, ${times}` : `Session ${times}`;
}

/** Returns `09:05`, in the user's own zone. */
function clockText(at: number): string {
  const date = new Date(at);
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}
