import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import { draftOf } from '#testing/app.ts';
import { someOutcome, someOutgoing } from '#testing/some-record.ts';
import { createDatabase } from '../database/database.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { dayOf } from './rows.ts';
import { createHistoryStore } from './store.ts';
import type { HistoryStore } from './store.ts';
import type { Outcome, OutgoingCall } from './record.ts';

let home: string;
let opened: { close(): void }[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-history-'));
  opened = [];
});
afterEach(() => {
  for (const item of opened.reverse()) item.close();
  rmSync(home, { recursive: true, force: true });
});

function open() {
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'));
  const history = createHistoryStore(database, run);
  opened.push(run, database, history);
  return { history, run, database };
}

const environment = Environment.parse({ id: 'e', name: 'Täst', baseUrl: 'https://p.example', platform: 1, partnerId: 2 });

function outgoing(text = '{"roundId":9007199254740993,"note":"ä"}'): OutgoingCall {
  const before = '{"data":';
  return someOutgoing({
    environment,
    draft: draftOf('e', { operation: 'getGameRound', text }),
    sentAt: 1_795_000_000_000,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(`${before}${text},"hash":"x"}`),
    hashInput: { time: '20-11-2026 10:15:30', hasData: true, dataOffset: before.length, dataLength: Buffer.byteLength(text) },
    hash: 'x',
    keyFingerprint: 'abcd-ef',
  });
}

function answer(body: string | Buffer = '{"code":0,"message":"ok"}'): Outcome {
  return someOutcome(body, {
    response: { status: 200, headers: [['a', 'b']], body: Buffer.from(body), truncated: false },
    timings: { dns: 1, connect: 2, tls: 3, firstByte: 4, download: 5, total: 15, reused: false },
    clockOffsetMs: -3,
    findings: [{ rule: 'r', severity: 'note', path: '', message: 'm' }],
  });
}

