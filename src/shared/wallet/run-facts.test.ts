import { expect, test } from 'vitest';
import type { CaseOutcome } from '../collections/case-outcome.ts';
import { changesSince, moveText, runFacts } from './run-facts.ts';

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

const holds: CaseOutcome = {
  id: 'a',
  grade: 'required',
  section: '',
  verdict: 'holds',
  saw: '',
  steps: [],
  answer: null,
  moved: [],
  timings: {},
};

test('latencies are those of each method, over all cases', () => {
  const times = Array.from({ length: 100 }, (_, at) => 100 - at);
  const cases = [{ win: [7], bet: times.slice(50) }, { bet: times.slice(0, 50) }].map((timings) => ({ ...holds, timings }));
  expect(runFacts(cases.map((one) => ({ case: one }))).slice(1, 3)).toEqual([
    { name: '/bet', text: '100 calls: median 50 ms, 95th 95 ms, worst 100 ms', bad: false },
    { name: '/win', text: '1 call: median 7.0 ms, 95th 7.0 ms, worst 7.0 ms', bad: false },
  ]);
  expect(runFacts([{ case: holds }])).toEqual([{ name: 'Grade: required', text: '1 holds', bad: false }]);
});

test('facts about a run are bad where money is left or providers would have given up', () => {
  const move = { playerId: 'p', before: '10.00', after: '9.50', left: '0.00' };
  const run = (left: string, ms: number) => {
    const moved = [move, { ...move, before: '1.00', after: '3.00', left }];
    const made: CaseOutcome = { ...holds, grade: 'open', moved, timings: { bet: [ms] } };
    return runFacts([{ case: made }, {}]).map(({ name, text, bad }) => [name, text, bad]);
  };
  expect(run('0.00', 4_000)).toEqual([
    ['Grade: open point', '1 holds', false],
    ['Money of p', '2.50 moved in 2 cases, all put back', false],
    ['/bet', '1 call: median 4000 ms, 95th 4000 ms, worst 4000 ms', false],
    ['Time limit', 'The first providers give up after 4 s.', false],
  ]);
  expect(run('2.00', 4_001).map(([, , bad]) => bad)).toEqual([false, true, true, false]);
  expect([move, { ...move, after: '12.00', left: '-1.50' }].map(moveText)).toEqual(['p -0.50, put back', 'p +2.00, -1.50 left']);
});
