import { mkdtempSync, rmSync } from 'node:fs';
import type * as Fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDatabase } from '../database/database.ts';
import { mayHoldCopies } from '../database/rewrite.ts';
import { compact, createCompactions, type CompactDeps } from './compact.ts';
import { createSearchWork } from './search-work.ts';
import { stuckText } from './status.ts';

/** Free bytes of the disk. */
const disk = vi.hoisted(() => ({ free: Number.MAX_SAFE_INTEGER }));
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof Fs>()),
  statfs: async () => ({ bavail: disk.free, bsize: 1 }),
}));

let home: string;
let deps: CompactDeps & { close(): void };
let others: boolean;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-compact-'));
  others = false;
});
afterEach(() => {
  deps.close();
  rmSync(home, { recursive: true, force: true });
});

/** Opens a history of which most is free, as an earlier version or this one creates it. */
function open(vacuum: 'NONE' | 'INCREMENTAL', freeBytes = 40_000_000) {
  const path = join(home, 'history.sqlite');
  const indexPath = join(home, 'history-index.sqlite');
  const made = createDatabase(path);
  made
    .connection()
    .exec(
      'INSERT INTO calls (id, environment_id, environment_name, operation, url, sent_at, state, run, request_bytes) ' +
        "VALUES (1, 'e', 'e', 'bet', 'u', 1, 'answered', 'r', 1), (2, 'e', 'e', 'bet', 'u', 1, 'answered', 'r', 1); " +
        "INSERT INTO call_requests (call_id, draft, headers, body) VALUES (1, '{}', '[]', zeroblob(20000000)); DELETE FROM calls WHERE id = 1",
    );
  made.close();
  if (vacuum === 'NONE') {
    const older = new DatabaseSync(path);
    older.exec(
      `PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; CREATE TABLE t AS SELECT zeroblob(${freeBytes}) AS b; DROP TABLE t`,
    );
    older.close();
  }
  const database = createDatabase(path);
  const read = (name: string) => Number(database.connection().prepare(`PRAGMA ${name}`).get()?.[name]);
  deps = {
    database,
    indexPath,
    run: { hasOthers: () => others },
    erase: (stop) =>
      createSearchWork({ historyPath: path, indexPath, write: false, onDamage: () => undefined }).erase('all', { stop }),
    close: () => database.close(),
  };
  return { read };
}

it('gives back what is free, says how far it is, and how large the files were and are', async () => {
  const { read } = open('INCREMENTAL');
  const heard: number[] = [];
  const done = await compact(deps, (given, total) => heard.push(Math.round((given / total) * 100)), new AbortController().signal);
  expect(done).toMatchObject({ cancelled: false, left: null });
  expect(done.before.database).toBeGreaterThan(20_000_000);
  expect(done.after.database).toBeLessThan(1_000_000);
  expect(heard.length).toBeGreaterThan(3);
  expect(heard.at(-1)).toBe(100);
  expect(read('freelist_count')).toBe(0);
});

it('can be stopped at any step: what was given back stays given back, and the file is sound', async () => {
  const { read } = open('INCREMENTAL');
  const stop = new AbortController();
  const before = read('freelist_count');
  const done = await compact(deps, () => stop.abort(), stop.signal);
  expect(done.cancelled).toBe(true);
  expect(read('freelist_count')).toBeLessThan(before);
  expect(read('freelist_count')).toBeGreaterThan(0);
  expect(deps.database.connection().prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(deps.database.connection().prepare('SELECT count(*) AS n FROM calls').get()).toEqual({ n: 1 });
});

it('writes a file of an earlier version again where no other program uses it, and says so where one does', async () => {
  const { read } = open('NONE');
  const holdsCopies = () => mayHoldCopies(deps.database.connection());
  expect(stuckText(read('auto_vacuum') === 0, read('freelist_count') * read('page_size'))).toMatch(
    /^40 MB of the history are unused/,
  );
  expect(stuckText(true, 20_000_000)).toBeNull();
  others = true;
  const refused = await compact(deps, () => undefined, new AbortController().signal);
  expect(refused.left).toMatch(
    /^An earlier version of Croupier created this history.* Close every other copy of Croupier, then compact again\.$/,
  );
  expect(refused.after.database).toBeGreaterThan(40_000_000);
  expect(holdsCopies()).toBe(true);
  others = false;
  disk.free = 60_000_000;
  const full = await compact(deps, () => undefined, new AbortController().signal);
  expect(full.left).toMatch(/^An earlier version .* This needs 8\d MB of free space\. Free some, then compact again\.$/);
  expect([holdsCopies(), read('freelist_count') > 4_000]).toEqual([true, true]);
  disk.free = Number.MAX_SAFE_INTEGER;
  expect(await compact(deps, () => undefined, new AbortController().signal)).toMatchObject({ left: null });
  expect(read('auto_vacuum')).toBe(2);
  expect(read('freelist_count')).toBe(0);
  // From then on nothing says that copies of removed calls may be in it.
  expect(holdsCopies()).toBe(false);
});

it('says nothing of other programs where a file is so small that it is rewritten in their sight', async () => {
  const { read } = open('NONE', 10_000_000);
  others = true;
  const done = await compact(deps, () => undefined, new AbortController().signal);
  expect(done).toMatchObject({ left: null, cancelled: false });
  expect(done.after.database).toBeLessThan(1_000_000);
  expect(read('freelist_count')).toBe(0);
});

it('names the log that another program holds', async () => {
  open('INCREMENTAL');
  const blocked = ['history.sqlite-wal', 'history-index.sqlite-wal'];
  deps = { ...deps, erase: async () => ({ blocked, stopped: false }) };
  expect((await compact(deps, () => undefined, new AbortController().signal)).left).toBe(
    "history.sqlite-wal and history-index.sqlite-wal can't be truncated: another program is reading the history. Close it, then compact again.",
  );
});

it('goes on one at a time, until the one who began it, or the end of the program, stops it', async () => {
  open('INCREMENTAL');
  let ends = 0;
  const compactions = createCompactions(deps, () => (ends += 1));
  expect(compactions.cancel('one')).toBe(false);
  compactions.stop();
  const steps: number[] = [];
  const first = compactions.start('one', (done) => steps.push(done));
  await expect(compactions.start('two', () => expect.fail('refused'))).rejects.toMatchObject({
    code: 'conflict',
    message: "The history is already being compacted. Wait until it's done, or cancel it.",
  });
  expect(compactions.cancel('two')).toBe(false);
  expect(ends).toBe(0);
  expect(compactions.cancel('one')).toBe(true);
  expect(await first).toMatchObject({ cancelled: true });
  expect([steps.length, ends]).toEqual([1, 1]);
  expect(compactions.cancel('one')).toBe(false);
  const second = compactions.start('two', () => compactions.stop());
  expect(await second).toMatchObject({ cancelled: true });
  expect(await compactions.start('three', () => undefined)).toMatchObject({ cancelled: false, left: null });
  expect(ends).toBe(3);
  const failing = createCompactions({ ...deps, erase: () => Promise.reject(new Error('full')) }, () => (ends += 1));
  await expect(failing.start('four', () => undefined)).rejects.toThrow('full');
  expect(ends).toBe(4);
});
