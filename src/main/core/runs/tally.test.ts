import { expect, it } from 'vitest';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import { without, type RequestOutcome } from './request.ts';
import { createTally } from './run.ts';

const planned = { path: 'bet', request: null, problem: '', folders: [] };

function outcome(recorded: Promise<string | null>, callId: number | null): RequestOutcome {
  const { reported, taken } = without(planned, 'error', 'no response');
  return { reported: { ...reported, callId }, taken, recorded };
}

it('counts at once, and passes on in order when the history has each', async () => {
  const heard: FinishedRequest[] = [];
  const tally = createTally((finished) => heard.push(finished));
  const { promise, resolve } = Promise.withResolvers<string | null>();
  tally.add({ number: 1, row: 7 }, 0, outcome(promise, 12));
  tally.add({ number: 2, row: null }, 1, outcome(Promise.resolve(null), null));
  expect(tally.totals).toMatchObject({ requests: 2, errored: 2, unrecorded: 0 });
  await Promise.resolve();
  expect(heard).toEqual([]);
  resolve('The disk is full.');
  await tally.passedOn();
  expect(heard.map(({ index, iteration, row }) => [index, iteration, row])).toEqual([
    [0, 1, 7],
    [1, 2, null],
  ]);
  expect(heard.map(({ request }) => request.unrecorded)).toEqual([
    'The outcome of call 12 could not be written to the history. The disk is full.',
    '',
  ]);
  expect(tally.totals.unrecorded).toBe(1);
  tally.add({ number: 2, row: null }, 2, outcome(Promise.resolve('The disk is full.'), null));
  await tally.passedOn();
  expect(heard.at(-1)?.request.unrecorded).toBe('The outcome could not be written to the history. The disk is full.');
});

it('keeps the calls of the first requests that did not pass, up to the limit of a report, and tells of all the others', async () => {
  const heard: FinishedRequest[] = [];
  const tally = createTally((finished) => heard.push(finished));
  const call = { url: 'u', requestBody: 'x'.repeat(1_999_000), hashInput: null, hash: null, responseBody: null, verdict: '' };
  for (let index = 0; index < 4; index++) {
    const one = outcome(Promise.resolve(null), index);
    tally.add({ number: 1, row: null }, index, { ...one, reported: { ...one.reported, ...(index === 3 ? {} : { call }) } });
  }
  await tally.passedOn();
  expect(heard.map(({ request }) => 'call' in request)).toEqual([true, true, false, false]);
});
