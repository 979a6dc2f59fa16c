import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { killRounds } from '#testing/kill-rounds.ts';
import { createDatabase } from '../database/database.ts';
import { setAsideWhole } from '#shared/model/limits.ts';
import { stateOfFailure } from '../files/disk-failures.ts';
import { createSessionLock } from '../files/session-lock.ts';

let home: string;
let path: string;
let opened: { close(): unknown }[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-damage-'));
  path = join(home, 'history.sqlite');
  opened = [];
});
afterEach(async () => {
  for (const item of opened.reverse()) await item.close();
  rmSync(home, { recursive: true, force: true });
});

const worker = fileURLToPath(new URL('./search-worker.ts', import.meta.url));

async function start(options: { thread?: boolean } = {}) {
  const app = await createTestApp({ home, sandbox: true, host: options.thread === true ? { searchWorker: worker } : {} });
  opened.push(app);
  const send = (text = '{"currency":"EUR"}') => app.send(draftOf('sandbox', { operation: 'gameList', text }));
  const status = () => app.client.call('history.status', {});
  return { ...app, send, status };
}

/** Creates a home with calls whose app was closed in order. */
async function fill(count = 40): Promise<void> {
  const app = await start();
  for (let n = 0; n < count; n += 1) await app.send(`{"currency":"EUR","n":${n}}`);
  await app.close();
  opened = [];
}

/** Returns the names in the home that a file gets when it is set aside. */
const asides = () => readdirSync(home).filter((name) => /set-aside-\d{8}T\d{6}(-\d+)?$/.test(name));

function scribble(start: number, length: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, start, start + length);
  writeFileSync(path, bytes);
}

