import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { writeCalls } from '#testing/written-calls.ts';
import { createDatabase } from '../database/database.ts';
import { erase } from './erase.ts';
import { createSearchEngine, openIndex } from './search-engine.ts';

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
    const connection = openIndex(history, join(test.home, `${name}.sqlite`), true);
    expect(connection.prepare('SELECT count(*) AS rows FROM main.marks').get()).toMatchObject({ rows: 1 });
    connection.close();
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

  it('shrinks with the history, without being rewritten', async () => {
    const files = home();
    const { connection, engine } = filled(files, range(1, 1_400));
    const before = pagesOf(files.indexPath);
    // More than 1,000: for fewer the index is not merged before the next start.
    connection.exec('DELETE FROM calls WHERE id % 4 <> 0');
    let rewritten = 0;
    await erase(files, { ...engine, rewrite: () => (rewritten += 1) }, 'much', { whole: false });
    expect(rewritten).toBe(0);
    expect(pagesOf(files.indexPath)).toBeLessThan(before * 0.5);
    expect(engine.holds()).toMatchObject({ gone: 0, copies: true });
    await erase(files, engine, 'all', { whole: false });
    expect(engine.holds()).toMatchObject({ gone: 0, copies: false });
  });

  it('is swept to its end, however many calls of it are still there', () => {
    const files = home();
    const { connection, engine } = filled(files, []);
    writeCalls(connection, 5_100);
    while (engine.index());
    const gone = () => engine.holds().gone;
    connection.exec('DELETE FROM calls WHERE id IN (3, 5050)');
    expect([engine.sweep(), gone()]).toEqual([false, 2]);
    connection.exec('DELETE FROM calls WHERE id <= 900');
    // As many in a step as are taken out at once.
    const taken: number[] = [];
    for (let more = true; more; taken.push(gone())) more = engine.sweep();
    expect(taken).toEqual([402, 802, 901]);
    // A program that may not write takes out none.
    const reading = createSearchEngine({ ...files, write: false });
    ended.push(() => reading.close());
    connection.exec('DELETE FROM calls');
    expect([reading.sweep(), reading.index(), reading.mergeAway(1), reading.shrink()]).toEqual([false, false, false, false]);
    reading.rewrite();
    expect(reading.holds()).toEqual({ gone: 901, copies: false, bytes: statSync(files.indexPath).size });
    while (engine.mergeAway(1));
    expect(engine.holds()).toMatchObject({ gone: 0, copies: true });
    // Also as the first thing that a program does with it.
    const other = createSearchEngine({ ...files, write: true });
    ended.push(() => other.close());
    other.rewrite();
    expect(engine.holds().copies).toBe(false);
    other.close();
    engine.close();
    rmSync(files.indexPath);
    expect(reading.holds()).toEqual({ gone: 0, copies: false, bytes: 0 });
  });
});
