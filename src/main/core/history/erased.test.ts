import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { draftOf } from '#testing/app.ts';
import { someOutcome, someOutgoing } from '#testing/some-record.ts';
import { createHistoryStore } from './store.ts';
import { createDatabase } from '../database/database.ts';
import { mayHoldCopies } from '../database/rewrite.ts';
import { migrations } from '../database/migrations.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createRemoval } from './removal.ts';
import { createHistoryService } from './service.ts';
import { remainsText } from './status.ts';
import { createSearch } from './search.ts';

const worker = fileURLToPath(new URL('./search-worker.ts', import.meta.url));

let home: string;
let opened: { close(): unknown }[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-erased-'));
  opened = [];
});
afterEach(async () => {
  for (const item of opened.reverse()) await item.close();
  rmSync(home, { recursive: true, force: true });
});

/** The history's own service, without a thread for searches and without upkeep by itself. */
function serviceOf(
  { database, run, history }: ReturnType<typeof open>,
  read: () => Record<string, string>,
  program: string | null = null,
) {
  return createHistoryService({
    database,
    run,
    history,
    settings: { read, write: () => Promise.resolve({ masked: false }), settled: () => Promise.resolve() },
    indexPath: join(home, 'history-index.sqlite'),
    worker: program,
    later: () => () => undefined,
    now: Date.now,
    monotonic: () => performance.now(),
    onChange: () => undefined,
    onFault: (error) => {
      throw error;
    },
  });
}

/** A history with its search in this thread or in one of its own, as the command line and the desktop have it. */
function open(program: string | null) {
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'), { run });
  const history = createHistoryStore(database, run);
  const search = createSearch({
    historyPath: database.path,
    indexPath: join(home, 'history-index.sqlite'),
    worker: program,
    later: (work) => {
      work();
      return () => undefined;
    },
    onDamage: () => undefined,
    onRecovered: () => undefined,
    onFault: (error) => {
      throw error;
    },
  });
  opened.push(run, database, history, search);
  async function record(text: string, response: string): Promise<number> {
    const draft = draftOf('e', { operation: 'bet', text });
    const id = await history.begin(someOutgoing({ draft, url: 'https://p.example/bet', body: Buffer.from(text) }));
    await history.finish(id, someOutcome(response, { message: null }));
    return id;
  }
  return { run, database, history, search, removal: createRemoval(database, run), record };
}

const secret = 'zqxw-player-7731';

/** Returns the files of the home that hold a text: everything is searched, whatever its name. */
function holding(text: string): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => {
      try {
        return readFileSync(join(home, name)).includes(text);
      } catch {
        return false;
      }
    })
    .sort();
}

/** Calls of two sizes, some with bodies on pages of their own, one of ten with the secret. */
async function fill(one: ReturnType<typeof open>): Promise<number[]> {
  const secrets: number[] = [];
  for (let n = 0; n < 24; n += 1) {
    const named = n % 10 === 5;
    const player = named ? secret : `player-${n}`;
    const id = await one.record(
      `{"playerId":"${player}","pad":"${'x'.repeat(n % 2 === 0 ? 20 : 30_000)}"}`,
      `{"playerId":"${player}"}`,
    );
    if (named) secrets.push(id);
  }
  return secrets;
}

async function indexed(one: ReturnType<typeof open>): Promise<void> {
  one.search.touch();
  while ((await one.search.unindexed()) > 0);
}

