import { expect, it } from 'vitest';
import { byClock, launchClock, momentOf } from './clock.ts';

const opened = (host: 'view' | 'frame') => ({ type: 'opened', host, wallet: true }) as const;
const entry = (seq: number, at: number, kind: 'call' | 'opened' | 'navigation' | 'ready') => ({ seq, at, kind, signal: null });

it('counts from the moment at which the page of each opening began to load', () => {
  const entries = [
    entry(1, 0, 'call'),
    { ...entry(2, 300, 'opened'), signal: opened('view') },
    entry(3, 1_300, 'navigation'),
    entry(4, 1_500, 'navigation'),
    entry(5, 3_200, 'ready'),
    { ...entry(6, 9_000, 'opened'), signal: opened('view') },
    entry(7, 9_500, 'navigation'),
    entry(8, 9_900, 'ready'),
  ];
  const clock = launchClock(entries);
  expect(entries.map((one) => clock(one, one.at))).toEqual([-1_300, -1_000, 0, 200, 1_900, -500, 0, 400]);
  expect([500, 4_300, 9_900].map((at) => momentOf(entries, at))).toEqual([-800, 3_000, 400]);
  expect(byClock(entries.map((one) => ({ ...one, lastAt: one.at + 1 })))[4]).toMatchObject({ at: 1_900, lastAt: 1_901 });
});

it('counts from the opening where nobody sees the page, and from the beginning of a record without one', () => {
  const frame = { ...entry(2, 300, 'opened'), signal: opened('frame') };
  expect(launchClock([frame, entry(3, 900, 'navigation')])(entry(3, 0, 'navigation'), 900)).toBe(600);
  expect(launchClock([])(entry(1, 0, 'call'), 40)).toBe(40);
});
