import { readDateTime } from '../provider/date-time.ts';
import { formatTime } from '../signing/time.ts';
import type { TimeOrder } from '../signing/time.ts';

export function orderText(order: TimeOrder): string {
  return order === 'dmy' ? 'the day first' : 'the year first';
}

/** Writes seconds in their largest whole unit. */
export function duration(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, name] = units.find(([size]) => seconds >= size && seconds % size === 0) ?? [1, 'second'];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** Writes seconds ahead of UTC as `UTC+05:30`. */
export function offsetText(seconds: number): string {
  const minutes = Math.abs(Math.round(seconds / 60));
  const two = (value: number) => String(value).padStart(2, '0');
  return `UTC${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns the seconds by which a zone is ahead of UTC at a moment, in milliseconds since the epoch. */
export function zoneOffset(timeZone: string, epochMs: number): number {
  const shown = readDateTime(formatTime(epochMs, timeZone, 'dmy'), 'dmy') ?? epochMs;
  return Math.round((shown - Math.floor(epochMs / 1_000) * 1_000) / 1_000);
}

/** Zones that are named as examples of an offset. */
const examples = [
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Athens',
  'Europe/Istanbul',
  'Asia/Dubai',
  'Asia/Yerevan',
  'Asia/Karachi',
  'Asia/Kolkata',
  'Asia/Dhaka',
  'Asia/Bangkok',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
  'America/Sao_Paulo',
  'America/Halifax',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
] as const;

/** Returns a zone that has this offset, in seconds, now; null if none of the usual ones has it. */
export function zoneLike(seconds: number, epochMs: number): string | null {
  return examples.find((zone) => zoneOffset(zone, epochMs) === seconds) ?? null;
}
