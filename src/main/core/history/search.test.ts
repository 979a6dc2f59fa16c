import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { fc } from '#testing/fast-check.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import type { CallFilter } from '#shared/ipc/index.ts';
import { draftOf } from '#testing/app.ts';
import { someOutcome, someOutgoing } from '#testing/some-record.ts';
import { writeCalls } from '#testing/written-calls.ts';
import { createHistoryStore, type HistoryStore } from './store.ts';
import type { Outcome, OutgoingCall } from './record.ts';
import { createDatabase } from '../database/database.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createRemoval } from './removal.ts';
import { createSearchEngine, type SearchEngine, type SearchQuery } from './search-engine.ts';
import { createSearch } from './search.ts';
import { anywhere, fold, words } from './search-text.ts';

let home: string;
let historyPath: string;
let indexPath: string;
let opened: { close(): unknown }[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-search-'));
  historyPath = join(home, 'history.sqlite');
  indexPath = join(home, 'history-index.sqlite');
  opened = [];
});
afterEach(async () => {
  for (const item of opened.reverse()) await item.close();
  rmSync(home, { recursive: true, force: true });
});

function open() {
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(historyPath);
  const history = createHistoryStore(database, run);
  opened.push(run, database, history);
  return { run, database, history, removal: createRemoval(database, run) };
}

function engineOf(write = true): SearchEngine {
  const engine = createSearchEngine({ historyPath, indexPath, write });
  opened.push(engine);
  return engine;
}

const environment = (id: string) => Environment.parse({ id, name: id, baseUrl: 'https://p.example', platform: 1, partnerId: 2 });

function outgoing(
  body: string,
  change: { environmentId?: string; operation?: 'bet' | 'gameList'; sentAt?: number } = {},
): OutgoingCall {
  const { environmentId = 'e', operation = 'gameList', sentAt = 1_795_000_000_000 } = change;
  return someOutgoing({
    environment: environment(environmentId),
    draft: draftOf(environmentId, { operation, text: '{}' }),
    sentAt,
    headers: [['user-agent', 'Croupier/4.5.6']],
    body: Buffer.from(body),
  });
}

function outcome(body: string, code: number | null = 0): Outcome {
  return someOutcome(body, {
    response: { status: 200, headers: [['x-request-id', 'Req-77']], body: Buffer.from(body), truncated: false },
    code,
    message: null,
  });
}

async function record(history: HistoryStore, request: string, response = '{}', code: number | null = 0): Promise<number> {
  const id = await history.begin(outgoing(request));
  await history.finish(id, outcome(response, code));
  return id;
}

function indexAll(engine: SearchEngine): void {
  while (engine.index());
}

const query = (text: string, match: SearchQuery['match'] = 'anywhere', filter: CallFilter = {}): SearchQuery => ({
  text,
  match,
  filter,
  limit: 500,
});
const idsOf = (engine: SearchEngine, text: string, match: SearchQuery['match'] = 'anywhere', filter: CallFilter = {}) =>
  engine.search(query(text, match, filter)).calls.map(({ id }) => id);