describe('a file that is not a sound history', () => {
  const cases: [string, () => void, string, boolean][] = [
    ['emptied', () => truncateSync(path, 0), 'is empty', false],
    ['cut in half', () => truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096), 'is damaged', true],
    ['with a scribbled first page', () => scribble(0, 4096), 'is not a database', true],
    ['of another program', makeForeign, 'was not made by Croupier', false],
  ];
  it.each(cases)(
    '%s: is set aside byte for byte, with what can be read of it, and calls go on',
    async (_, damage, reason, readable) => {
      await fill();
      damage();
      const before = readFileSync(path);
      const app = await start();
      const call = await app.send();
      expect(call).toMatchObject({ code: 0 });
      const status = await app.status();
      expect(status).toMatchObject({ state: 'ready', calls: 1, setAside: [{ reason }] });
      expect(String(app.faults[0])).toContain(reason);
      const [aside = ''] = asides();
      expect(status.setAside[0]?.path).toBe(join(home, aside));
      expect(readFileSync(join(home, aside)).equals(before)).toBe(true);
      await app.close();
      opened = [];
      const again = await start();
      const { setAside } = await again.status();
      expect(setAside).toHaveLength(1);
      const lines = existsSync(join(home, `${aside}.recovered.jsonl`)) ? linesOf(join(home, `${aside}.recovered.jsonl`)) : [];
      expect(lines.length > 0).toBe(readable);
      if (readable) expect(setAside[0]?.recovered?.calls).toBe(lines.length);
      expect(readFileSync(join(home, aside)).equals(before)).toBe(true);
    },
  );

  it('with a scribbled page in the middle: is found while it runs, and set aside at the next start', async () => {
    await fill(200);
    // In the midst of the calls, whatever other tables the file has.
    const middle = readFileSync(path).indexOf('"n":100');
    expect(middle).toBeGreaterThan(0);
    scribble(Math.floor(middle / 4096) * 4096, 8 * 4096);
    const before = readFileSync(path);
    const app = await start({ thread: true });
    await app.client.call('calls.list', { text: 'no such text' }).catch(() => undefined);
    const failing = await Promise.allSettled(
      Array.from({ length: 200 }, (_, at) => app.client.call('calls.get', { id: at + 1 })),
    );
    expect(failing.some(({ status }) => status === 'rejected')).toBe(true);
    await vi.waitFor(async () => expect(await app.status()).toMatchObject({ state: 'damaged' }));
    await expect(app.send()).rejects.toMatchObject({ code: 'storage' });
    expect(asides()).toEqual([]);
    await app.close();
    opened = [];
    const found = await start();
    expect(await found.send()).toMatchObject({ code: 0 });
    expect(await found.status()).toMatchObject({ state: 'ready', calls: 1, setAside: [{ reason: 'was found damaged' }] });
    const [aside = ''] = asides();
    expect(readFileSync(join(home, aside)).equals(before)).toBe(true);
    await found.close();
    opened = [];
    const again = await start();
    const { setAside } = await again.status();
    const lines = linesOf(setAside[0]?.recovered?.path ?? '');
    // One broken stretch costs its own calls; those before and after it are there.
    expect(lines.length).toBeGreaterThan(100);
    const whole = lines.filter(({ request, response }) => request !== undefined && response !== undefined);
    expect(whole.length).toBeGreaterThan(20);
    expect(JSON.stringify(whole[0])).toContain('EUR');
  });

  it('goes as the oldest of many once what could be read of it was read out', async () => {
    const damage = () => writeFileSync(path, 'no database');
    const known: string[] = [];
    for (let n = 0; n < setAsideWhole + 1; n += 1) {
      damage();
      const app = await start();
      expect(await app.status()).toMatchObject({ state: 'ready', setAside: { length: n + 1 } });
      known.push((await app.status()).setAside[0]?.path ?? '');
      expect(existsSync(known[0] ?? '')).toBe(true);
      await app.close();
      opened = [];
      for (const name of ['', '-wal', '-shm']) rmSync(path + name, { force: true });
    }
    const [oldest = '', ...others] = known;
    expect(existsSync(oldest)).toBe(false);
    for (const one of others) expect(existsSync(one)).toBe(true);
  });

  it('is left where it is while another program uses it', async () => {
    await fill(5);
    const run = createSessionLock(join(home, 'runs'));
    opened.push(run);
    run.hold();
    truncateSync(path, 0);
    const app = await start();
    await expect(app.send()).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('another copy of Croupier is using it') as string,
    });
    expect(await app.status()).toMatchObject({ state: 'damaged', setAside: [] });
    expect(statSync(path).size).toBe(0);
    run.close();
    expect(await app.send()).toMatchObject({ code: 0 });
    expect(await app.status()).toMatchObject({ state: 'ready', setAside: [{ reason: 'is empty' }] });
  });

  it('that was renamed by hand leaves no log behind that a new one would take for its own', async () => {
    const app = await start();
    await app.send();
    cpSync(path, join(home, 'kept'));
    cpSync(`${path}-wal`, join(home, 'kept-wal'));
    await app.close();
    opened = [];
    rmSync(path);
    cpSync(join(home, 'kept-wal'), `${path}-wal`);
    const again = await start();
    expect(await again.status()).toMatchObject({
      state: 'ready',
      calls: 0,
      setAside: [{ reason: 'left its write-ahead log behind' }],
    });
    const { setAside } = await again.status();
    expect(readFileSync(`${setAside[0]?.path ?? ''}-wal`).equals(readFileSync(join(home, 'kept-wal')))).toBe(true);
  });
});

