import type { Call } from '../ipc/outputs/calls.ts';

/** The milliseconds by which a server's clock is ahead of ours: `from` at least, `to` at most. */
export interface ClockRange {
  readonly from: number;
  readonly to: number;
}

/** Milliseconds by which rounding may move the middle: our clock gives whole ones. */
const roundingMs = 2;

/**
 * Returns what one call shows of the server's clock. Its `Date` has whole seconds and was written at some moment between the request
 * and the response's first byte, so the offset may lie half a second and half that wait to either side of what is recorded.
 */
export function clockRange({ clockOffsetMs, timings }: Pick<Call, 'clockOffsetMs' | 'timings'>): ClockRange | null {
  const firstByte = timings?.firstByte ?? null;
  if (clockOffsetMs === null || firstByte === null) return null;
  const half = 500 + firstByte / 2 + roundingMs;
  return { from: clockOffsetMs - half, to: clockOffsetMs + half };
}

/** Returns what two ranges leave possible together; null if one excludes the other, as when a clock was set between them. */
export function bothRanges(one: ClockRange, other: ClockRange): ClockRange | null {
  const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)];
  return from < to ? { from, to } : null;
}

/** Returns by how many milliseconds the clocks differ at least. */
export function leastDifference({ from, to }: ClockRange): number {
  return Math.max(from, -to, 0);
}

/** Returns the difference in words, such as `between 31 and 33 s ahead of ours`; null if the clocks may be equal. */
export function clockDifference(range: ClockRange, ours = 'ours'): string | null {
  const least = leastDifference(range);
  if (least === 0) return null;
  const most = Math.max(range.to, -range.from);
  const [unit, milliseconds] = least < 120_000 ? (['s', 1_000] as const) : (['min', 60_000] as const);
  const [places, scale] = least < 10_000 || unit === 'min' ? ([1, 10] as const) : ([0, 1] as const);
  const written = (value: number, round: (value: number) => number) =>
    (round((value / milliseconds) * scale) / scale).toLocaleString('en', { minimumFractionDigits: places });
  const [low, high] = [written(least, Math.floor), written(most, Math.ceil)];
  const amount = Number(low) === 0 ? `up to ${high}` : `between ${low} and ${high}`;
  return `${amount} ${unit} ${range.from > 0 ? 'ahead of' : 'behind'} ${ours}`;
}
