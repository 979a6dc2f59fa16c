import type { TimeOrder } from '../signing/time.ts';

const patterns: Record<TimeOrder, RegExp> = {
  dmy: /^(?<day>\d{2})-(?<month>\d{2})-(?<year>\d{4}) (?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})$/,
  ymd: /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2}) (?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})$/,
};

/**
 * Reads a date and time of the spec's format (`dmy`: dd-mm-yyyy hh:mm:ss, `ymd`: yyyy-mm-dd hh:mm:ss) as if it were UTC.
 * Gives milliseconds since the epoch, null for another format or a day or hour that does not exist.
 */
export function readDateTime(text: string, order: TimeOrder): number | null {
  const parts = patterns[order].exec(text)?.groups;
  if (parts === undefined) return null;
  const [year, month, day, hour, minute, second] = [
    Number(parts['year']),
    Number(parts['month']),
    Number(parts['day']),
    Number(parts['hour']),
    Number(parts['minute']),
    Number(parts['second']),
  ];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.setUTCHours(hour, minute, second);
}