describe('a search', () => {
  it('finds pieces, ids, words and beginnings in what was sent and received, before and after it is indexed', async () => {
    const { history } = open();
    const engine = engineOf();
    const long = await record(history, '{"roundId":9007199254740993,"player":"player-77"}');
    const near = await record(
      history,
      '{"roundId":9007199254740992,"url":"https:\\/\\/casino.example\\/lobby"}',
      '{"n":"Gr\\u00fc\\u00dfe an\\nalle"}',
    );
    const last = await record(
      history,
      '{"note":"100% a_b \\"quoted\\" (x OR y) NEAR* 幸運の女神 Ünï"}',
      '{"PLAYER":"Player-778"}',
    );
    const check = () => {
      expect(idsOf(engine, '9007199254740993')).toEqual([long]);
      expect(idsOf(engine, '9007199254740993', 'words')).toEqual([long]);
      expect(idsOf(engine, '900719925474099')).toEqual([near, long]);
      expect(idsOf(engine, '90071992', 'words')).toEqual([near, long]);
      expect(idsOf(engine, '"90071992"', 'words')).toEqual([]);
      expect(idsOf(engine, 'croupier/4.5.6')).toEqual([last, near, long]);
      expect(idsOf(engine, '"user-agent"', 'words')).toEqual([last, near, long]);
      expect(idsOf(engine, 'layer-7')).toEqual([last, long]);
      expect(idsOf(engine, 'player-77', 'words')).toEqual([last, long]);
      expect(idsOf(engine, '"player-77"', 'words')).toEqual([last, long]);
      expect(idsOf(engine, 'casino.example/lobby')).toEqual([near]);
      expect(idsOf(engine, 'casino.example\\/lobby')).toEqual([near]);
      expect(idsOf(engine, 'grüsse')).toEqual([]);
      expect(idsOf(engine, 'GRÜßE')).toEqual([near]);
      expect(idsOf(engine, 'Gr\\u00fc')).toEqual([near]);
      expect(idsOf(engine, 'alle grüße', 'words')).toEqual([near]);
      expect(idsOf(engine, '女神')).toEqual([last]);
      expect(idsOf(engine, 'の女神')).toEqual([last]);
      for (const text of ['100%', 'a_b', '\\"quoted\\"', '(x OR y)', 'NEAR*', 'üNÏ']) expect(idsOf(engine, text)).toEqual([last]);
      expect(idsOf(engine, 'req-77')).toEqual([last, near, long]);
      expect(idsOf(engine, 'nothing like it')).toEqual([]);
      expect(idsOf(engine, '" OR "')).toEqual([]);
      expect(idsOf(engine, '*')).toEqual([last]);
    };
    check();
    indexAll(engine);
    expect(engine.unindexed()).toBe(0);
    check();
  });

  it('agrees with a plain look at every call, on random texts, at every stage of the index', { timeout: 120_000 }, async () => {
    const { history } = open();
    const engine = engineOf();
    const pieces = [
      '"',
      '""',
      '%',
      '_',
      '\\',
      '\\/',
      '\\u00fc',
      'ü',
      'Ü',
      'ß',
      'İ',
      'Σ',
      'ς',
      '😀',
      '\u0000',
      'OR',
      'NOT',
      '*',
      '^',
      ':',
      '-',
      '(',
      ')',
      'AND',
      ' ',
      '\n',
      '9007199254740993',
      '9007199254740992',
      '00',
      '1',
      'ab',
      'AB',
      'a',
      'K',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
    const bodies = fc.sample(fc.tuple(text, text), { numRuns: 60, seed: 4 });
    for (const [request, response] of bodies) await record(history, request, `{"t":"${response}"}`);
    const wanted = fc.sample(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }), { numRuns: 120, seed: 5 });
    const texts = (id: number) => {
      const call = history.get(id);
      return [
        call.request.bodyText,
        Buffer.from(history.body(id)).toString(),
        call.url,
        call.draft.operation,
        '[["x-request-id","Req-77"]]',
      ];
    };
    const all = Array.from({ length: bodies.length }, (_, at) => bodies.length - at).map((id) => ({ id, texts: texts(id) }));
    const check = () => {
      for (const parts of wanted) {
        const one = parts.join('');
        const plain = all.filter(({ texts: given }) => anywhere(one).holds(given)).map(({ id }) => id);
        expect(idsOf(engine, one), JSON.stringify(one)).toEqual(plain);
        const needle = words(one) ?? anywhere(one);
        const worded = all.filter(({ texts: given }) => needle.holds(given)).map(({ id }) => id);
        expect(idsOf(engine, one, 'words'), JSON.stringify(one)).toEqual(worded);
        // An oracle that shares nothing: a text that is there letter by letter is always found.
        if (one.isWellFormed() && !one.includes('\u0000')) {
          const literal = all.filter(({ texts: given }) => given.some((text) => text.includes(one))).map(({ id }) => id);
          expect(plain).toEqual(expect.arrayContaining(literal));
        }
      }
    };
    check();
    engine.index();
    check();
    indexAll(engine);
    check();
  });

  it('pages by key without a gap, with the whole number or at least so many', async () => {
    const { history } = open();
    const engine = engineOf();
    for (let n = 0; n < 30; n += 1) await record(history, `{"n":${n},"word":"needle"}`);
    while (engine.unindexed() > 10 && engine.index());
    const seen: number[] = [];
    for (let before: number | undefined; ; before = seen.at(-1)) {
      const page = engine.search({ text: 'needle', match: 'words', filter: {}, limit: 7, before });
      expect(page).toMatchObject({ total: 30, totalIsExact: true });
      if (page.calls.length === 0) break;
      seen.push(...page.calls.map(({ id }) => id));
    }
    expect(seen).toEqual(Array.from({ length: 30 }, (_, at) => 30 - at));
    // Each search has a count of its own.
    const page = (text: string, match: SearchQuery['match'], filter: CallFilter, before?: number) =>
      engine.search({ text, match, filter, limit: 7, before }).total;
    const others = [page('needle', 'words', { codes: [8] }), page('1', 'words', {}), page('eedl', 'anywhere', {})];
    expect(others).toEqual([0, 1, 30]);
    expect([page('needle', 'words', {}, 20), page('1', 'words', {}, 20), page('needle', 'words', { codes: [8] }, 20)]).toEqual([
      30, 1, 0,
    ]);
  });

  it('counts no more calls than a page can wait for, and says where there may be more', async () => {
    const { history, database } = open();
    const engine = engineOf();
    const connection = database.connection();
    writeCalls(connection, 2_001);
    const counted = (change: Partial<SearchQuery>) => {
      const { calls, total, totalIsExact } = engine.search({ ...query('needle'), limit: 1, ...change });
      return [calls.map(({ id }) => id), total, totalIsExact];
    };
    connection.exec("UPDATE calls SET url = 'needle' WHERE id = 2001");
    expect(counted({})).toEqual([[2_001], 1, true]);
    const newest = await record(history, 'needle');
    connection.exec("UPDATE calls SET url = 'u' WHERE id = 2001");
    expect(counted({})).toEqual([[newest], 1, false]);
    // By the index, and by a filter alone.
    indexAll(engine);
    expect(counted({})).toEqual([[newest], 1, true]);
    expect(counted({ text: 'bet', match: 'words' })).toEqual([[2_001], 1_000, false]);
    connection.exec('DELETE FROM calls WHERE id BETWEEN 999 AND 2001');
    expect(counted({ text: 'bet', match: 'words' })).toEqual([[998], 998, true]);
    const { text: _text, ...without } = query('');
    const filtered = (filter: CallFilter) => {
      const { calls, total, totalIsExact } = engine.search({ ...without, filter });
      return [calls.length, total, totalIsExact];
    };
    expect(filtered({ states: ['answered'] })).toEqual([500, 999, true]);
    connection.exec('UPDATE calls SET sent_at = 1000 + id');
    expect(filtered({ until: 1_051 })).toEqual([50, 50, true]);
    await record(history, 'one more');
    expect(filtered({ states: ['answered'] })).toEqual([500, 1_000, false]);
    writeCalls(connection, 100);
    connection.exec('UPDATE calls SET sent_at = 1000 + id');
    // Of the newest thousand none is so old.
    expect(filtered({ until: 1_051 })).toEqual([50, 50, false]);
  });

  it('reads a bounded number of calls at once, says where it goes on, and keeps nobody waiting', async () => {
    const { history } = open();
    const engine = engineOf();
    const make = async (n: number) => record(history, `{"n":${n},"word":"${n === 30 ? 'needle' : 'hay'}"}`, '{}', n % 2);
    for (let n = 0; n < 2_600; n += 200) await Promise.all(Array.from({ length: 200 }, (_, at) => make(n + at)));
    const ask = (text: string, before?: number, filter: CallFilter = {}) =>
      engine.search({ text, match: 'anywhere', filter, limit: 100, before });
    const search = (text: string, filter: CallFilter = {}) => {
      const found: number[] = [];
      const parts: number[] = [];
      for (let page = ask(text, undefined, filter); ; page = ask(text, page.rest.before, filter)) {
        found.push(...page.calls.map(({ id }) => id));
        if (page.rest === null) return { found, parts };
        expect(page.totalIsExact).toBe(false);
        parts.push(page.rest.looked);
        // A question is answered at once: an earlier search reads nothing more.
        expect(ask('', undefined, { codes: [1] }).calls).toHaveLength(100);
        expect(ask('hay').calls).toHaveLength(100);
      }
    };
    expect(search('needle')).toEqual({ found: [31], parts: [1_000, 1_000] });
    expect(search('nowhere')).toEqual({ found: [], parts: [1_000, 1_000] });
    // Half of them keep to the filter.
    expect(search('needle', { codes: [0] })).toEqual({ found: [31], parts: [2_000] });
    engine.index();
    expect(search('needle')).toEqual({ found: [31], parts: [1_000, 1_000] });
    indexAll(engine);
    expect(search('needle')).toEqual({ found: [31], parts: [] });
    expect(search('needle', { codes: [0] })).toEqual({ found: [31], parts: [] });
  });

  it('goes through long bodies in steps of a bounded number of bytes', async () => {
    const { history } = open();
    const engine = engineOf();
    for (let n = 0; n < 12; n += 1) await record(history, '{}', `"${'x'.repeat(1_000_000)}"`);
    const ask = (text: string, limit: number) => engine.search({ text, match: 'anywhere', filter: {}, limit });
    expect(ask('nowhere', 10).rest).toMatchObject({ looked: 4, before: 9 });
    expect(ask('xxx', 10)).toMatchObject({
      calls: [12, 11, 10, 9].map((id) => ({ id })),
      totalIsExact: false,
      rest: { looked: 4, before: 9 },
    });
    // So is counting the calls beyond the page.
    expect(ask('xxx', 1)).toMatchObject({ total: 8, totalIsExact: false, rest: null });
    // The index takes bounded steps, too, and goes on until the last call.
    expect(engine.index()).toBe(true);
    expect(engine.unindexed()).toBeGreaterThan(0);
    indexAll(engine);
    expect(engine.unindexed()).toBe(0);
  });

  it('keeps to every filter, with a text and without', async () => {
    const { history, removal } = open();
    const engine = engineOf();
    const make = async (change: Parameters<typeof outgoing>[1], code: number | null) => {
      const id = await history.begin(outgoing('{"same":"text"}', change));
      await history.finish(id, outcome('{}', code));
      return id;
    };
    const one = await make({ environmentId: 'a', operation: 'bet', sentAt: 1_000 }, 0);
    const two = await make({ environmentId: 'b', sentAt: 2_000 }, 8);
    const three = await make({ environmentId: 'b', operation: 'bet', sentAt: 3_000 }, null);
    const four = await history.begin(outgoing('{"same":"text"}', { sentAt: 4_000 }));
    removal.pin(two, true);
    removal.note(three, 'Ask the PROVIDER about it');
    const cases: [CallFilter, number[]][] = [
      [{ operations: ['bet'] }, [three, one]],
      [{ operations: ['bet', 'gameList'], environmentIds: ['b'] }, [three, two]],
      [{ environmentIds: ['a', 'b'] }, [three, two, one]],
      [{ codes: [8] }, [two]],
      [{ codes: [0, 8] }, [two, one]],
      [{ outcomes: ['accepted'] }, [one]],
      [{ outcomes: ['refused', 'uncoded'] }, [three, two]],
      [{ outcomes: ['pending'] }, [four]],
      [{ states: ['answered'] }, [three, two, one]],
      [{ since: 2_000, until: 4_000 }, [three, two]],
      [{ pinned: true }, [two]],
      [{ pinned: false }, [four, three, one]],
      [{ runs: [history.run] }, [four, three, two, one]],
      [{ runs: ['other'] }, []],
    ];
    const check = () => {
      for (const [filter, expected] of cases) {
        for (const text of ['', 'same'])
          expect(idsOf(engine, text, 'anywhere', filter), JSON.stringify(filter)).toEqual(expected);
        expect(engine.search(query('', 'words', filter))).toMatchObject({ total: expected.length, totalIsExact: true });
      }
      expect(idsOf(engine, 'the provider')).toEqual([three]);
    };
    check();
    indexAll(engine);
    check();
    // A note that says it again finds its call once, with an outcome and without.
    for (const id of [one, three, four]) removal.note(id, 'the same');
    expect(idsOf(engine, 'same')).toEqual([four, three, two, one]);
    expect(idsOf(engine, 'the same')).toEqual([four, three, one]);
    expect(engine.search({ ...query('the same'), limit: 2, before: four })).toMatchObject({
      calls: [{ id: three }, { id: one }],
      total: 3,
    });
    removal.remove([two]);
    expect(idsOf(engine, 'same')).toEqual([four, three, one]);
    expect(idsOf(engine, '', 'anywhere', { pinned: true })).toEqual([]);
    removal.restore([two]);
    expect(idsOf(engine, 'same')).toEqual([four, three, two, one]);
  });

  it('says from where on a short text was looked for', async () => {
    const { history, database } = open();
    const engine = engineOf();
    history.settle();
    expect(engine.search(query('zz'))).toMatchObject({ calls: [], searchedFrom: null, rest: null });
    const first = await record(history, 'zz');
    expect(engine.search(query('zz'))).toMatchObject({ calls: [{ id: first }], searchedFrom: null, rest: null });
    database.connection().exec("UPDATE sqlite_sequence SET seq = 30000 WHERE name = 'calls'");
    const last = await record(history, 'zz');
    expect(engine.search(query('zz'))).toMatchObject({ calls: [{ id: last }], searchedFrom: last - 19_999 });
    expect(idsOf(engine, 'zz"').length + idsOf(engine, 'gameList').length).toBe(2);
    expect(first).toBe(1);
  });
});

