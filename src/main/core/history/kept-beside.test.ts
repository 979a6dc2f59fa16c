import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTrash } from '../collections/trash.ts';
import { createDatabase } from '../database/database.ts';
import { migrations } from '../database/migrations.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createReportFiles } from '../runs/report-files.ts';
import type { RunStart } from '../runs/report-lines.ts';
import { createKeptBeside } from './kept-beside.ts';

let home: string;
const ended: (() => unknown)[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-kept-'));
});
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
  rmSync(home, { recursive: true, force: true });
});

function session() {
  const run = createSessionLock(join(home, 'runs'));
  run.hold();
  ended.push(() => run.close());
  return run;
}

function put(path: string, bytes: number, at: number): void {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), Buffer.alloc(bytes));
  utimesSync(join(home, path), at / 1_000, at / 1_000);
}

it('says what is kept beside the calls, how much and since when, and removes what a person may', async () => {
  const at = 1_790_000_000_000;
  const run = session();
  const database = createDatabase(join(home, 'history.sqlite'));
  ended.push(() => database.close());
  const kept = createKeptBeside(home, database, run);
  const of = async (kind: string) => (await kept.list()).find((one) => one.kind === kind);
  expect((await kept.list()).map(({ kind, count }) => [kind, count])).toEqual([
    ['gameLists', 0],
    ['launches', 0],
    ['runReports', 0],
    ['evidence', 0],
    ['setAside', 0],
    ['removedFiles', 0],
    ['locks', 1],
  ]);
  put('runs/opening.lock', 0, at);
  put(`runs/${'0'.repeat(24)}.lock.old`, 0, at);
  expect(await of('locks')).toMatchObject({ count: 1 });
  put('evidence/one/launch.json', 1_000, at);
  put('evidence/one/screenshot.png', 500, at + 1_000);
  put('evidence/two/launch.json', 20, at + 1_000);
  put('collection-runs/a-b.jsonl', 70, at);
  put('history.sqlite.set-aside-20260101T000000', 30, at);
  put('history.sqlite.set-aside-20260101T000000.json', 3, at);
  put(`removed/${'0'.repeat(16)}/1/removed`, 9, at);
  put(`removed/${run.token}/1/removed`, 9, at);
  database
    .connection()
    .exec(
      "INSERT INTO launches (id, prepared_at, launch) VALUES ('l', 5, '{}'); INSERT INTO launch_pictures VALUES ('l', 1, NULL, zeroblob(100), NULL); INSERT INTO catalogue_snapshots VALUES (1, 'e', 'e', 'EUR', 1, 7, 0, '[]')",
    );
  expect(await of('evidence')).toEqual({ kind: 'evidence', count: 2, bytes: 1_520, since: at });
  expect(await of('runReports')).toEqual({ kind: 'runReports', count: 1, bytes: 70, since: at });
  expect(await of('setAside')).toEqual({ kind: 'setAside', count: 2, bytes: 33, since: at });
  expect(await of('removedFiles')).toEqual({ kind: 'removedFiles', count: 1, bytes: 9, since: at });
  expect(await of('launches')).toEqual({ kind: 'launches', count: 1, bytes: 102, since: 5 });
  expect(await of('gameLists')).toEqual({ kind: 'gameLists', count: 1, bytes: null, since: 7 });
  await expect(kept.remove('evidence', 1)).rejects.toMatchObject({ code: 'conflict' });
  expect(await kept.remove('evidence', 2)).toBe(2);
  expect(await kept.remove('setAside', 2)).toBe(2);
  expect(await kept.remove('removedFiles', 1)).toBe(1);
  expect(readdirSync(join(home, 'evidence'))).toEqual([]);
  expect(readdirSync(home).filter((name) => name.includes('set-aside'))).toEqual([]);
  // This session may still restore it.
  expect(readdirSync(join(home, 'removed'))).toEqual([run.token]);
});