describe('a sound history that cannot be used now', () => {
  it('without its write-ahead log opens as of its last checkpoint', async () => {
    await fill(3);
    const app = await start();
    await app.send();
    cpSync(path, join(home, 'copy'));
    await app.close();
    opened = [];
    cpSync(join(home, 'copy'), path);
    rmSync(`${path}-wal`, { force: true });
    const again = await start();
    expect(await again.status()).toMatchObject({ state: 'ready', calls: 3, setAside: [] });
    // The index knew of more calls than there are: it is created again, and a search finds nothing that is not there.
    expect((await again.client.call('calls.list', { text: 'EUR' })).calls).toHaveLength(3);
    expect((await again.send()).code).toBe(0);
  });

  it('that is locked by another program is left alone, and used again once that one is done', async () => {
    await fill(1);
    const before = readFileSync(path);
    const other = new DatabaseSync(path);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const run = createSessionLock(join(home, 'runs'));
    const database = createDatabase(path, { run, busyTimeoutMs: 50 });
    opened.push(run, database);
    const read = () => database.run((connection) => connection.prepare('SELECT count(*) AS n FROM calls').get());
    expect(read).toThrow(expect.objectContaining({ code: 'storage', details: { state: 'locked' } }) as Error);
    expect(asides()).toEqual([]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(database.trouble()).toMatchObject({ state: 'locked' });
    other.close();
    expect(read()).toEqual({ n: 1 });
    expect(database.trouble()).toBeNull();
  });

  it('on a full disk refuses a call before it is sent, says so, and takes calls again', async () => {
    const run = createSessionLock(join(home, 'runs'));
    const database = createDatabase(path, { run });
    opened.push(run, database);
    database.connection().exec('CREATE TABLE filler (bytes BLOB)');
    const pages = Number(database.connection().prepare('PRAGMA page_count').get()?.['page_count']);
    database.connection().exec(`PRAGMA max_page_count = ${pages}`);
    // The form in which a program sees it that opens the history only then.
    expect(stateOfFailure(Object.assign(new Error('disk I/O error'), { errcode: 4_874 }))).toBe('full');
    const write = () => database.run((connection) => connection.prepare('INSERT INTO filler VALUES (zeroblob(100000))').run());
    expect(write).toThrow(expect.objectContaining({ details: { state: 'full' } }) as Error);
    expect(database.trouble()).toMatchObject({ state: 'full', message: expect.stringContaining('disk is full') as string });
    database.connection().exec(`PRAGMA max_page_count = ${pages + 1_000}`);
    write();
    database.wrote();
    expect(database.trouble()).toBeNull();
    expect(asides()).toEqual([]);
  });
});

describe('a poisoned row', () => {
  it('is listed as unreadable and keeps nothing else from being shown, found or started', async () => {
    await fill(9);
    const database = new DatabaseSync(path);
    database.exec(`
      PRAGMA ignore_check_constraints = ON;
      UPDATE calls SET state = 'confused' WHERE id = 1;
      UPDATE calls SET failure = '{"not": ' WHERE id = 2;
      UPDATE calls SET sent_at = 9223372036854775807 WHERE id = 3;
      UPDATE calls SET operation = 'unheard of' WHERE id = 4;
      UPDATE call_requests SET draft = 'no JSON', headers = '7' WHERE call_id = 5;
      UPDATE call_responses SET findings = '[{]', timings = '[]', headers = 'null' WHERE call_id = 6;
      DELETE FROM call_requests WHERE call_id = 7;
      UPDATE calls SET sent_at = 9007199254740991 WHERE id = 8;
      UPDATE call_requests SET headers = '[["a", "b", "c"]]' WHERE call_id = 9;
    `);
    database.close();
    const app = await start();
    const { calls, total } = await app.client.call('calls.list', {});
    expect(total).toBe(9);
    expect(calls.map(({ id, failure }) => [id, failure?.kind])).toEqual([
      [9, undefined],
      [8, 'unreadable'],
      [7, undefined],
      [6, undefined],
      [5, undefined],
      [4, 'unreadable'],
      [3, 'unreadable'],
      [2, 'unreadable'],
      [1, 'unreadable'],
    ]);
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      expect((await app.client.call('calls.get', { id })).failure, String(id)).toMatchObject({ kind: 'unreadable' });
      await app.client.body(id);
    }
    expect((await app.client.call('calls.list', { text: 'EUR' })).calls).toHaveLength(8);
    expect(await app.send()).toMatchObject({ code: 0 });
    expect(await app.status()).toMatchObject({ state: 'ready', calls: 10 });
    expect(app.faults).toEqual([]);
  });
});

describe('kills during writes', () => {
  it(
    'lose no acknowledged call in 20 rounds, leave a sound database, and no call out of the index',
    { timeout: 180_000 },
    async () => {
      const report = await killRounds(home, 20);
      expect(report).toMatchObject({ rounds: 20, lost: [], damaged: [], unindexed: [] });
      expect(report.acknowledged).toBeGreaterThan(20);
    },
  );
});

function linesOf(file: string): { request?: unknown; response?: unknown }[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { request?: unknown; response?: unknown });
}

function makeForeign(): void {
  rmSync(path);
  const foreign = new DatabaseSync(path);
  foreign.exec('CREATE TABLE theirs (id INTEGER); INSERT INTO theirs VALUES (1)');
  foreign.close();
}
