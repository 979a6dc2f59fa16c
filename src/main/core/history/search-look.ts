import type { DatabaseSync } from 'node:sqlite';
import type { CallFilter, CallPage, CallSummary, TextMatch } from '#shared/ipc/index.ts';
import { onlyRow } from '../database/only-row.ts';
import { summaryColumns, toBuffer, toSummary } from './rows.ts';
import { shardOf, shardsOf, shardStart, wordsFrom } from './index-file.ts';
import { conditionOf, type Condition } from './list-query.ts';
import { anywhere, expressionOf, words, type Needle, type Part, type SearchTexts } from './search-text.ts';

export interface SearchQuery {
  /** The ID of the last row already shown. */
  readonly before?: number | undefined;
  readonly limit: number;
  readonly text?: string | undefined;
  readonly match: TextMatch;
  readonly filter: CallFilter;
}

/** Number of the newest calls in which a text is searched that is too short for the index. */
const shortReach = 20_000;
/** Most matches to count beyond the page, and most rows to read for that. */
const countReach = 1_000;
const countReads = 2_000;
/** Number of calls below which a word is rare. */
const rareCalls = 300;
/** Number of words up to which they are searched one by one in place of their common beginning. */
const fewWords = 16;
/** Most rows to read for counting matches of a filter. */
const plainCountReach = 1_000;

export const sentColumns = 'c.url, c.operation, c.message, q.headers AS request_headers, q.body AS request_body';
export const receivedColumns = 'r.headers AS response_headers, r.body AS response_body, r.raw';
export const requests = 'LEFT JOIN h.call_requests q ON q.call_id = c.id';
export const responses = 'LEFT JOIN h.call_responses r ON r.call_id = c.id';

export type Row = Record<string, unknown>;

/** Most calls that one part of a search reads without an index, before the page is full: some tens of milliseconds. */
const lookReads = 1_000;
const lookBytes = 4_000_000;
/** The same with the bytes read to count the matches beyond the page. */
const countBytes = 8_000_000;
/** Number of calls without an index entry among which one look searches for those that keep to a filter. */
const lookCalls = 20_000;
/** Number of searches whose counts are remembered. */
const mostCounts = 8;

/** Number of calls that match. */
interface Count {
  readonly total: number;
  /** False if there may be more. */
  readonly exact: boolean;
}

/**
 * Creates the look of an engine, which remembers the numbers of the last searches. A look goes down from a call until its page is
 * full or it has read enough: then `rest` of its page is the position of the next look. So no other question waits for the end of a
 * search, and a search that nobody wants any more ends by itself.
 */
export function createLook(): (connection: DatabaseSync, query: SearchQuery) => CallPage {
  const counts = new Map<string, Count>();

  function remember(key: string, count: Count): Count {
    counts.delete(key);
    counts.set(key, count);
    for (const oldest of counts.keys()) if (counts.size > mostCounts) counts.delete(oldest);
    return count;
  }

  return (connection, { text = '', match, filter, limit, before }) => {
    const condition = conditionOf(filter);
    const top = before ?? Number.MAX_SAFE_INTEGER;
    if (text === '') return plainPage(connection, condition, top, limit);
    const needle = match === 'words' ? (words(text) ?? anywhere(text)) : anywhere(text);
    const key = JSON.stringify([text, match, filter]);
    const narrowed = Object.values(filter).some((value) => value !== undefined);
    const floorFrom = (from: number) => (narrowed && needle.parts.length > 0 ? floorOf(connection, from) : 0);
    const floor = floorFrom(top);
    const { calls, total, exact, stoppedAt } = look(connection, needle, condition, {
      top,
      floor,
      limit,
      counting: before === undefined,
    });
    const end = calls.length === limit ? null : (stoppedAt ?? (floor > 0 ? floor : null));
    /** As the first page counts. */
    const countAgain = (): Count => {
      const highest = Number.MAX_SAFE_INTEGER;
      const lowest = floorFrom(highest);
      const found = look(connection, needle, condition, { top: highest, floor: lowest, limit: 0, counting: true });
      return { total: found.total, exact: found.exact && lowest === 0 };
    };
    const count =
      before === undefined
        ? remember(key, { total, exact: exact && floor === 0 })
        : (counts.get(key) ?? remember(key, countAgain()));
    return {
      calls,
      total: count.total,
      totalIsExact: count.exact,
      searchedFrom: needle.parts.length === 0 ? leftOutBelow(connection) : null,
      rest: end === null ? null : { before: end, looked: callsBetween(connection, end, top), of: 0 },
    };
  };
}

/**
 * Returns the call at which a look with a filter ends: that of one shard of the index, or after so many calls that are not indexed;
 * 0 if it goes to the end.
 */
function floorOf(connection: DatabaseSync, top: number): number {
  const newest = newestOf(connection);
  if (top <= newest + 1) return shardStart(shardOf(top - 1));
  const row = connection
    .prepare(`SELECT id FROM h.calls WHERE id < ? AND id > ? ORDER BY id DESC LIMIT 1 OFFSET ${lookCalls - 1}`)
    .get(top, newest);
  return Number(row?.['id'] ?? shardStart(shardOf(newest)));
}

