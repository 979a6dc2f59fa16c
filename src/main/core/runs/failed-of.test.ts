import { expect, it } from 'vitest';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import { failedOf } from './prepare-run.ts';
import type { Plan } from './plan.ts';
import type { RunStart } from './report-lines.ts';

const plan = {
  requests: ['a', 'b', 'c'].map((path) => ({ path, request: null, problem: '', folders: [] })),
  needs: [],
  collection: {},
  warnings: [],
  used: new Set<string>(),
  takersFor: async () => undefined,
} satisfies Plan;
const start = { collectionId: 'c', hasData: false, repeat: 3 };

/** A report with requests as they were done: the iteration, the path and the state of each. */
function reportOf(...done: [iteration: number, path: string, state: FinishedRequest['request']['state']][]) {
  return {
    start: async () => start as RunStart,
    async *requests() {
      for (const [iteration, path, state] of done) yield { iteration, request: { path, state } } as FinishedRequest;
    },
  };
}

it('what did not pass is run again in the order of its iterations, whichever was done first', async () => {
  const files = reportOf(
    [3, 'b', 'failed'],
    [1, 'c', 'skipped'],
    [2, 'a', 'passed'],
    [3, 'a', 'error'],
    [1, 'a', 'cancelled'],
    [1, 'removed', 'failed'],
  );
  expect([...(await failedOf(files, 'r', plan, start))]).toEqual([
    [1, [2, 0]],
    [3, [1, 0]],
  ]);
});

it('is refused where everything passed or is gone, and of a run of something else', async () => {
  const none = 'Nothing to rerun: each request passed or is no longer selected.';
  await expect(failedOf(reportOf([1, 'a', 'passed'], [1, 'removed', 'failed']), 'r', plan, start)).rejects.toMatchObject({
    code: 'invalid_input',
    message: none,
  });
  for (const other of [{ collectionId: 'd' }, { hasData: true }, { repeat: 4 }])
    await expect(failedOf(reportOf([1, 'a', 'failed']), 'r', plan, { ...start, ...other })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('a different collection, data or repeat count') as string,
    });
});
