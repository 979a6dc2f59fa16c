import type { LaunchEntry } from '#shared/ipc/index.ts';

/** Heights in pixels of an entry with and without a second line; the style sheet has the same. */
const withDetail = 46;
const withoutDetail = 30;

export interface RecordLayout {
  /** Top of each entry in pixels; one more at the end, the height of all. */
  readonly tops: readonly number[];
  readonly height: number;
}

/** Returns the positions of the entries in the list. */
export function layoutOf(entries: readonly Pick<LaunchEntry, 'detail'>[]): RecordLayout {
  const tops = [0];
  let height = 0;
  for (const entry of entries) {
    height += entry.detail === '' ? withoutDetail : withDetail;
    tops.push(height);
  }
  return { tops, height };
}

/** Returns the entries in sight, from `start` up to, not including, `end`, with a few more at both ends. */
export function inSight(layout: RecordLayout, scrollTop: number, height: number): { start: number; end: number } {
  const count = layout.tops.length - 1;
  const start = Math.max(0, at(layout.tops, scrollTop) - overscan);
  const end = Math.min(count, at(layout.tops, scrollTop + height) + 1 + overscan);
  return { start: Math.min(start, count), end };
}

/** Returns the `scrollTop` at which a whole entry is in sight; the current one if it already is. */
export function scrollTo(layout: RecordLayout, index: number, scrollTop: number, height: number): number {
  const top = layout.tops[index] ?? 0;
  const bottom = layout.tops[index + 1] ?? top;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, bottom - height);
}

const overscan = 6;

/** Returns the last entry that begins at or above a height. */
function at(tops: readonly number[], y: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