it.skipIf(process.platform === 'win32')('says nothing of the age and size of a link that leads nowhere', async () => {
  const database = createDatabase(join(home, 'history.sqlite'));
  ended.push(() => database.close());
  mkdirSync(join(home, 'evidence', 'one'), { recursive: true });
  symlinkSync('nowhere', join(home, 'evidence', 'link'));
  utimesSync(join(home, 'evidence', 'one'), 7, 7);
  // Not followed: it may lead out of the home.
  symlinkSync(import.meta.filename, join(home, 'evidence', 'one', 'link'));
  utimesSync(join(home, 'evidence', 'one'), 7, 7);
  const evidence = async () => (await createKeptBeside(home, database, session()).list()).find(({ kind }) => kind === 'evidence');
  expect(await evidence()).toEqual({ kind: 'evidence', count: 2, bytes: 0, since: 7_000 });
  rmSync(join(home, 'evidence', 'one'), { recursive: true });
  expect(await evidence()).toEqual({ kind: 'evidence', count: 1, bytes: 0, since: null });
});

it('lists the files of a home whose history cannot be used, and says where it cannot remove one', async () => {
  const newer = createDatabase(join(home, 'history.sqlite'), {
    steps: [...migrations, 'CREATE TABLE later (id INTEGER) STRICT'],
  });
  newer.connection();
  newer.close();
  const database = createDatabase(join(home, 'history.sqlite'));
  ended.push(() => database.close());
  const kept = createKeptBeside(home, database, session());
  mkdirSync(join(home, 'history.sqlite.set-aside-20260101T000000'));
  expect((await kept.list()).map(({ kind, count }) => [kind, count])).toEqual([
    ['runReports', 0],
    ['evidence', 0],
    ['setAside', 1],
    ['removedFiles', 0],
    ['locks', 1],
  ]);
  await expect(kept.remove('setAside', 1)).rejects.toMatchObject({
    code: 'storage',
    message: 'Some of it could not be removed. Check the permissions of the home.',
  });
  await expect(kept.remove('setAside', 1_000)).rejects.toMatchObject({
    code: 'conflict',
    message: 'Nothing was removed: the number of items to remove is now 1. Review them and try again.',
  });
});

it('leaves what another session may put back, however long that runs and whatever the clock says', async () => {
  const [one, other, dead] = [session(), session(), createSessionLock(join(home, 'runs'))];
  put('team/a.yaml', 1, Date.now());
  put('team/b.yaml', 1, Date.now());
  put('team/c.yaml', 1, Date.now());
  put('team/d.yaml', 1, Date.now());
  await createTrash(home, other, Date.now).put('1', join(home, 'team', 'a.yaml'));
  await createTrash(home, dead, Date.now).put('1', join(home, 'team', 'b.yaml'));
  dead.close();
  // A session that was killed leaves it for a week.
  await createTrash(home, one, () => Date.now() + 6 * 86_400_000).put('0', join(home, 'team', 'd.yaml'));
  expect(readdirSync(join(home, 'removed')).sort()).toEqual([one.token, other.token, dead.token].sort());
  await createTrash(home, one, () => Date.now() + 365 * 86_400_000).put('1', join(home, 'team', 'c.yaml'));
  expect(readdirSync(join(home, 'removed')).sort()).toEqual([one.token, other.token].sort());
  expect(existsSync(join(home, 'removed', other.token, '1', 'removed'))).toBe(true);
});

it('keeps the reports of the newest 100 runs with that of the one that begins, and less where they are large', async () => {
  const files = createReportFiles(join(home, 'collection-runs'), () => false, vi.fn());
  const begin = async (runId: string) => (await files.begin({ runId } as RunStart)).end({} as never);
  const kept = () => readdirSync(join(home, 'collection-runs')).sort();
  for (let n = 0; n < 105; n += 1) put(`collection-runs/a${String(n).padStart(3, '0')}-0.jsonl`, 1, Date.now());
  await begin('b-0');
  expect(kept()).toHaveLength(100);
  expect([kept().at(0), kept().at(-1)]).toEqual(['a006-0.jsonl', 'b-0.jsonl']);
  for (const name of ['c-0', 'c-1', 'c-2']) {
    put(`collection-runs/${name}.jsonl`, 1, Date.now());
    truncateSync(join(home, 'collection-runs', `${name}.jsonl`), 300 * 1_048_576);
  }
  await begin('d-0');
  // The newest stays however large it is.
  expect(kept()).toEqual(['c-2.jsonl', 'd-0.jsonl']);
});
