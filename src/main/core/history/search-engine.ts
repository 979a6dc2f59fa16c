import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CallFilter, CallPage, CallSummary, TextMatch } from '#shared/ipc/index.ts';
import { summaryColumns, toBuffer, toSummary } from '../calls/history-rows.ts';
import {
  assertFits,
  dropShard,
  goneIn,
  isDamage,
  makeShard,
  mergeAway,
  mergeFullShard,
  openIndex,
  removeIndex,
  shardOf,
  shardsOf,
  shardStart,
  wordsFrom,
  type IndexFile,
} from './index-file.ts';
import { conditionOf, type Condition } from './list-query.ts';
import { anywhere, expressionOf, indexed, words, type Needle, type Part, type SearchTexts } from './search-text.ts';

export interface SearchQuery {
  /** The id of the last row already shown. */
  readonly before?: number | undefined;
  readonly limit: number;
  readonly text?: string | undefined;
  readonly match: TextMatch;
  readonly filter: CallFilter;
}

/** Searches one history with its index; used by one thread. */
export interface SearchEngine {
  search(query: SearchQuery): CallPage;
  /** Adds the outcome of a batch of calls to the index, or tidies it; gives back whether there is more to do. */
  index(): boolean;
  /** Takes some calls that are gone from the history out of the index, `fresh` from the first one on; gives back whether there is more to do. */
  sweep(fresh: boolean): boolean;
  /** Merges away the words of calls that were taken out of the index, where they are so many; gives back whether there is more to do. */
  mergeAway(least: number): boolean;
  /** Writes the file of the index anew. */
  rewrite(): void;
  /** Calls that were taken out of the index and whose words still stand in its file. */
  gone(): number;
  /** Calls that are not indexed. */
  unindexed(): number;
  close(): void;
}

export interface EngineOptions {
  readonly historyPath: string;
  readonly indexPath: string;
  /** False: searches with the index that is there and never writes one. */
  readonly write: boolean;
}

const batchCalls = 100;
const batchBytes = 2_000_000;
const sweepCalls = 5_000;
/** Taking one out of the index takes longer than seeing that it is there. */
const sweepGone = 400;
/** Among how many of the newest calls a text is looked for that is too short for the index. */
const shortReach = 20_000;
/** How far matches are counted beyond the page, and how many rows may be read for that. */
const countReach = 1_000;
const countReads = 2_000;
/** A word that fewer calls have is rare. */
const rareCalls = 300;
/** So many words are looked for one by one in place of their common beginning. */
const fewWords = 16;
/** How many rows are looked at to count those that keep to a filter. */
const plainCountReach = 1_000;

const sentColumns = 'c.url, c.operation, c.message, q.headers AS request_headers, q.body AS request_body';
const receivedColumns = 'r.headers AS response_headers, r.body AS response_body';
const requests = 'LEFT JOIN h.call_requests q ON q.call_id = c.id';
const responses = 'LEFT JOIN h.call_responses r ON r.call_id = c.id';

type Row = Record<string, unknown>;

