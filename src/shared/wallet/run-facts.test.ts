import { expect, test } from 'vitest';
import { changesSince, latencies } from './run-facts.ts';

test('latencies are those of each method, over all cases', () => {
  const times = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect(latencies([{ timings: { win: [7], bet: times.slice(50) } }, { timings: { bet: times.slice(0, 50) } }])).toEqual([
    { method: 'bet', calls: 100, median: 50, ninetyFifth: 95, worst: 100 },
    { method: 'win', calls: 1, median: 7, ninetyFifth: 7, worst: 7 },
  ]);
  expect(latencies([{ timings: {} }])).toEqual([]);
});

test('two runs differ by what was fixed, what broke, and what fails as before', () => {
  const before = [
    { id: 'a', verdict: 'fails' },
    { id: 'b', verdict: 'holds' },
    { id: 'c', verdict: 'warns' },
    { id: 'd', verdict: 'waiting' },
    { id: 'e', verdict: 'fails' },
  ] as const;
  const after = [
    { id: 'a', verdict: 'holds' },
    { id: 'b', verdict: 'warns' },
    { id: 'c', verdict: 'fails' },
    { id: 'd', verdict: 'fails' },
    { id: 'e', verdict: 'skipped' },
    { id: 'f', verdict: 'fails' },
  ] as const;
  expect([...changesSince(before, after)]).toEqual([
    ['a', 'fixed'],
    ['b', 'broken since'],
    ['c', 'still failing'],
    ['d', 'failing, first run'],
    ['f', 'failing, first run'],
  ]);
});