describe('a call', () => {
  it('is there as pending once begin settles, for any other connection too', async () => {
    const { history } = open();
    const id = await history.begin(outgoing());
    const other = new DatabaseSync(join(home, 'history.sqlite'), { readOnly: true });
    expect(other.prepare('SELECT state FROM calls WHERE id = ?').get(id)).toEqual({ state: 'pending' });
    other.close();
    expect(history.get(id)).toMatchObject({ state: 'pending', response: null, timings: null, durationMs: null, findings: [] });
  });

  it('comes back as it was sent and received', async () => {
    const { history, run } = open();
    const call = outgoing();
    const id = await history.begin(call);
    await history.finish(id, answer(Buffer.from([0, 255, 1])));
    expect(history.get(id)).toEqual({
      id,
      environmentId: 'e',
      environmentName: 'Täst',
      operation: 'getGameRound',
      url: 'https://p.example/serviceApi.php',
      sentAt: 1_795_000_000_000,
      state: 'answered',
      status: 200,
      code: 0,
      message: 'ok',
      failure: null,
      durationMs: 15,
      requestBytes: call.body.length,
      responseBytes: 3,
      run: run.token,
      day: dayOf(1_795_000_000_000),
      pinned: false,
      note: '',
      repeats: null,
      collectionRun: null,
      subject: [{ field: 'roundId', value: '9007199254740993', more: 0 }],
      draft: call.draft,
      request: {
        headers: [['content-type', 'application/json']],
        bodyText: call.body.toString(),
        hashInput: {
          time: '20-11-2026 10:15:30',
          dataJson: '{"roundId":9007199254740993,"note":"ä"}',
          dataOffset: 8,
          dataLength: call.hashInput?.dataLength,
        },
        hash: 'x',
        keyFingerprint: 'abcd-ef',
      },
      response: { status: 200, headers: [['a', 'b']], bodyBytes: 3, truncated: false },
      timings: answer().timings,
      clockOffsetMs: -3,
      findings: answer().findings,
    });
    expect([...history.body(id)]).toEqual([0, 255, 1]);
  });

  it('of an earlier version gets its subject from its body, and a long one has none', async () => {
    const { history, database } = open();
    const id = await history.begin(outgoing());
    database.run((connection) => connection.exec('UPDATE calls SET subject = NULL'));
    const subject = [{ field: 'roundId', value: '9007199254740993', more: 0 }];
    expect(history.page({ limit: 1 }).calls[0]?.subject).toEqual(subject);
    expect(history.get(id).subject).toEqual(subject);
    await history.begin(outgoing(`{"roundId":1,"x":"${'y'.repeat(65_536)}"}`));
    expect(history.page({ limit: 1 }).calls[0]?.subject).toBeUndefined();
    database.run((connection) => connection.exec('UPDATE calls SET subject = NULL'));
    expect(history.page({ limit: 1 }).calls[0]?.subject).toBeUndefined();
  });

  it('that is not there is not found', () => {
    const { history } = open();
    expect(() => history.get(1)).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(() => history.body(1)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

describe('the list', () => {
  async function fill(history: HistoryStore, bodies: string[]): Promise<number[]> {
    const ids = [];
    for (const body of bodies) {
      const id = await history.begin(outgoing());
      await history.finish(id, answer(body));
      ids.push(id);
    }
    return ids;
  }

  it('pages by key, newest first, without a gap or a repetition while calls arrive', async () => {
    const { history } = open();
    await fill(
      history,
      Array.from({ length: 25 }, (_, n) => `{"n":${n}}`),
    );
    const seen: number[] = [];
    let before: number | undefined;
    for (;;) {
      const { calls } = history.page({ before, limit: 7 });
      if (calls.length === 0) break;
      seen.push(...calls.map(({ id }) => id));
      before = calls.at(-1)?.id;
      await fill(history, ['{}']);
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => 25 - n));
  });
});

describe('calls of several at once', () => {
  it('are all written, each under its own id', async () => {
    const { history } = open();
    const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => history.begin(outgoing(`{"n":${n}}`))));
    expect(new Set(ids).size).toBe(50);
    await Promise.all(ids.map((id, n) => history.finish(id, answer(`{"n":${n}}`))));
    ids.forEach((id, n) => {
      expect(history.get(id).draft.text).toBe(`{"n":${n}}`);
      expect(Buffer.from(history.body(id)).toString()).toBe(`{"n":${n}}`);
    });
  });

  it('are all written where their responses are long, some in each step', async () => {
    const { history } = open();
    const ids = await Promise.all(Array.from({ length: 5 }, () => history.begin(outgoing())));
    const bodies = ids.map((id) => Buffer.alloc(3_000_000, id));
    const order: number[] = [];
    const written = ids.map((id, at) => history.finish(id, answer(bodies[at])).then(() => order.push(id)));
    await Promise.all(written);
    expect(order).toEqual(ids);
    ids.forEach((id, at) => expect(Buffer.compare(history.body(id), bodies[at] ?? Buffer.alloc(0))).toBe(0));
  });

  it('of two programs on one home do not disturb each other', async () => {
    const [one, two] = [open().history, open().history];
    const ids = await Promise.all([one, two, one, two].map((history) => history.begin(outgoing())));
    expect(new Set(ids).size).toBe(4);
    await one.finish(ids[1] ?? 0, answer());
    expect(two.get(ids[1] ?? 0).state).toBe('answered');
  });
});

describe('a call that leaves', () => {
  it('is flushed to the disk first, together with those of the same moment; an outcome is not', async () => {
    const { database, run } = open();
    const flushed: (() => void)[] = [];
    const history = createHistoryStore({ ...database, synced: () => new Promise((resolve) => flushed.push(resolve)) }, run);
    const began: number[] = [];
    const first = history.begin(outgoing()).then((id) => began.push(id));
    await vi.waitFor(() => expect(flushed).toHaveLength(1));
    // The row is there, and the call has to wait.
    expect([history.count(), began]).toEqual([1, []]);
    flushed[0]?.();
    await first;
    await history.finish(began[0] ?? 0, answer());
    expect([began, flushed.length]).toEqual([[1], 1]);
  });

  it('does not leave where it cannot be flushed, and no row of it stays', async () => {
    const { history } = open();
    expect(history.count()).toBe(0);
    rmSync(join(home, 'history.sqlite-wal'));
    const failure = { code: 'storage', message: expect.stringContaining('cannot be used: it no longer exists.') as string };
    await expect(history.begin(outgoing())).rejects.toMatchObject(failure);
    expect(history.count()).toBe(0);
  });

  it('writes few and small pages to the log, and no file beside it', async () => {
    const { history, database } = open();
    const written = () => statSync(join(home, 'history.sqlite-wal')).size;
    const before = (await history.begin(outgoing()), written());
    for (let n = 1; n < 40; n += 1) await history.finish(await history.begin(outgoing()), answer());
    // 12 pages of 2 kB in all, and a new one for each that is full.
    expect((written() - before) / 39).toBeLessThan(14 * 2_072);
    expect(database.connection().prepare('PRAGMA temp_store').get()).toEqual({ temp_store: 2 });
  });
});

describe('a long body', () => {
  /** Returns whether the history's file has it, beside its log. */
  const isInFile = (body: Buffer) => readFileSync(join(home, 'history.sqlite')).includes(body.subarray(0, 1_000));

  it('is taken from the log to the file in a step of its own', async () => {
    const { history } = open();
    const ids = await Promise.all([1, 2, 3].map(() => history.begin(outgoing())));
    const [first = 0, second = 0, third = 0] = ids;
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
    const set = () => exec.mock.calls.flatMap(([sql]) => /wal_autocheckpoint = (\d+)/.exec(sql)?.[1] ?? []);
    try {
      const short = Buffer.alloc(1_048_576, 'short body ');
      await history.finish(first, answer(short));
      await new Promise(setImmediate);
      expect([set(), isInFile(short)]).toEqual([[], false]);
      // So long that SQLite would do it in the same step as the outcome, and the call with it.
      const long = Buffer.alloc(9_000_000, 'long body ');
      await history.finish(second, answer(long));
      expect([set(), isInFile(long)]).toEqual([['0', '1000'], false]);
      await new Promise(setImmediate);
      expect([isInFile(long), isInFile(short)]).toEqual([true, true]);
      // Beside others, and not after the end of the history.
      const last = Buffer.alloc(1_048_577, 'last body ');
      const both = [history.finish(third, answer(last)), history.begin(outgoing())];
      history.close();
      await Promise.all(both);
      await new Promise(setImmediate);
      expect([set(), isInFile(last)]).toEqual([['0', '1000', '0', '1000'], false]);
    } finally {
      exec.mockRestore();
    }
  });
});

describe('a session that sends nothing', () => {
  it('is no session that others would have to watch, though it writes the outcome of a call', async () => {
    const first = open();
    const id = await first.history.begin(outgoing());
    const second = open();
    const locks = readdirSync(join(home, 'runs'));
    expect(locks).toHaveLength(1);
    await second.history.finish(id, answer());
    expect(second.history.page({ limit: 5 }).calls).toHaveLength(1);
    expect(readdirSync(join(home, 'runs'))).toEqual(locks);
    // One that is written together with an outcome leaves all the same.
    await Promise.all([second.history.finish(id, answer()), second.history.begin(outgoing())]);
    expect(readdirSync(join(home, 'runs'))).toHaveLength(2);
  });
});

describe('an outcome that may wait', () => {
  const long = 3_600_000;

  it('is there for whoever reads, and is written with the next call', async () => {
    const { history } = open();
    const [first, second] = await Promise.all([history.begin(outgoing()), history.begin(outgoing())]);
    const finished = [history.finish(first, answer(), long), history.finish(second, answer(), long)];
    const other = new DatabaseSync(join(home, 'history.sqlite'), { readOnly: true });
    const states = () =>
      other
        .prepare('SELECT state FROM calls ORDER BY id')
        .all()
        .map((row) => row['state']);
    expect(states()).toEqual(['pending', 'pending']);
    expect(history.get(first).state).toBe('answered');
    expect(states()).toEqual(['answered', 'answered']);
    const third = await history.begin(outgoing());
    finished.push(history.finish(third, answer(), long));
    await history.begin(outgoing());
    expect(states()).toEqual(['answered', 'answered', 'answered', 'pending']);
    await Promise.all(finished);
    other.close();
  });

  it('is written when the program ends', async () => {
    const { history } = open();
    const id = await history.begin(outgoing());
    const finished = history.finish(id, answer(), long);
    history.close();
    await finished;
    expect(open().history.get(id).state).toBe('answered');
  });
});

describe('a call that never left', () => {
  it('is taken back with its request; one that has an outcome stays', async () => {
    const { history } = open();
    const ids = await Promise.all([history.begin(outgoing()), history.begin(outgoing()), history.begin(outgoing())]);
    expect(history.count()).toBe(3);
    await history.finish(ids[0] ?? 0, answer());
    await Promise.all([history.withdraw(ids[0] ?? 0), history.withdraw(ids[2] ?? 0)]);
    expect(history.page({ limit: 10 }).calls.map(({ id, state }) => [id, state])).toEqual([
      [ids[1], 'pending'],
      [ids[0], 'answered'],
    ]);
    expect(history.count()).toBe(2);
    const other = new DatabaseSync(join(home, 'history.sqlite'), { readOnly: true });
    expect(other.prepare('SELECT count(*) AS n FROM call_requests').get()).toEqual({ n: 2 });
    other.close();
    // An ID is never used twice.
    expect(await history.begin(outgoing())).toBeGreaterThan(ids[2] ?? 0);
  });
});

describe('a run that is gone', () => {
  it('leaves its pending calls as interrupted; those of a living one stay pending', async () => {
    const first = open();
    const second = open();
    const ofFirst = await first.history.begin(outgoing());
    const moves = await first.history.begin({ ...outgoing(), draft: { ...outgoing().draft, operation: 'bet' } });
    const ofSecond = await second.history.begin(outgoing());
    // The system does this for a process that is killed: the lock goes, the rows stay.
    first.run.close();
    const states = second.history.page({ limit: 10 }).calls.map(({ id, state, failure }) => [id, state, failure?.kind]);
    expect(states).toEqual([
      [ofSecond, 'pending', undefined],
      [moves, 'interrupted', 'interrupted'],
      [ofFirst, 'interrupted', 'interrupted'],
    ]);
    expect(second.history.get(moves).failure?.hint).toContain('may have acted');
    expect(second.history.get(ofFirst).failure?.hint).toContain('only reads');
  });
});

describe('a full disk', () => {
  it('refuses the call with `storage`, keeps what is there and takes calls again once there is room', async () => {
    const database = createDatabase(join(home, 'history.sqlite'));
    const run = createSessionLock(join(home, 'runs'));
    const history = createHistoryStore(database, run);
    opened.push(run, database, history);
    const first = await history.begin(outgoing());
    const pages = Number(database.connection().prepare('PRAGMA page_count').get()?.['page_count']);
    database.connection().exec(`PRAGMA max_page_count = ${pages + 1}`);
    const large = outgoing(`"${'x'.repeat(100_000)}"`);
    await expect(history.begin(large)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('disk is full') as string,
    });
    await history.finish(first, answer());
    expect(history.get(first).state).toBe('answered');
    database.connection().exec('PRAGMA max_page_count = 1000000');
    expect(history.get(await history.begin(large)).state).toBe('pending');
    expect(history.count()).toBe(2);
  });

  it('keeps the outcomes that were to be written with a call for which there is no room', async () => {
    const database = createDatabase(join(home, 'history.sqlite'));
    const run = createSessionLock(join(home, 'runs'));
    const history = createHistoryStore(database, run);
    opened.push(run, database, history);
    const ids = await Promise.all([history.begin(outgoing()), history.begin(outgoing())]);
    const pages = Number(database.connection().prepare('PRAGMA page_count').get()?.['page_count']);
    database.connection().exec(`PRAGMA max_page_count = ${pages + 1}`);
    const finished = ids.map((id) => history.finish(id, answer(), 3_600_000));
    await expect(history.begin(outgoing(`"${'x'.repeat(100_000)}"`))).rejects.toMatchObject({ code: 'storage' });
    await Promise.all(finished);
    expect(ids.map((id) => history.get(id).state)).toEqual(['answered', 'answered']);
  });
});
