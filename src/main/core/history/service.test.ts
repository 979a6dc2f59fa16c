import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Retention } from '#shared/ipc/index.ts';
import { createPlannedWork } from '#testing/planned-work.ts';
import { writeCalls } from '#testing/written-calls.ts';
import { createDatabase } from '../database/database.ts';
import { mayHoldCopies } from '../database/rewrite.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createRemoval } from './removal.ts';
import { keepsAll } from './retention-state.ts';
import { createSearchEngine } from './search-engine.ts';
import { createHistoryService } from './service.ts';
import { createHistoryStore } from './store.ts';

let home: string;
let indexPath: string;
let ended: (() => unknown)[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-service-'));
  indexPath = join(home, 'history-index.sqlite');
  ended = [];
});
afterEach(async () => {
  for (const end of ended.reverse()) await end();
  rmSync(home, { recursive: true, force: true });
});

/** The history of one session on the home, as the command line has it: without a thread. */
function open() {
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'), { run });
  const history = createHistoryStore(database, run);
  const changes: (readonly number[] | null)[] = [];
  const settings: Record<string, string> = {};
  const work = createPlannedWork();
  const service = createHistoryService({
    database,
    run,
    history,
    settings: {
      read: () => settings,
      async write(name, value) {
        settings[name] = value;
        return { masked: false };
      },
      settled: () => Promise.resolve(),
    },
    indexPath,
    worker: null,
    later: work.later,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    onChange: (ids) => changes.push(ids),
    onFault: (error) => {
      throw error;
    },
  });
  ended.push(
    () => run.close(),
    () => database.close(),
    () => history.close(),
    () => service.close(),
  );
  const list = (text?: string) => service.list({ text, match: 'anywhere', filter: {}, limit: 500 });
  /** Records calls that were answered long ago; returns their numbers. */
  const add = (count: number, bytes?: number) => {
    const before = history.count();
    writeCalls(database.connection(), count, bytes);
    return Array.from({ length: count }, (_, at) => before + at + 1);
  };
  return { run, database, history, service, changes, settings, list, add, work };
}