describe('the index', () => {
  it('waits for the outcome of a call that is pending', async () => {
    const { history } = open();
    const engine = engineOf();
    const slow = await history.begin(outgoing('slow'));
    const quick = await record(history, 'quick');
    indexAll(engine);
    // It is behind the other one.
    expect(engine.unindexed()).toBe(2);
    expect(idsOf(engine, 'slow')).toEqual([slow]);
    expect(idsOf(engine, 'quick', 'words')).toEqual([quick]);
    await history.finish(slow, outcome('late answer'));
    expect(idsOf(engine, 'late')).toEqual([slow]);
    indexAll(engine);
    expect(engine.unindexed()).toBe(0);
    expect(idsOf(engine, 'late')).toEqual([slow]);
    expect(idsOf(engine, 'quick')).toEqual([quick]);
    // A note that says what a call says that waits finds it once, also behind all others.
    const { history: later, removal } = open();
    const oldest = await later.begin(outgoing('waits'));
    const others = [await record(later, 'waits'), await record(later, 'waits')];
    indexAll(engine);
    removal.note(oldest, 'waits long');
    expect(engine.search(query('waits'))).toMatchObject({
      calls: [others[1], others[0], oldest].map((id) => ({ id })),
      total: 3,
    });
    await later.finish(oldest, outcome('{}'));
    // One that never left waits no more, and many that come late are taken up in batches.
    const withdrawn = await history.begin(outgoing('withdrawn'));
    const pending = await Promise.all(Array.from({ length: 150 }, (_, n) => history.begin(outgoing(`late ${n}`))));
    indexAll(engine);
    expect(engine.unindexed()).toBe(151);
    await history.withdraw(withdrawn);
    await Promise.all(pending.map((id) => history.finish(id, outcome('{}'))));
    indexAll(engine);
    expect(engine.unindexed()).toBe(0);
    expect(idsOf(engine, 'late', 'words')).toHaveLength(151);
  });

  it('is shared by two programs, which index each call once', async () => {
    const { history } = open();
    const [one, two] = [engineOf(), engineOf()];
    for (let n = 0; n < 250; n += 1) await record(history, `number ${n}`);
    while (one.index() || two.index());
    for (const engine of [one, two]) {
      expect(engine.unindexed()).toBe(0);
      expect(idsOf(engine, 'number')).toHaveLength(250);
    }
  });

  it('is not made by a program that may not write it, which finds everything all the same', async () => {
    const { history } = open();
    const id = await record(history, 'needle');
    const engine = engineOf(false);
    expect(idsOf(engine, 'needle')).toEqual([id]);
    expect(statSync(indexPath, { throwIfNoEntry: false })).toBeUndefined();
    indexAll(engineOf());
    const reading = engineOf(false);
    expect(idsOf(reading, 'needle', 'words')).toEqual([id]);
    expect(reading.unindexed()).toBe(0);
  });

  it.each([
    ['text', () => writeFileSync(indexPath, 'no database at all, and long enough to be looked at'.repeat(50))],
    ['nothing', () => writeFileSync(indexPath, '')],
  ])('that holds %s is made again', async (_, damage) => {
    const { history } = open();
    const id = await record(history, 'needle');
    const first = createSearchEngine({ historyPath, indexPath, write: true });
    indexAll(first);
    first.close();
    for (const suffix of ['-wal', '-shm']) rmSync(indexPath + suffix, { force: true });
    damage();
    const engine = engineOf();
    expect(idsOf(engine, 'needle')).toEqual([id]);
    indexAll(engine);
    expect(engine.unindexed()).toBe(0);
    expect(idsOf(engine, 'needle', 'words')).toEqual([id]);
  });

  it('of another history, or of a newer copy of this one, is not believed', async () => {
    const first = open();
    await record(first.history, 'one');
    const old = first.database.connection();
    old.exec(`VACUUM INTO '${join(home, 'backup.sqlite')}'`);
    for (const text of ['two', 'three', 'four']) await record(first.history, text);
    const engine = createSearchEngine({ historyPath, indexPath, write: true });
    indexAll(engine);
    engine.close();
    for (const item of opened.splice(0).reverse()) await item.close();
    rmSync(historyPath);
    historyPath = join(home, 'backup.sqlite');
    const second = open();
    const id = await record(second.history, 'fresh');
    const again = engineOf();
    expect(idsOf(again, 'fresh')).toEqual([id]);
    indexAll(again);
    expect(again.unindexed()).toBe(0);
    expect(idsOf(again, 'fresh', 'words')).toEqual([id]);
    expect(idsOf(again, 'two')).toEqual([]);
  });

  it('is read newest first, with the notes in it', async () => {
    const { history, database, removal } = open();
    const engine = engineOf();
    const ids: number[] = [];
    for (const seq of [0, 100_004, 400_000]) {
      if (seq > 0) database.connection().exec(`UPDATE sqlite_sequence SET seq = ${seq} WHERE name = 'calls'`);
      for (let n = 0; n < 12; n += 1) ids.unshift(await record(history, `needle number ${seq}-${n}`));
    }
    const readAll = () => {
      for (const [text, match] of [
        ['needle', 'words'],
        ['eedl', 'anywhere'],
      ] as const) {
        const seen: number[] = [];
        for (let before: number | undefined; ; before = seen.at(-1)) {
          const page = engine.search({ text, match, filter: {}, limit: 5, before });
          expect(page.total).toBe(36);
          if (page.calls.length === 0) break;
          seen.push(...page.calls.map(({ id }) => id));
        }
        expect(seen).toEqual(ids);
      }
      expect(idsOf(engine, 'needle 100004', 'words')).toEqual(ids.slice(12, 24));
    };
    readAll();
    indexAll(engine);
    readAll();
    removal.note(ids[20] ?? 0, 'a needle in a note');
    const filtered = engine.search({ text: 'needle', match: 'words', filter: { codes: [0] }, limit: 20 });
    expect(filtered).toMatchObject({ calls: ids.slice(0, 20).map((id) => ({ id })), total: 36, totalIsExact: true, rest: null });
    // A program that begins in the middle counts by itself.
    const later = engineOf().search({ text: 'needle', match: 'words', filter: {}, limit: 5, before: ids[20] });
    expect(later).toMatchObject({ calls: ids.slice(21, 26).map((id) => ({ id })), total: 36, totalIsExact: true });
    const laterFiltered = engineOf().search({
      text: 'needle',
      match: 'words',
      filter: { codes: [0] },
      limit: 5,
      before: ids[20],
    });
    expect(laterFiltered).toMatchObject({ calls: ids.slice(21, 26).map((id) => ({ id })), total: 36, totalIsExact: true });
  });

  it('finds what holds a rare word and a common one, and any of many words that begin alike', async () => {
    const { history, database } = open();
    const engine = engineOf();
    const insert = database
      .connection()
      .prepare(
        'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes) ' +
          "VALUES ('e', 'e', 'bet', ?, 1, 'answered', 'r', 1)",
      );
    database.connection().exec('BEGIN');
    for (let n = 0; n < 310; n += 1) insert.run(`common-${n}`);
    database.connection().exec('COMMIT');
    const both = await record(history, 'common rare');
    await record(history, 'rare alone');
    const other = await record(history, 'commonly rarest');
    indexAll(engine);
    expect(idsOf(engine, 'common rare', 'words')).toEqual([other, both]);
    expect(idsOf(engine, '"common" "rare"', 'words')).toEqual([both]);
    expect(engine.search(query('"common" "rare"', 'words'))).toMatchObject({ total: 1, totalIsExact: true });
    // Two words that are both rare, or both common.
    expect(idsOf(engine, 'alone rare', 'words')).toHaveLength(1);
    expect(idsOf(engine, 'common bet', 'words')).toHaveLength(310);
    for (let n = 0; n < 20; n += 1) await record(history, `beginning${n} x`);
    indexAll(engine);
    expect(idsOf(engine, 'beginning', 'words')).toHaveLength(20);
    expect(idsOf(engine, 'beginning1', 'words')).toHaveLength(11);
    expect(idsOf(engine, 'beginnings', 'words')).toEqual([]);
    expect(idsOf(engine, 'beginnings x', 'words')).toEqual([]);
  });

  it('that is damaged is left as it is by a program that may not write it, which reads each call', async () => {
    const { history } = open();
    const id = await record(history, 'needle');
    const damaged = 'no database at all, and long enough to be looked at'.repeat(50);
    writeFileSync(indexPath, damaged);
    const engine = engineOf(false);
    expect(idsOf(engine, 'needle')).toEqual([id]);
    expect(engine.unindexed()).toBe(1);
    expect(readdirSync(home).filter((name) => name.startsWith('history-index'))).toEqual(['history-index.sqlite']);
    expect(readFileSync(indexPath, 'utf8')).toBe(damaged);
  });

  it('releases calls that were removed', async () => {
    const { history, removal } = open();
    const engine = engineOf();
    for (let n = 0; n < 20; n += 1) await record(history, 'needle');
    indexAll(engine);
    expect(removal.purge(Array.from({ length: 15 }, (_, at) => at + 1))).toBe(15);
    expect(idsOf(engine, 'needle')).toEqual([20, 19, 18, 17, 16]);
    while (engine.sweep());
    engine.close();
    const index = new DatabaseSync(indexPath, { readOnly: true });
    expect(index.prepare("SELECT count(*) AS n FROM words WHERE words MATCH 'needle'").get()).toEqual({ n: 5 });
    expect(index.prepare('SELECT count(*) AS n FROM pieces WHERE pieces MATCH \'"nee"\'').get()).toEqual({ n: 5 });
    index.close();
  });
});

