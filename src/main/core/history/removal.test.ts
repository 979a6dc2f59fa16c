import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Retention } from '#shared/ipc/index.ts';
import { createTestApp, draftOf } from '#testing/app.ts';
import { someOutcome, someOutgoing } from '#testing/some-record.ts';
import { createHistoryStore, type HistoryStore } from './store.ts';
import { createDatabase } from '../database/database.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createRemoval } from './removal.ts';

let home: string;
let opened: { close(): unknown }[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-removal-'));
  opened = [];
});
afterEach(async () => {
  for (const item of opened.reverse()) await item.close();
  rmSync(home, { recursive: true, force: true });
});

function open() {
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'), { run });
  const history = createHistoryStore(database, run);
  opened.push(run, database, history);
  return { run, database, history, removal: createRemoval(database, run) };
}

async function record(history: HistoryStore, sentAt = 0, answered = true, size = 10): Promise<number> {
  const id = await history.begin(someOutgoing({ sentAt, body: Buffer.alloc(size, 'x') }));
  if (answered) await history.finish(id, someOutcome(null, { state: 'cancelled', code: null, message: null }));
  return id;
}

const all = (history: HistoryStore) => history.page({ limit: 500 }).calls.map(({ id }) => id);
const keep = (part: Partial<Retention>): Retention => ({ maxAgeDays: null, maxCalls: null, maxBytes: null, ...part });

describe('deletion', () => {
  it('can be undone, but not of a pending call, and ends with the run', async () => {
    const { history, removal } = open();
    for (let n = 0; n < 3; n += 1) await record(history);
    const pending = await record(history, 0, false);
    expect(removal.remove([1, 3, pending, 99])).toEqual([1, 3]);
    expect(all(history)).toEqual([pending, 2]);
    expect(history.count()).toBe(2);
    expect(removal.restore([3, 2])).toEqual([3]);
    expect(all(history)).toEqual([pending, 3, 2]);
    removal.emptyOwn();
    expect(removal.restore([1])).toEqual([]);
    expect(all(history)).toEqual([pending, 3, 2]);
  });

  it('is left alone by other programs while its run lives, and ended by them when it is gone', async () => {
    const [one, two] = [open(), open()];
    await record(one.history);
    await record(one.history);
    one.removal.remove([1]);
    expect(two.removal.empty()).toBe(0);
    two.removal.emptyOwn();
    expect(two.removal.restore([1])).toEqual([1]);
    one.removal.remove([1]);
    // The system does this for a process that is killed.
    one.run.close();
    expect(two.removal.empty()).toBe(1);
    expect(two.removal.empty()).toBe(0);
    expect(two.removal.restore([1])).toEqual([]);
    expect(all(two.history)).toEqual([2]);
  });
});

it('a change that fails leaves nothing of itself, and the history free for the next one', async () => {
  const { history, removal } = open();
  await record(history);
  expect(() =>
    removal.within((connection) => {
      connection.exec("UPDATE calls SET note = 'half'");
      throw new Error('full');
    }),
  ).toThrow('full');
  expect(history.get(1).note).toBe('');
  // A full disk ends the transaction by itself.
  expect(() =>
    removal.within((connection) => {
      connection.exec('ROLLBACK');
      throw new Error('full');
    }),
  ).toThrow('full');
  expect(removal.remove([1])).toEqual([1]);
  const gone = { code: 'not_found', message: 'There is no call 1 in the history.' };
  expect(() => removal.pin(1, true)).toThrow(expect.objectContaining(gone));
  expect(() => removal.note(1, 'x')).toThrow(expect.objectContaining(gone));
});

describe('through the contract', () => {
  it('pins, notes, deletes, restores, sets what is kept and says what there is', async () => {
    const test = await createTestApp({ sandbox: true });
    opened.push(test);
    const { client, send } = test;
    const heard: unknown[] = [];
    client.on('history.changed', (payload) => heard.push(payload));
    const ids = [];
    for (let n = 0; n < 3; n += 1)
      ids.push((await send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"EUR"}' }))).id);
    const [first = 0, second = 0, third = 0] = ids;
    expect(heard).toEqual([]);
    await client.call('calls.pin', { id: first, pinned: true });
    await client.call('calls.note', { id: second, note: 'look at this' });
    expect((await client.call('calls.list', { filter: { pinned: true } })).calls).toMatchObject([{ id: first, pinned: true }]);
    expect((await client.call('calls.list', { text: 'look at' })).calls).toMatchObject([{ id: second, note: 'look at this' }]);
    expect(await client.call('calls.delete', { ids: [third] })).toEqual({ deleted: [third] });
    expect(await client.call('history.status', {})).toMatchObject({
      state: 'ready',
      message: null,
      calls: 2,
      pinned: 1,
      deleted: 1,
    });
    expect(await client.call('calls.restore', { ids: [third] })).toEqual({ restored: [third] });
    expect((await client.call('calls.list', {})).total).toBe(3);
    expect((await client.call('app.info', {})).calls).toBe(3);
    const kept = keep({ maxCalls: 1_000 });
    expect(await client.call('history.preview', kept)).toEqual({ calls: 0, bytes: 0, from: null, to: null, left: 3, pinned: 1 });
    expect(await client.call('history.retain', { retention: kept, removes: 0 })).toEqual(kept);
    const status = await client.call('history.status', {});
    expect(status.retention).toEqual(kept);
    expect(status.bytes.database + status.bytes.wal).toBeGreaterThan(10_000);
    expect(status.unindexed).toBe(3);
    expect(heard).toEqual([{ ids: [first] }, { ids: [second] }, ...Array.from({ length: 3 }, () => ({ ids: null }))]);
    expect(test.faults).toEqual([]);
  });
});