/** Returns the number of calls from `from` on and below `top`. */
function callsBetween(connection: DatabaseSync, from: number, top: number): number {
  const sql = 'SELECT count(*) AS n FROM h.calls WHERE id >= ? AND id < ? AND deleted_by IS NULL';
  return Number(onlyRow(connection.prepare(sql), from, top)['n']);
}

function plainPage(connection: DatabaseSync, condition: Condition, before: number, limit: number): CallPage {
  const { sql, values, driver, rest } = condition;
  const rows = connection
    .prepare(`SELECT ${summaryColumns} FROM h.calls c WHERE c.id < ?${sql} ORDER BY c.id DESC LIMIT ?`)
    .all(before, ...values, limit);
  const counting =
    `SELECT count(*) AS seen, total(fits) AS fitting FROM (SELECT (1${rest.sql}) AS fits FROM h.calls c WHERE 1${driver.sql} ` +
    `ORDER BY c.id DESC LIMIT ${plainCountReach})`;
  const counted = onlyRow(connection.prepare(counting), ...rest.values, ...driver.values);
  return {
    calls: rows.map(toSummary),
    total: Math.max(Number(counted['fitting']), rows.length),
    totalIsExact: Number(counted['seen']) < plainCountReach,
    searchedFrom: null,
    rest: null,
  };
}

interface Candidate {
  readonly id: number;
  /** True if the index alone proves the match; the others have to be read. */
  readonly sure: boolean;
  holds(needle: Needle): boolean;
  summary(): CallSummary;
}

interface Reach {
  /** Only calls below it. */
  readonly top: number;
  /** Only calls from it on. */
  readonly floor: number;
  readonly limit: number;
  /** True to count the matches beyond the page, as far as that takes little reading. */
  readonly counting: boolean;
}

/** Returns the first matches; `stoppedAt`: the last call that was looked at, if there is more than one look may read. */
function look(connection: DatabaseSync, needle: Needle, condition: Condition, { top, floor, limit, counting }: Reach) {
  const calls: CallSummary[] = [];
  const read = { calls: 0, bytes: 0 };
  let total = 0;
  let counted = 0;
  for (const candidate of candidates(connection, needle, condition, { top, floor, read })) {
    const full = calls.length === limit;
    if (full && (!counting || total >= countReach || counted >= countReads || read.bytes >= countBytes))
      return { calls, total, exact: false, stoppedAt: null };
    if (!candidate.sure) {
      if (full) counted += 1;
      if (candidate.holds(needle)) total += 1;
      else if (full || !isEnough(read)) continue;
      else return { calls, total, exact: false, stoppedAt: candidate.id };
    } else total += 1;
    if (full) continue;
    calls.push(candidate.summary());
    if (calls.length < limit && isEnough(read)) return { calls, total, exact: false, stoppedAt: candidate.id };
  }
  return { calls, total, exact: true, stoppedAt: null };
}

function isEnough({ calls, bytes }: { calls: number; bytes: number }): boolean {
  return calls >= lookReads || bytes >= lookBytes;
}

