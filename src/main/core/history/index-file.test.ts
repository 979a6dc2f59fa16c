import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { writeCalls } from '#testing/written-calls.ts';
import { createDatabase } from '../database/database.ts';
import { eraseSteps } from './erase.ts';
import { indexMayHoldWords, openIndex, wordsFrom } from './index-file.ts';
import { createSearchEngine } from './search-engine.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

it.skipIf(process.platform === 'win32')('a pipe or a device in the place of the index is replaced', async () => {
  const test = await createTestApp();
  ended.push(test.close);
  const { id } = await test.environment({ baseUrl: 'https://localhost:1' });
  await test.send(draftOf(id, { operation: 'gameList' }));
  const history = join(test.home, 'history.sqlite');
  execFileSync('mkfifo', [join(test.home, 'pipe.sqlite')]);
  await symlink('/dev/null', join(test.home, 'device.sqlite'));
  for (const name of ['pipe', 'device']) {
    const { connection, close } = openIndex(history, join(test.home, `${name}.sqlite`), true);
    expect(connection.prepare('SELECT count(*) AS rows FROM main.marks').get()).toMatchObject({ rows: 1 });
    close();
  }
});

describe('an index that calls were taken out of', () => {
  const home = () => {
    const folder = mkdtempSync(join(tmpdir(), 'croupier-index-'));
    ended.push(() => rmSync(folder, { recursive: true, force: true }));
    return { historyPath: join(folder, 'history.sqlite'), indexPath: join(folder, 'history-index.sqlite') };
  };

  /** A history with calls of many different words from `first` on, all of them indexed. */
  function filled(files: ReturnType<typeof home>, ids: readonly number[]) {
    const database = createDatabase(files.historyPath);
    ended.push(() => database.close());
    const connection = database.connection();
    const call = connection.prepare(
      'INSERT INTO calls (id, environment_id, environment_name, operation, url, sent_at, state, run, request_bytes) ' +
        "VALUES (?, 'e', 'e', 'bet', 'https://p.example/bet', 1, 'answered', 'r', 1000)",
    );
    const request = connection.prepare("INSERT INTO call_requests (call_id, draft, headers, body) VALUES (?, '{}', '[]', ?)");
    connection.exec('BEGIN');
    for (const id of ids) {
      call.run(id);
      const words = Array.from({ length: 60 }, (_, at) => createHash('sha256').update(`${id} ${at}`).digest('hex').slice(0, 12));
      request.run(id, Buffer.from(words.join(' ')));
    }
    connection.exec('COMMIT');
    const engine = createSearchEngine({ ...files, write: true });
    ended.push(() => engine.close());
    while (engine.index());
    return { connection, engine };
  }
  const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);
  const pagesOf = (path: string) => {
    const connection = new DatabaseSync(path, { readOnly: true });
    const pages = Number(connection.prepare('PRAGMA page_count').get()?.['page_count']);
    connection.close();
    return pages;
  };

  it('shrinks with the history, without being rewritten', () => {
    const files = home();
    const { connection, engine } = filled(files, range(1, 1_400));
    const before = pagesOf(files.indexPath);
    // More than 1,000: for fewer no stretch of the index is merged before the next start.
    connection.exec('DELETE FROM calls WHERE id % 4 <> 0');
    let rewritten = 0;
    const step = eraseSteps({ ...engine, rewrite: () => (rewritten += 1) }, 'much');
    while (step());
    expect(rewritten).toBe(0);
    expect(pagesOf(files.indexPath)).toBeLessThan(before * 0.5);
    expect(engine.holds()).toMatchObject({ words: true });
    expect(indexMayHoldWords(files.indexPath)).toBe(true);
    const rest = eraseSteps(engine, 'all');
    while (rest());
    expect(indexMayHoldWords(files.indexPath)).toBe(false);
  });

  it('loses the tables of a stretch that is empty a little at a time: no statement writes all of it', () => {
    const files = home();
    const { connection, engine } = filled(files, [...range(1, 900), 131_072]);
    connection.exec('DELETE FROM calls WHERE id < 131072');
    const step = eraseSteps(engine, 'all');
    const index = new DatabaseSync(files.indexPath, { readOnly: true });
    ended.push(() => index.close());
    const rows = () => {
      try {
        return Number(index.prepare('SELECT count(*) AS n FROM pieces_0_data').get()?.['n']);
      } catch {
        return 0;
      }
    };
    const lost: number[] = [];
    for (let more = true, before = rows(); more; before = rows()) {
      more = step();
      lost.push(before - rows());
    }
    expect(rows()).toBe(0);
    expect(lost.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(130);
    expect(Math.max(...lost)).toBeLessThanOrEqual(120);
    expect(index.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%\\_0%' ESCAPE '\\'").all()).toEqual([]);
    expect(engine.search({ text: 'p.example', match: 'anywhere', filter: {}, limit: 5 }).calls).toHaveLength(1);
  });

  it('of an earlier version, which keeps its free pages, is rewritten where all is to go, and left where much is', () => {
    const files = home();
    filled(files, range(1, 300)).engine.close();
    const older = new DatabaseSync(files.indexPath);
    older.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM');
    older.close();
    const { connection, engine } = filled(files, [1_000]);
    expect(engine.holds()).toMatchObject({ words: false });
    connection.exec('DELETE FROM calls WHERE id < 1000');
    const pages = () => {
      const index = new DatabaseSync(files.indexPath, { readOnly: true });
      const [kind, free] = ['auto_vacuum', 'freelist_count'].map((name) => index.prepare(`PRAGMA ${name}`).get()?.[name]);
      index.close();
      return { kind, free: Number(free) };
    };
    const stepThrough = (extent: 'much' | 'words' | 'all') => {
      const step = eraseSteps(engine, extent);
      for (let steps = 0; step(); steps += 1) expect(steps).toBeLessThan(100);
    };
    stepThrough('much');
    expect(pages()).toMatchObject({ kind: 0 });
    stepThrough('all');
    expect(pages()).toEqual({ kind: 2, free: 0 });
    expect(engine.holds()).toMatchObject({ words: false });
    expect(engine.gone()).toBe(0);
  });

  it('is asked for the words with a beginning, which are many or few', () => {
    const files = home();
    const { connection, engine } = filled(files, [1]);
    const body = connection.prepare('UPDATE call_requests SET body = ?');
    body.run(Buffer.from('need needle needles nee other'));
    engine.close();
    rmSync(files.indexPath);
    const again = createSearchEngine({ ...files, write: true });
    ended.push(() => again.close());
    while (again.index());
    const { connection: index, close } = openIndex(files.historyPath, files.indexPath, false);
    ended.push(close);
    const words = (prefix: string, most: number) => wordsFrom(index, 0, prefix, most);
    expect(words('need', 3)).toEqual(['need', 'needle', 'needles']);
    expect(words('need', 2)).toBeNull();
    expect(words('needles', 2)).toEqual(['needles']);
    expect(words('needless', 2)).toEqual([]);
    expect(words('zzz', 2)).toEqual([]);
  });

  it('that cannot be read holds nothing that can be known', () => {
    const { indexPath } = home();
    expect(indexMayHoldWords(indexPath)).toBe(false);
    mkdirSync(indexPath);
    expect(indexMayHoldWords(indexPath)).toBe(false);
    rmSync(indexPath, { recursive: true });
    writeFileSync(indexPath, 'no database at all, and long enough to be looked at'.repeat(50));
    expect(indexMayHoldWords(indexPath)).toBe(false);
  });

  it('is swept to its end, however many calls of it are still there', () => {
    const files = home();
    const { connection, engine } = filled(files, []);
    writeCalls(connection, 5_100);
    while (engine.index());
    connection.exec('DELETE FROM calls WHERE id IN (3, 5050)');
    const swept: number[] = [];
    for (let more = engine.sweep(true); more; more = engine.sweep(false)) swept.push(engine.gone());
    expect([swept, engine.gone()]).toEqual([[1], 2]);
    connection.exec('DELETE FROM calls WHERE id <= 900');
    // As many in a step as are taken out at once.
    const taken: number[] = [];
    for (let more = engine.sweep(true); more; more = engine.sweep(false)) taken.push(engine.gone());
    expect([taken, engine.gone()]).toEqual([[402, 802], 901]);
    // A program that may not write takes out none.
    const reading = createSearchEngine({ ...files, write: false });
    ended.push(() => reading.close());
    connection.exec('DELETE FROM calls');
    expect([reading.sweep(true), reading.index(), reading.mergeAway(1), reading.shrink()]).toEqual([false, false, false, false]);
    reading.rewrite();
    expect([reading.gone(), reading.holds()]).toEqual([901, { words: false, bytes: statSync(files.indexPath).size }]);
    while (engine.mergeAway(1));
    expect([engine.gone(), engine.holds().words]).toEqual([0, true]);
    // Also as the first thing that a program does with it.
    const other = createSearchEngine({ ...files, write: true });
    ended.push(() => other.close());
    other.rewrite();
    expect(engine.holds().words).toBe(false);
    other.close();
    engine.close();
    rmSync(files.indexPath);
    expect(reading.holds()).toEqual({ words: false, bytes: 0 });
  });
});