export function createSearchEngine({ historyPath, indexPath, write }: EngineOptions): SearchEngine {
  let file: IndexFile | null = null;
  let swept = 0;
  let counted: { key: string; total: number; exact: boolean } | null = null;

  /** An index that turns out to be broken or of another history is thrown away and begun again; the search still answers. */
  function inFiles<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: (connection: DatabaseSync) => T): T {
    for (let attempt = 0; ; attempt += 1) {
      try {
        file ??= openIndex(historyPath, indexPath, write);
        return inTransaction(file.connection, begin, work);
      } catch (error) {
        if (!isDamage(error)) throw error;
        file?.close();
        file = null;
        if (attempt > 0) throw error;
        if (write) removeIndex(indexPath);
        // Without the right to make one, an empty index in memory stands in for it.
        else file = openIndex(historyPath, `${indexPath}.none`, false);
      }
    }
  }

  function find(connection: DatabaseSync, query: SearchQuery): CallPage {
    const { text = '', match, filter, limit, before } = query;
    const condition = conditionOf(filter);
    if (text === '') return plainPage(connection, condition, before ?? Number.MAX_SAFE_INTEGER, limit);
    const needle = match === 'words' ? (words(text) ?? anywhere(text)) : anywhere(text);
    const key = JSON.stringify([text, match, filter]);
    const fromTop = before === undefined;
    const page = look(candidates(connection, needle, condition, before ?? Number.MAX_SAFE_INTEGER), needle, limit, fromTop);
    if (fromTop) counted = { key, ...page };
    else if (counted?.key !== key) {
      counted = { key, ...look(candidates(connection, needle, condition, Number.MAX_SAFE_INTEGER), needle, 0, true) };
    }
    return {
      calls: page.calls,
      total: counted?.total ?? 0,
      totalIsExact: counted?.exact ?? true,
      searchedFrom: needle.parts.length === 0 ? leftOutBelow(connection) : null,
    };
  }

  return {
    search: (query) => inFiles('BEGIN', (connection) => find(connection, query)),
    index: () =>
      write &&
      inFiles('BEGIN IMMEDIATE', (connection) => indexBatch(connection) || mergeFullShard(connection, newestOf(connection))),
    sweep(fresh) {
      if (!write) return false;
      if (fresh) swept = 0;
      swept = inFiles('BEGIN IMMEDIATE', (connection) => sweepBatch(connection, swept));
      return swept > 0;
    },
    mergeAway: (least) => write && inFiles('BEGIN IMMEDIATE', (connection) => mergeAway(connection, least)),
    rewrite() {
      file?.connection.exec('VACUUM main');
    },
    gone: () => inFiles('BEGIN', goneIn),
    unindexed: () =>
      inFiles('BEGIN', (connection) =>
        Number(
          connection
            .prepare(
              'SELECT (SELECT count(*) FROM h.calls WHERE id > (SELECT newest FROM main.marks)) + (SELECT count(*) FROM main.waiting) AS n',
            )
            .get()?.['n'],
        ),
      ),
    close() {
      file?.close();
      file = null;
    },
  };
}

function plainPage(connection: DatabaseSync, condition: Condition, before: number, limit: number): CallPage {
  const { sql, values, driver, rest } = condition;
  const rows = connection
    .prepare(`SELECT ${summaryColumns} FROM h.calls c WHERE c.id < ?${sql} ORDER BY c.id DESC LIMIT ?`)
    .all(before, ...values, limit);
  const counting =
    `SELECT count(*) AS seen, total(fits) AS fitting FROM (SELECT (1${rest.sql}) AS fits FROM h.calls c WHERE 1${driver.sql} ` +
    `ORDER BY c.id DESC LIMIT ${plainCountReach})`;
  const counted = connection.prepare(counting).get(...rest.values, ...driver.values);
  return {
    calls: rows.map(toSummary),
    total: Math.max(Number(counted?.['fitting']), rows.length),
    totalIsExact: Number(counted?.['seen']) < plainCountReach,
    searchedFrom: null,
  };
}

interface Candidate {
  readonly id: number;
  /** That the index knows it for a match; the others have to be read. */
  readonly sure: boolean;
  holds(needle: Needle): boolean;
  summary(): CallSummary;
}

/** The first matches, and with `counting` how many there are, as far as that can be said without reading much. */
function look(found: Iterable<Candidate>, needle: Needle, limit: number, counting: boolean) {
  const calls: CallSummary[] = [];
  let total = 0;
  let reads = 0;
  for (const candidate of found) {
    const full = calls.length === limit;
    if (full && (!counting || total >= countReach || reads >= countReads)) return { calls, total, exact: false };
    if (!candidate.sure) {
      if (full) reads += 1;
      if (!candidate.holds(needle)) continue;
    }
    total += 1;
    if (!full) calls.push(candidate.summary());
  }
  return { calls, total, exact: true };
}

