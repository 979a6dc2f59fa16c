import { describe, expect, it } from 'vitest';
import { bothRanges, clockDifference, clockRange, leastDifference } from './server-clock.ts';

const timings = { dns: null, connect: null, tls: null, download: 1, total: 2, reused: true };
const seen = (clockOffsetMs: number | null, firstByte: number | null) =>
  clockRange({ clockOffsetMs, timings: { ...timings, firstByte } });

describe('the range of one call', () => {
  it('holds each moment at which the Date may have been written, and shows nothing of the clock where that is the whole wait', () => {
    // A server on time that took 5.4 s and wrote its Date at the end: half the wait is not a difference of the clocks.
    for (const [wait, wroteAfter] of [
      [20, 0],
      [20, 20],
      [5_400, 0],
      [5_400, 5_399],
      [5_400, 2_700],
    ] as const) {
      for (const writtenAt of [0, 1, 499, 500, 501, 999]) {
        const date = Math.floor((writtenAt + wroteAfter) / 1_000) * 1_000;
        const range = seen(Math.round(date + 500 - (writtenAt + wait / 2)), wait);
        expect(range?.from).toBeLessThan(0);
        expect(range?.to).toBeGreaterThan(0);
        expect(range === null ? '' : clockDifference(range)).toBeNull();
      }
    }
  });

  it('is unknown without a Date, or without the wait', () => {
    expect(seen(null, 20)).toBeNull();
    expect(seen(0, null)).toBeNull();
    expect(clockRange({ clockOffsetMs: 0, timings: null })).toBeNull();
  });
});

describe('two ranges', () => {
  it('leave what both leave', () => {
    expect(bothRanges({ from: -200, to: 1_300 }, { from: 400, to: 1_500 })).toEqual({ from: 400, to: 1_300 });
    expect(bothRanges({ from: -200, to: 300 }, { from: 400, to: 1_500 })).toBeNull();
  });
});

describe('the words', () => {
  it.for([
    [{ from: -100, to: 900 }, 0, null],
    [{ from: 20, to: 1_310 }, 20, 'up to 1.4 s ahead of ours'],
    [{ from: -1_310, to: -20 }, 20, 'up to 1.4 s behind ours'],
    [{ from: 1_990, to: 3_010 }, 1_990, 'between 1.9 and 3.1 s ahead of ours'],
    [{ from: 31_200, to: 32_400 }, 31_200, 'between 31 and 33 s ahead of ours'],
    [{ from: -32_400, to: -31_200 }, 31_200, 'between 31 and 33 s behind ours'],
    [{ from: 3_599_400, to: 3_600_600 }, 3_599_400, 'between 59.9 and 60.1 min ahead of ours'],
    [{ from: 86_400_000_000, to: 86_400_001_000 }, 86_400_000_000, 'between 1,440,000.0 and 1,440,000.1 min ahead of ours'],
  ] as const)('of %o', ([range, least, words]) => {
    expect(leastDifference(range)).toBe(least);
    expect(clockDifference(range)).toBe(words);
  });
});
