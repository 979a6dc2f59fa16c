import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDatabase } from '../database/database.ts';
import { dropLists } from './drop-lists.ts';
import { createSnapshotStore } from './store.ts';

it('game lists go with their environment at the next start, one at a time, and never because nobody knows what there is', async () => {
  const home = mkdtempSync(join(tmpdir(), 'croupier-lists-'));
  const database = createDatabase(join(home, 'history.sqlite'));
  const store = createSnapshotStore(database);
  for (const [at, environmentId] of ['stays', 'gone', 'gone', 'gone too'].entries()) {
    const games = [{ id: String(at), name: 'g', bets: '[]', thumbnail: '', status: null }];
    await store.add({ environmentId, environmentName: 'n', currency: 'EUR', callId: at, fetchedAt: at, problems: [] }, games);
  }
  let dropped = 0;
  /** Returns the number of lists after each step. */
  function start(environmentIds: readonly string[], steps = 100): number[] {
    const planned: (() => void)[] = [];
    const stop = dropLists({
      store,
      environmentIds: () => environmentIds,
      later(work) {
        planned.push(work);
        return () => void planned.splice(planned.indexOf(work), 1);
      },
      onDropped: () => (dropped += 1),
      onFault(error) {
        throw error;
      },
    });
    const left: number[] = [];
    while (planned.length > 0 && left.length < steps) {
      planned.shift()?.();
      left.push(store.list().length);
    }
    stop();
    expect(planned).toEqual([]);
    return left;
  }
  expect(start([])).toEqual([4]);
  expect(start(['stays', 'gone', 'gone too'])).toEqual([4]);
  expect(dropped).toBe(0);
  expect(start(['stays'], 1)).toEqual([3]);
  expect(start(['stays'])).toEqual([2, 1, 1]);
  expect(dropped).toBe(1);
  expect(store.list()).toMatchObject([{ environmentId: 'stays' }]);
  database.close();
  rmSync(home, { recursive: true });
});