/** Every call that may match and keeps to the condition, newest first: of the index, and all that are not indexed. */
function* candidates(connection: DatabaseSync, needle: Needle, { sql, values }: Condition, before: number): Generator<Candidate> {
  const summary = connection.prepare(`SELECT ${summaryColumns} FROM h.calls c WHERE c.id = ?`);
  const sent = connection.prepare(`SELECT ${sentColumns} FROM h.calls c ${requests} WHERE c.id = ?`);
  const received = connection.prepare(`SELECT ${receivedColumns} FROM h.call_responses r WHERE r.call_id = ?`);
  const candidate = (id: number, sure: boolean): Candidate => ({
    id,
    sure,
    holds(wanted) {
      const texts = textsOf(sent.get(id) ?? {});
      // What the index proposes mostly holds it, so that the answer, elsewhere on the disk, need not be read.
      if (wanted.parts.length > 0 && wanted.holds(texts)) return true;
      return wanted.holds([...texts, ...textsOf(received.get(id) ?? {})]);
    },
    summary: () => toSummary(summary.get(id) ?? {}),
  });
  const unsure = (row: Row) => candidate(Number(row['id']), false);
  const scan = `SELECT c.id FROM h.calls c WHERE c.id < ?${sql}`;
  if (needle.parts.length === 0) {
    yield* map(
      connection.prepare(`${scan} AND c.id >= ? ORDER BY c.id DESC`).iterate(before, ...values, shortFrom(connection)),
      unsure,
    );
    return;
  }

  function* proposed(): Generator<Candidate> {
    for (const shard of shardsOf(connection)) {
      if (shardStart(shard) >= before) continue;
      const table = `${needle.table}_${shard}`;
      const written = needle.parts.map((part) => writtenOut(connection, shard, part)).filter((one) => one !== null);
      // A word that no call of this shard has: nothing here fits all of them.
      if (written.length < needle.parts.length) continue;
      const { expressions, sure } = narrowed(connection, needle, written, table);
      const query = connection.prepare(
        `SELECT ${table}.rowid AS id FROM main.${table} CROSS JOIN h.calls c ON c.id = ${table}.rowid ` +
          `WHERE ${table} MATCH ? AND ${table}.rowid < ?${sql} ORDER BY ${table}.rowid DESC`,
      );
      // FTS5 takes the limit for its own only as an integer.
      yield* map(query.iterate(expressions.join(' AND '), BigInt(before), ...values), (row) =>
        candidate(Number(row['id']), sure),
      );
    }
  }

  const newest = newestOf(connection);
  const unindexed = connection.prepare(`${scan} AND c.id > ? ORDER BY c.id DESC`).iterate(before, ...values, newest);
  // Few: calls that had no outcome when they were looked at, and the user's own notes, which need no index.
  const waiting = connection.prepare(`${scan} AND c.id <= ? AND c.id IN (SELECT call_id FROM main.waiting)`);
  const noted = connection.prepare(`${scan} AND c.id IN (SELECT value FROM json_each(?))`);
  const beside = [
    ...waiting.all(before, ...values, newest).map(unsure),
    ...noted.all(before, ...values, JSON.stringify(notedIds(connection, needle))).map(({ id }) => candidate(Number(id), true)),
  ].sort((one, other) => other.id - one.id);
  yield* merged(chain(map(unindexed, unsure), proposed()), beside);
}