describe('a call that was removed for good', () => {
  it('is in no byte of the database, its log, the index and its log', async () => {
    const one = open(worker);
    const secrets = await fill(one);
    await indexed(one);
    expect(holding(secret)).toContain('history.sqlite-wal');
    // The index holds words and pieces of three characters.
    expect(holding('zqxw').some((name) => name.startsWith('history-index.sqlite'))).toBe(true);
    one.removal.purge(secrets);
    expect(await one.search.erase('all')).toEqual({ blocked: [], stopped: false });
    expect(holding(secret)).toEqual([]);
    expect(holding('zqxw')).toEqual([]);
    expect(one.history.page({ limit: 500 }).calls).toHaveLength(22);
    const found = await one.search.search({ text: 'player-13', match: 'anywhere', filter: {}, limit: 10 });
    expect(found.calls).toHaveLength(1);
  });

  it('is called removed, as a limit removes calls too, and its words are said to go with the next start or before', () => {
    expect(remainsText([], 500, [], true)).toBe(
      'The search index still contains words of 500 removed calls. Croupier removes them when it starts the next time, or earlier.',
    );
  });

  it('can be left in the index by a stop, and is gone with the next erasure', async () => {
    for (const program of [worker, null]) {
      const one = open(worker);
      const secrets = await fill(one);
      await indexed(one);
      one.removal.purge(secrets);
      if (program === null) await one.search.close();
      const search = program === null ? open(null).search : one.search;
      expect(await search.erase('all', { stop: AbortSignal.abort() })).toEqual({ blocked: [], stopped: true });
      const stop = new AbortController();
      const stopped = search.erase('all', { stop: stop.signal });
      stop.abort();
      // The thread may have been done with so little before it heard.
      expect((await stopped).stopped || program !== null).toBe(true);
      expect(await search.erase('all')).toEqual({ blocked: [], stopped: false });
      expect(holding('zqxw')).toEqual([]);
    }
  });

  it('was a note, and a newer one stands in its place', async () => {
    const one = open(worker);
    await fill(one);
    for (let id = 1; id <= 24; id += 1) one.removal.note(id, `${secret} ${'n'.repeat(40 * id)}`);
    expect(one.database.run(mayHoldCopies)).toBe(false);
    for (let id = 1; id <= 24; id += 1) one.removal.note(id, `newer ${'n'.repeat(30 * id)}`);
    expect(one.database.run(mayHoldCopies)).toBe(true);
    expect(await one.search.erase('copies')).toEqual({ blocked: [], stopped: false });
    expect(one.database.run(mayHoldCopies)).toBe(false);
    one.history.close();
    one.database.close();
    const file = readFileSync(join(home, 'history.sqlite'));
    // The bodies of the calls name it, the notes no longer do.
    expect(file.includes(`${secret} nnnn`)).toBe(false);
  });

  it('was a note that is another one now: its old text is gone when the program ends', async () => {
    const one = open(null);
    await fill(one);
    const service = serviceOf(one, () => ({}));
    for (let id = 1; id <= 24; id += 1) service.note(id, `old-note-${secret} ${'n'.repeat(40 * id)}`);
    for (let id = 1; id <= 24; id += 1) service.note(id, `newer ${'n'.repeat(30 * id)}`);
    expect(one.database.run(mayHoldCopies)).toBe(true);
    await service.close();
    expect(one.database.run(mayHoldCopies)).toBe(false);
    expect(holding('old-note')).toEqual([]);
  });

  it('is in none of them either where no thread keeps the index', async () => {
    const before = open(worker);
    const secrets = await fill(before);
    await indexed(before);
    await before.search.close();
    const one = open(null);
    one.removal.purge(secrets);
    expect(await one.search.erase('all')).toEqual({ blocked: [], stopped: false });
    expect(holding('zqxw')).toEqual([]);
  });

  it('that a session deleted which was killed is gone after the next start', async () => {
    const killed = open(worker);
    const secrets = await fill(killed);
    await indexed(killed);
    killed.removal.remove(secrets);
    await killed.search.close();
    killed.history.close();
    killed.database.close();
    killed.run.close();
    expect(holding('zqxw').length).toBeGreaterThan(0);
    const run = createSessionLock(join(home, 'runs'));
    const database = createDatabase(join(home, 'history.sqlite'), { run });
    const faults: unknown[] = [];
    const service = createHistoryService({
      database,
      run,
      history: createHistoryStore(database, run),
      settings: { read: () => ({}), write: () => Promise.resolve({ masked: false }), settled: () => Promise.resolve() },
      indexPath: join(home, 'history-index.sqlite'),
      worker,
      later(work) {
        const turn = setImmediate(work);
        return () => clearImmediate(turn);
      },
      now: Date.now,
      monotonic: () => performance.now(),
      onChange: () => undefined,
      onFault: (error) => faults.push(error),
    });
    opened.push(run, database, service);
    await vi.waitFor(() => expect(holding('zqxw')).toEqual([]), { timeout: 30_000 });
    expect(faults).toEqual([]);
  });

  it('keeps no session from its end, however long it takes to be taken out of the files: the next one does it', async () => {
    const mute = join(home, 'mute.mjs');
    const answers = "parentPort.on('message', () => undefined); parentPort.postMessage({ id: 0, value: null })";
    writeFileSync(mute, `import { parentPort } from 'node:worker_threads'; ${answers}`);
    const one = open(null);
    const id = await one.record(`{"playerId":"${secret}"}`, '{}');
    const service = serviceOf(one, () => ({}), mute);
    service.remove([id]);
    await service.close();
    expect(one.history.count()).toBe(0);
    expect(one.database.run(mayHoldCopies)).toBe(true);
  });

  it('may leave copies in a large file, which says so until it is cleaned', async () => {
    const one = open(null);
    const body = 'x'.repeat(4_000_000);
    const ids: number[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await one.record(`{"playerId":"${secret}-${n}"}`, body));
    let settings: Record<string, string> = {};
    const service = serviceOf(one, () => settings);
    opened.push(service);
    expect((await service.status()).remains).toBeNull();
    one.removal.purge(ids.slice(0, 1));
    expect((await service.status()).remains).toMatch(/^Copies of removed calls may remain in .* run "croupier history clean"/);
    // If a limit removes a call for each new one, the message would always be there.
    settings = { retention: JSON.stringify({ maxAgeDays: null, maxCalls: 500, maxBytes: null }) };
    expect((await service.status()).remains).toBeNull();
    expect(await service.clean()).toBeNull();
    settings = {};
    expect((await service.status()).remains).toBeNull();
    expect(holding(`${secret}-0`)).toEqual([]);
    expect(holding(`${secret}-1`)).toEqual(['history.sqlite']);
  });

  it('is gone from a file that an earlier version deleted it from, at the next start of a newer one', async () => {
    const older = createDatabase(join(home, 'history.sqlite'), {
      steps: migrations.slice(
        0,
        migrations.findIndex((step) => step.includes('erases INTEGER')),
      ),
    });
    const connection = older.connection();
    connection.exec('PRAGMA secure_delete = OFF');
    const insert = connection.prepare(
      "INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes, note) VALUES ('e', 'e', 'bet', 'u', 1, 'answered', 'r', 1, ?)",
    );
    for (let n = 0; n < 10; n += 1) insert.run(n === 5 ? secret : 'other');
    connection.exec("DELETE FROM calls WHERE note <> 'other'");
    older.close();
    expect(holding(secret)).toEqual(['history.sqlite']);
    const { database, history, run, search } = open(null);
    expect(history.count()).toBe(9);
    expect(await search.erase('all')).toEqual({ blocked: [], stopped: false });
    expect(database.run(mayHoldCopies)).toBe(false);
    history.close();
    database.close();
    run.close();
    expect(holding(secret)).toEqual([]);
  });

  it('is said to be readable while another program reads the file, and is gone afterwards', async () => {
    const one = open(worker);
    const secrets = await fill(one);
    await indexed(one);
    const reader = new DatabaseSync(join(home, 'history.sqlite'));
    opened.push({ close: () => reader.isOpen && reader.close() });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM calls').get();
    one.removal.purge(secrets);
    expect(await one.search.erase('all')).toEqual({ blocked: [join(home, 'history.sqlite-wal')], stopped: false });
    expect(holding(secret)).not.toEqual([]);
    reader.exec('COMMIT');
    expect(await one.search.erase('all')).toEqual({ blocked: [], stopped: false });
    expect(holding('zqxw')).toEqual([]);
    expect(existsSync(join(home, 'history.sqlite'))).toBe(true);
  });
});