describe('the search thread', () => {
  const program = fileURLToPath(new URL('./search-worker.ts', import.meta.url));

  function start(worker: string) {
    const faults: unknown[] = [];
    const planned: (() => void)[] = [];
    const search = createSearch({
      historyPath,
      indexPath,
      worker,
      later(work) {
        planned.push(work);
        return () => undefined;
      },
      onDamage: (message) => faults.push(message),
      onRecovered: () => undefined,
      onFault: (error) => faults.push(error),
    });
    opened.push(search);
    return { search, faults, run: () => planned.splice(0).forEach((work) => work()) };
  }

  it('searches at once and indexes what it is told of', async () => {
    const { history } = open();
    const id = await record(history, 'needle');
    const { search, faults, run } = start(program);
    expect((await search.search(query('needle'))).calls).toMatchObject([{ id }]);
    search.touch();
    search.touch();
    run();
    await vi.waitFor(async () => expect(await search.unindexed()).toBe(0));
    expect((await search.search(query('needle', 'words'))).calls).toMatchObject([{ id }]);
    search.check(true);
    expect(await search.erase('all')).toEqual({ blocked: [], stopped: false });
    expect(await search.unindexed()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('that does not end by itself is ended', async () => {
    open();
    const mute = join(home, 'mute.mjs');
    writeFileSync(
      mute,
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => undefined); parentPort.postMessage({ id: 0, value: null });",
    );
    const { search } = start(mute);
    const asked = search.search(query('needle'));
    asked.catch(() => undefined);
    await search.close();
    await expect(asked).rejects.toMatchObject({
      code: 'storage',
      message: 'The search ended unexpectedly. Search again.',
    });
  });

  it('that cannot be started is done without', async () => {
    const { history } = open();
    const id = await record(history, 'needle');
    const { search, faults } = start(join(home, 'no-such-program.js'));
    expect((await search.search(query('needle'))).calls).toMatchObject([{ id }]);
    expect(faults).toHaveLength(1);
    expect((await search.search(query('need', 'words'))).calls).toMatchObject([{ id }]);
    expect(faults).toHaveLength(1);
  });
});

it('folds letters of either case into one text, character by character', () => {
  expect(fold('GRÜßE Σίσυφος ΣΊΣΥΦΟΣ \u212a \u0000')).toBe('grüße σίσυφοσ σίσυφοσ \u212a \ufffd');
});