/** Newest first, each call once; where the same call comes twice, the one that is sure of it. */
function* merged(main: Generator<Candidate>, beside: readonly Candidate[]): Generator<Candidate> {
  const rest = [...beside];
  const sure = new Set(beside.filter((one) => one.sure).map(({ id }) => id));
  let last = Number.POSITIVE_INFINITY;
  for (const candidate of main) {
    for (let next = rest[0]; next !== undefined && next.id >= candidate.id; next = rest[0]) {
      rest.shift();
      if (next.id === last || (!next.sure && sure.has(next.id))) continue;
      last = next.id;
      yield next;
    }
    if (candidate.id === last) continue;
    last = candidate.id;
    yield candidate;
  }
  for (const candidate of rest) {
    if (candidate.id === last || (!candidate.sure && sure.has(candidate.id))) continue;
    last = candidate.id;
    yield candidate;
  }
}

function* chain<T>(...parts: readonly Iterable<T>[]): Generator<T> {
  for (const part of parts) yield* part;
}

function* map<A, B>(items: Iterable<A>, to: (item: A) => B): Generator<B> {
  for (const item of items) yield to(item);
}

/** What a search looks at, of the columns that were read: everything that was sent and received. */
function textsOf(row: Row): SearchTexts {
  const bodies = [row['request_body'], row['response_body']].filter((one) => one instanceof Uint8Array);
  const others = [row['url'], row['operation'], row['message'], row['request_headers'], row['response_headers']];
  return [...bodies.map((one) => toBuffer(one).toString()), ...others.filter((one) => typeof one === 'string')];
}

/** A part as an FTS5 expression, a beginning as the words that begin so where they are few. Null where there is none. */
function writtenOut(connection: DatabaseSync, shard: number, part: Part): string | null {
  const found = part.prefix ? wordsFrom(connection, shard, part.text, fewWords) : null;
  if (found === null) return expressionOf(part);
  return found.length === 0 ? null : `(${found.map((text) => expressionOf({ text, prefix: false })).join(' OR ')})`;
}

/**
 * Where one word is rare, the common ones are left to the check of what it brings: reading their long lists beside it takes longer than
 * reading a few calls.
 */