describe('the history', () => {
  it('lists its calls without its index, and says of a search how far it is', async () => {
    const { service, add, list } = open();
    add(1_100);
    mkdirSync(indexPath);
    expect(await list()).toMatchObject({ total: 1_100, totalIsExact: true });
    expect(await list('')).toMatchObject({ total: 1_100 });
    await expect(list('nowhere')).rejects.toMatchObject({ code: 'storage' });
    await expect(service.list({ match: 'anywhere', filter: { pinned: true }, limit: 5 })).rejects.toMatchObject({
      code: 'storage',
    });
    const status = await service.status();
    expect(status).toMatchObject({ state: 'ready', calls: 1_100, unindexed: 0, remains: null });
    rmSync(indexPath, { recursive: true });
    expect(await list('nowhere')).toMatchObject({ calls: [], rest: { before: 101, looked: 1_000, of: 1_100 } });
    expect(await service.list({ text: 'nowhere', match: 'anywhere', filter: {}, limit: 5, before: 101 })).toMatchObject({
      rest: null,
    });
    expect(await service.status()).toMatchObject({ unindexed: 1_100 });
    expect(await service.list({ match: 'anywhere', filter: { pinned: false }, limit: 5 })).toMatchObject({
      calls: [1_100, 1_099, 1_098, 1_097, 1_096].map((id) => ({ id })),
    });
  });

  it('tells which calls changed, and nothing where none did', async () => {
    const { service, changes, add } = open();
    add(3);
    const taken = () => changes.splice(0);
    service.pin(1, true);
    service.note(2, 'a note');
    expect(taken()).toEqual([[1], [2]]);
    expect(service.remove([9])).toEqual([]);
    expect(service.restore([1])).toEqual([]);
    expect(taken()).toEqual([]);
    expect(service.remove([1, 9])).toEqual([1]);
    expect(service.restore([1, 2])).toEqual([1]);
    expect(taken()).toEqual([null, null]);
    expect(await service.purge([9], () => undefined, new AbortController().signal)).toBe(0);
    expect(taken()).toEqual([]);
  });

  it('removes many calls a batch at a time, until it is stopped', async () => {
    const { service, history, changes, add } = open();
    const ids = add(250);
    const stop = new AbortController();
    const steps: number[] = [];
    await service.purge(ids.slice(0, 230), (removed) => void (steps.push(removed) === 2 && stop.abort()), stop.signal);
    expect([steps, history.count(), changes]).toEqual([[100, 200], 50, [null]]);
    expect(await service.purge(ids, (removed) => steps.push(removed), new AbortController().signal)).toBe(50);
    expect(steps).toEqual([100, 200, 0, 0, 50]);
  });

  it('keeps what its limits keep from the moment on at which they are set or confirmed', async () => {
    const { service, history, changes, settings, add } = open();
    add(300);
    const limits: Retention = { ...keepsAll, maxCalls: 150 };
    expect(await service.preview(limits)).toMatchObject({ calls: 150, left: 150 });
    expect(await service.retain(limits, 150)).toEqual(limits);
    expect(history.count()).toBe(150);
    expect(changes.length).toBeGreaterThan(0);
    // Of an earlier version, or set by hand: nobody saw what they remove.
    const fewer: Retention = { ...keepsAll, maxAgeDays: 1 };
    settings['retention'] = JSON.stringify(fewer);
    add(400);
    changes.length = 0;
    expect(await service.retain(keepsAll, null)).toEqual(keepsAll);
    settings['retention'] = JSON.stringify(fewer);
    service.recorded();
    await service.close();
    expect(history.count()).toBe(550);
    const next = open();
    next.settings['retention'] = settings['retention'];
    expect((await next.service.status()).waiting).toMatchObject({ calls: 450 });
    expect(await next.service.settle('remove', 450)).toEqual(fewer);
    expect(history.count()).toBe(100);
    await expect(next.service.settle('keep', 450)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('at its end empties what was deleted and takes it out of its files, as far as it deleted some', async () => {
    const first = open();
    first.add(3, 3_000);
    first.service.remove([1]);
    first.database.connection().exec('UPDATE history_identity SET erases = 1');
    await first.service.close();
    expect(first.history.count()).toBe(2);
    expect(first.service.restore([1])).toEqual([]);
    const second = open();
    second.database.connection().exec('UPDATE history_identity SET erases = 0');
    await second.service.close();
    // Nothing was deleted, so nothing was rewritten.
    expect(second.database.run(mayHoldCopies)).toBe(true);
    second.service.note(2, 'x');
    await second.service.close();
    expect(second.database.run(mayHoldCopies)).toBe(false);
    // As much as it can without keeping anybody waiting: the next start does the rest.
    const third = open();
    third.service.remove(third.add(2_050));
    await third.service.close();
    const left = third.database.connection().prepare('SELECT count(*) AS n FROM calls WHERE deleted_by IS NOT NULL').get();
    expect(left).toEqual({ n: 50 });
  });
});

describe('cleaning', () => {
  it('empties what dead sessions deleted, rewrites the file, and says what a living one may still restore', async () => {
    const { service, database, history, changes, add } = open();
    add(250, 100);
    database.connection().exec("UPDATE calls SET deleted_by = 'gone' WHERE id <= 130");
    const other = createSessionLock(join(home, 'runs'));
    ended.push(() => other.close());
    createRemoval(database, other).remove([140]);
    expect(await service.clean()).toBe('1 deleted call can be restored until the session that deleted it ends.');
    expect(changes).toEqual([null]);
    createRemoval(database, other).remove([141, 142]);
    expect(await service.clean()).toBe('3 deleted calls can be restored until the session that deleted them ends.');
    expect(history.count()).toBe(117);
    other.close();
    expect(await service.clean()).toBeNull();
    expect(Number(database.connection().prepare('SELECT count(*) AS n FROM calls').get()?.['n'])).toBe(117);
  });

  it('names the files that still hold something, and why', async () => {
    const { service, database, add } = open();
    add(3, 10);
    const engine = createSearchEngine({ historyPath: database.path, indexPath, write: true });
    while (engine.index());
    engine.close();
    expect(await service.remains()).toBeNull();
    const index = new DatabaseSync(indexPath);
    index.exec('UPDATE marks SET copies = 1, gone = 2');
    index.close();
    database.connection().exec('UPDATE history_identity SET erases = 0');
    expect(await service.remains()).toBe(
      'The search index still contains words of 2 removed calls. Croupier removes them when it starts the next time, or earlier. ' +
        `Copies of removed calls may remain in unused parts of ${database.path} and ${indexPath}. ` +
        'Close every other copy of Croupier and run "croupier history clean" to rewrite the files.',
    );
    // A small file is rewritten soon by itself.
    expect((await service.status()).remains).toMatch(/^The search index still contains words of 2 removed calls\. [^.]*\.$/);
    const reader = new DatabaseSync(database.path);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM calls').get();
    service.note(1, 'a note');
    await service.erase();
    expect((await service.status()).remains).toContain(
      `Removed calls can still be read in ${database.path}-wal: another program is reading the history. Close it, then run "croupier history clean".`,
    );
    const other = createSessionLock(join(home, 'runs'));
    ended.push(() => other.close());
    createRemoval(database, other).remove([2]);
    expect(await service.clean()).toMatch(/^1 deleted call can .* deleted it ends\. Removed calls can still be read in /);
    other.close();
    reader.close();
    expect(await service.clean()).toBeNull();
    expect(await service.remains()).toBeNull();
    const { bytes, calls } = await service.status();
    const [size, own, log] = [database.path, indexPath, `${indexPath}-wal`].map((path) => statSync(path).size);
    expect([bytes.database, bytes.index]).toEqual([size, (own ?? 0) + (log ?? 0)]);
    expect(bytes.perCall).toBe(Math.round((bytes.database - bytes.free + bytes.index) / calls));
  });

  it('is not asked of a history that cannot be used', async () => {
    const { service } = open();
    writeFileSync(join(home, 'history.sqlite'), '');
    rmSync(join(home, 'history.sqlite'));
    mkdirSync(join(home, 'history.sqlite'));
    expect(await service.status()).toMatchObject({ calls: 0, remains: null, unindexed: 0, waiting: null, stuck: null });
  });
});