/** Yields every call that may match and keeps to the condition, newest first: from the index, and all that are not indexed. */
function* candidates(
  connection: DatabaseSync,
  needle: Needle,
  { sql, values }: Condition,
  { top: before, floor, read }: Pick<Reach, 'top' | 'floor'> & { readonly read: { calls: number; bytes: number } },
): Generator<Candidate> {
  const summary = connection.prepare(`SELECT ${summaryColumns} FROM h.calls c WHERE c.id = ?`);
  const sent = connection.prepare(`SELECT ${sentColumns} FROM h.calls c ${requests} WHERE c.id = ?`);
  const received = connection.prepare(`SELECT ${receivedColumns} FROM h.call_responses r WHERE r.call_id = ?`);
  const counted = (texts: SearchTexts) => {
    for (const text of texts) read.bytes += text.length;
    return texts;
  };
  const candidate = (id: number, sure: boolean): Candidate => ({
    id,
    sure,
    holds(wanted) {
      const texts = counted(textsOf(sent.get(id) ?? {}));
      read.calls += 1;
      // The request mostly holds what the index proposes, so that the response, elsewhere on the disk, need not be read.
      if (wanted.parts.length > 0 && wanted.holds(texts)) return true;
      return wanted.holds([...texts, ...counted(textsOf(received.get(id) ?? {}))]);
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
      if (shardStart(shard) >= before || shardStart(shard + 1) <= floor) continue;
      const table = `${needle.table}_${shard}`;
      const written = needle.parts.map((part) => writtenOut(connection, shard, part)).filter((one) => one !== null);
      // A word that no call of this shard has: nothing here fits all of them.
      if (written.length < needle.parts.length) continue;
      const { expressions, sure } = narrowed(connection, needle, written, table);
      const query = connection.prepare(
        `SELECT ${table}.rowid AS id FROM main.${table} CROSS JOIN h.calls c ON c.id = ${table}.rowid ` +
          `WHERE ${table} MATCH ? AND ${table}.rowid < ? AND ${table}.rowid >= ?${sql} ORDER BY ${table}.rowid DESC`,
      );
      // FTS5 takes the limits for its own only as integers.
      yield* map(query.iterate(expressions.join(' AND '), BigInt(before), BigInt(floor), ...values), (row) =>
        candidate(Number(row['id']), sure),
      );
    }
  }

  const newest = newestOf(connection);
  const unindexed = connection
    .prepare(`${scan} AND c.id > ? ORDER BY c.id DESC`)
    .iterate(before, ...values, Math.max(newest, floor - 1));
  // Few: calls that had no outcome when they were looked at, and the user's own notes, which need no index.
  const waiting = connection.prepare(`${scan} AND c.id <= ? AND c.id IN (SELECT call_id FROM main.waiting)`);
  const noted = connection.prepare(`${scan} AND c.id IN (SELECT value FROM json_each(?))`);
  // A note proves the match of a call that waits, too.
  const beside = new Map([
    ...waiting.all(before, ...values, newest).map((row) => [Number(row['id']), false] as const),
    ...noted.all(before, ...values, JSON.stringify(notedIds(connection, needle))).map(({ id }) => [Number(id), true] as const),
  ]);
  const inOrder = [...beside]
    .filter(([id]) => id >= floor)
    .sort(([one], [other]) => other - one)
    .map(([id, sure]) => candidate(id, sure));
  yield* merged(chain(map(unindexed, unsure), proposed()), inOrder);
}

/** Merges both, newest first; of two for the same call, the one of `beside`. */
function* merged(main: Generator<Candidate>, beside: readonly Candidate[]): Generator<Candidate> {
  const rest = [...beside];
  let last = Number.POSITIVE_INFINITY;
  for (const one of main) {
    for (let next = rest[0]; next !== undefined && next.id >= one.id; next = rest[0]) {
      rest.shift();
      last = next.id;
      yield next;
    }
    if (one.id !== last) yield one;
  }
  yield* rest;
}

function* chain<T>(...parts: readonly Iterable<T>[]): Generator<T> {
  for (const part of parts) yield* part;
}

function* map<A, B>(items: Iterable<A>, to: (item: A) => B): Generator<B> {
  for (const item of items) yield to(item);
}

/** Returns the searched texts of a row: everything that was sent and received. */
export function textsOf(row: Row): SearchTexts {
  const bodies = [row['request_body'], row['response_body'], row['raw']].filter((one) => one instanceof Uint8Array);
  const others = [row['url'], row['operation'], row['message'], row['request_headers'], row['response_headers']];
  return [...bodies.map((one) => toBuffer(one).toString()), ...others.filter((one) => typeof one === 'string')];
}

/** Writes a part as an FTS5 expression, a beginning as the words with that beginning if they are few. Null if there are none. */
function writtenOut(connection: DatabaseSync, shard: number, part: Part): string | null {
  const found = part.prefix ? wordsFrom(connection, shard, part.text, fewWords) : null;
  if (found === null) return expressionOf(part);
  return found.length === 0 ? null : `(${found.map((text) => expressionOf({ text, prefix: false })).join(' OR ')})`;
}

/**
 * If one word is rare, drops the common ones, which are then checked in the calls that it finds: reading their long lists takes
 * longer than reading a few calls.
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
  const rare = expressions.filter((one) => Number(onlyRow(probe, one, rareCalls)['n']) < rareCalls);
  return rare.length === 0 || rare.length === expressions.length ? all : { expressions: rare, sure: false };
}

/** Returns the IDs of calls whose note holds it. */
function notedIds(connection: DatabaseSync, needle: Needle): number[] {
  const rows = connection.prepare("SELECT id, note FROM h.calls c WHERE note <> ''").all();
  return rows.filter(({ note }) => needle.holds([String(note)])).map(({ id }) => Number(id));
}

/** Returns the newest call that the index was updated for. */
export function newestOf(connection: DatabaseSync): number {
  return Number(onlyRow(connection.prepare('SELECT newest FROM main.marks'))['newest']);
}

function shortFrom(connection: DatabaseSync): number {
  const row = connection.prepare('SELECT id FROM h.calls ORDER BY id DESC LIMIT 1 OFFSET 0').get();
  return Math.max(1, Number(row?.['id'] ?? 0) - shortReach + 1);
}

/** Returns the oldest call that a short text is searched in; null if there is none before it. */
function leftOutBelow(connection: DatabaseSync): number | null {
  const from = shortFrom(connection);
  const older = connection.prepare('SELECT 1 FROM h.calls WHERE id < ? AND deleted_by IS NULL LIMIT 1').get(from);
  return older === undefined ? null : from;
}