function narrowed(
  connection: DatabaseSync,
  needle: Needle,
  expressions: readonly string[],
  table: string,
): { expressions: readonly string[]; sure: boolean } {
  const all = { expressions, sure: needle.sure };
  if (needle.table !== 'words' || expressions.length < 2) return all;
  const probe = connection.prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM main.${table} WHERE ${table} MATCH ? LIMIT ?)`);
  const rare = expressions.filter((one) => Number(probe.get(one, rareCalls)?.['n']) < rareCalls);
  return rare.length === 0 || rare.length === expressions.length ? all : { expressions: rare, sure: false };
}

/** Calls whose note holds it. */
function notedIds(connection: DatabaseSync, needle: Needle): number[] {
  const rows = connection.prepare("SELECT id, note FROM h.calls c WHERE note <> ''").all();
  return rows.filter(({ note }) => needle.holds([String(note)])).map(({ id }) => Number(id));
}

function newestOf(connection: DatabaseSync): number {
  return Number(connection.prepare('SELECT newest FROM main.marks').get()?.['newest']);
}

function shortFrom(connection: DatabaseSync): number {
  const row = connection.prepare('SELECT id FROM h.calls ORDER BY id DESC LIMIT 1 OFFSET 0').get();
  return Math.max(1, Number(row?.['id'] ?? 0) - shortReach + 1);
}

/** The oldest call that a short text is looked for in; null where there is none before it. */
function leftOutBelow(connection: DatabaseSync): number | null {
  const from = shortFrom(connection);
  const older = connection.prepare('SELECT 1 FROM h.calls WHERE id < ? AND deleted_by IS NULL LIMIT 1').get(from);
  return older === undefined ? null : from;
}

function inTransaction<T>(connection: DatabaseSync, begin: string, work: (connection: DatabaseSync) => T): T {
  // One view of the index and the history for the whole of the work.
  connection.exec(begin);
  try {
    assertFits(connection);
    const result = work(connection);
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Indexes what has an outcome, and remembers what has none yet. All of it in one transaction, so that a kill loses no entry. */
function indexBatch(connection: DatabaseSync): boolean {
  const select = `SELECT c.id, c.state, c.sent_at, c.run, ${sentColumns}, ${receivedColumns} FROM h.calls c ${requests} ${responses}`;
  const writers = new Map<number, { pieces: StatementSync; words: StatementSync }>();
  const writerOf = (shard: number) => {
    const known = writers.get(shard);
    if (known !== undefined) return known;
    makeShard(connection, shard);
    const into = (table: string) =>
      connection.prepare(`INSERT OR REPLACE INTO main.${table}_${shard} (rowid, text) VALUES (?, ?)`);
    const made = { pieces: into('pieces'), words: into('words') };
    writers.set(shard, made);
    return made;
  };
  const wait = connection.prepare('INSERT OR IGNORE INTO main.waiting VALUES (?)');
  const settle = connection.prepare('DELETE FROM main.waiting WHERE call_id = ?');
  const put = (row: Row) => {
    const { text, words: found } = indexed(textsOf(row));
    const id = Number(row['id']);
    const writer = writerOf(shardOf(id));
    writer.pieces.run(id, text);
    writer.words.run(id, found);
    return text.length;
  };
  connection.exec('DELETE FROM main.waiting WHERE call_id NOT IN (SELECT id FROM h.calls)');
  const settled = connection
    .prepare(`${select} WHERE c.state <> 'pending' AND c.id IN (SELECT call_id FROM main.waiting) LIMIT ${batchCalls}`)
    .all();
  for (const row of settled) {
    put(row);
    settle.run(Number(row['id']));
  }
  let last: Row | null = null;
  let calls = 0;
  let bytes = 0;
  const next = connection.prepare(`${select} WHERE c.id > ? ORDER BY c.id LIMIT ${batchCalls}`);
  for (const row of next.iterate(newestOf(connection))) {
    if (row['state'] === 'pending') wait.run(Number(row['id']));
    else bytes += put(row);
    last = row;
    calls += 1;
    if (bytes > batchBytes) break;
  }
  if (last !== null) {
    connection
      .prepare('UPDATE main.marks SET newest = ?, newest_sent_at = ?, newest_run = ?')
      .run(Number(last['id']), Number(last['sent_at']), String(last['run']));
  }
  return calls === batchCalls || bytes > batchBytes || settled.length === batchCalls;
}

/** Gives back the entry to go on after, 0 at the end. */
function sweepBatch(connection: DatabaseSync, from: number): number {
  const shards = shardsOf(connection).reverse();
  const shard = shards.find((one) => shardStart(one + 1) > from + 1);
  if (shard === undefined) return 0;
  const ids = connection
    .prepare(`SELECT id FROM main.words_${shard}_docsize WHERE id > ? ORDER BY id LIMIT ?`)
    .all(from, sweepCalls)
    .map(({ id }) => Number(id));
  const gone = connection
    .prepare('SELECT value AS id FROM json_each(?) WHERE value NOT IN (SELECT id FROM h.calls) ORDER BY value LIMIT ?')
    .all(JSON.stringify(ids), sweepGone);
  const drop = ['pieces', 'words'].map((table) => connection.prepare(`DELETE FROM main.${table}_${shard} WHERE rowid = ?`));
  for (const { id } of gone) for (const statement of drop) statement.run(Number(id));
  if (gone.length > 0) connection.prepare('UPDATE main.shards SET gone = gone + ? WHERE number = ?').run(gone.length, shard);
  const last = gone.at(-1)?.['id'];
  if (gone.length === sweepGone) return Number(last);
  if (ids.length === sweepCalls) return ids.at(-1) ?? 0;
  const empty = connection.prepare(`SELECT 1 FROM main.words_${shard}_docsize LIMIT 1`).get() === undefined;
  if (empty && shard < shardOf(newestOf(connection))) dropShard(connection, shard);
  return shard === shards.at(-1) ? 0 : shardStart(shard + 1) - 1;
}
