import type { DatabaseSync } from 'node:sqlite';
import type { ParsedInput, CallPage, CallSummary } from '#shared/ipc/index.ts';
import { onlyRow } from '../database/only-row.ts';
import { summaryColumns, toBuffer, toSummary } from './rows.ts';
import { conditionOf, type Condition } from './list-query.ts';
import { anywhere, words, type Needle, type SearchTexts } from './search-text.ts';

/** A search of the history, or a page of all of it. */
export type SearchQuery = Readonly<Omit<ParsedInput<'calls.list'>, 'pack'>>;

/** Number of the newest calls in which a text is searched that is too short for the index. */
const shortReach = 20_000;
/** Most matches to count beyond the page, and most rows to read for that. */
const countReach = 1_000;
const countReads = 2_000;
/** Number of words up to which they are searched one by one in place of their common beginning. */
const fewWords = 16;
/** Most rows to read for counting matches of a filter. */
const plainCountReach = 1_000;

export const sentColumns =
  'c.url, c.operation, c.message, q.headers AS request_headers, q.body AS request_body, q.raw AS request_raw';
export const receivedColumns = 'r.headers AS response_headers, r.body AS response_body, r.raw';
export const requests = 'LEFT JOIN h.call_requests q ON q.call_id = c.id';
export const responses = 'LEFT JOIN h.call_responses r ON r.call_id = c.id';

export type Row = Record<string, unknown>;

/** Most calls that one part of a search reads without an index, before the page is full: some tens of milliseconds. */
const stepReads = 1_000;
const stepBytes = 4_000_000;
/** The same with the bytes read to count the matches beyond the page. */
const countBytes = 8_000_000;

/** Number of calls that match. */
interface Count {
  readonly total: number;
  /** False if there may be more. */
  readonly exact: boolean;
}

/**
 * Creates the search of an engine, which remembers the numbers of the last ones. Each step goes down from a call until its page is
 * full or it has read enough: then `rest` of its page is the position of the next step. So no other question waits for the end of a
 * search, and a search that nobody wants any more ends by itself.
 */
export function createSearchStep(): (connection: DatabaseSync, query: SearchQuery) => CallPage {
  /** The number of the last search, for its next pages. */
  let counted: Count & { readonly key: string } = { key: '', total: 0, exact: false };

  return (connection, { text = '', match, filter, limit, before }) => {
    const condition = conditionOf(filter);
    const top = before ?? Number.MAX_SAFE_INTEGER;
    if (text === '') return plainPage(connection, condition, top, limit);
    const needle = match === 'words' ? (words(text) ?? anywhere(text)) : anywhere(text);
    const key = JSON.stringify([text, match, filter]);
    const { calls, total, exact, stoppedAt } = takeStep(connection, needle, condition, {
      top,
      limit,
      counting: before === undefined,
    });
    if (before === undefined) counted = { key, total, exact };
    else if (counted.key !== key) {
      const all = takeStep(connection, needle, condition, { top: Number.MAX_SAFE_INTEGER, limit: 0, counting: true });
      counted = { key, total: all.total, exact: all.exact };
    }
    return {
      calls,
      total: counted.total,
      totalIsExact: counted.exact,
      searchedFrom: needle.expression === '' ? leftOutBelow(connection) : null,
      rest: stoppedAt === null ? null : { before: stoppedAt, looked: callsBetween(connection, stoppedAt, top), of: 0 },
    };
  };
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

interface Reach {
  /** Only calls below it. */
  readonly top: number;
  readonly limit: number;
  /** True to count the matches beyond the page, as far as that takes little reading. */
  readonly counting: boolean;
}

/** Returns the first matches; `stoppedAt`: the last call that was read, if there is more than one step may read. */
function takeStep(connection: DatabaseSync, needle: Needle, condition: Condition, { top, limit, counting }: Reach) {
  const summary = connection.prepare(`SELECT ${summaryColumns} FROM h.calls c WHERE c.id = ?`);
  const sent = connection.prepare(`SELECT ${sentColumns} FROM h.calls c ${requests} WHERE c.id = ?`);
  const received = connection.prepare(`SELECT ${receivedColumns} FROM h.call_responses r WHERE r.call_id = ?`);
  const calls: CallSummary[] = [];
  const read = { calls: 0, bytes: 0 };
  let total = 0;
  let counted = 0;
  const textsIn = (from: typeof sent, id: number) => {
    const texts = textsOf(from.get(id) ?? {});
    for (const text of texts) read.bytes += text.length;
    return texts;
  };
  const holds = (id: number) => {
    const texts = textsIn(sent, id);
    read.calls += 1;
    // The request mostly holds what the index proposes, so that the response, elsewhere on the disk, need not be read.
    return (needle.expression !== '' && needle.holds(texts)) || needle.holds([...texts, ...textsIn(received, id)]);
  };
  const isEnough = () => read.calls >= stepReads || read.bytes >= stepBytes;
  for (const { id, isSure } of candidates(connection, needle, condition, top)) {
    const full = calls.length === limit;
    if (full && (!counting || total >= countReach || counted >= countReads || read.bytes >= countBytes))
      return { calls, total, exact: false, stoppedAt: null };
    if (!isSure && full) counted += 1;
    if (isSure || holds(id)) {
      total += 1;
      if (!full) calls.push(toSummary(summary.get(id) ?? {}));
    }
    if (calls.length < limit && isEnough()) return { calls, total, exact: false, stoppedAt: id };
  }
  return { calls, total, exact: true, stoppedAt: null };
}

/** Yields every call that may match and keeps to the condition, newest first: from the index, and all that are not indexed. */
function* candidates(
  connection: DatabaseSync,
  needle: Needle,
  { sql, values }: Condition,
  top: number,
): Generator<{
  readonly id: number;
  /** True if the index or a note proves the match; the others have to be read. */
  readonly isSure: boolean;
}> {
  const { table, expression } = needle;
  const isShort = expression === '';
  const newest = newestOf(connection);
  const noted = isShort ? [] : notedIds(connection, needle);
  const proven = new Set(noted);
  const below = (id: string) => `${id} < ?${sql}`;
  // FTS5 takes a limit for its own only as an integer.
  const limits = [BigInt(top), ...values];
  const parts = [`SELECT c.id FROM h.calls c WHERE c.id >= ? AND ${below('c.id')}`];
  const given = [isShort ? shortFrom(connection) : newest + 1, ...limits];
  if (!isShort) {
    // The user's own notes are few and need no index.
    parts.push(`SELECT c.id FROM h.calls c WHERE c.id IN (SELECT value FROM json_each(?)) AND ${below('c.id')}`);
    parts.push(
      `SELECT ${table}.rowid FROM main.${table} CROSS JOIN h.calls c ON c.id = ${table}.rowid ` +
        `WHERE ${table} MATCH ? AND ${below(`${table}.rowid`)}`,
    );
    given.push(JSON.stringify(noted), ...limits, table === 'words' ? writtenOut(connection, expression) : expression, ...limits);
  }
  for (const row of connection.prepare(`${parts.join(' UNION ')} ORDER BY 1 DESC`).iterate(...given)) {
    const id = Number(row['id']);
    yield { id, isSure: proven.has(id) || (needle.sure && id <= newest) };
  }
}

/**
 * Writes the beginnings of words out as the words that have them, if those are few: FTS5 reads the calls of all of them before it gives
 * the first.
 */
function writtenOut(connection: DatabaseSync, expression: string): string {
  connection.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, words, 'instance')");
  const next = connection.prepare('SELECT term FROM temp.terms WHERE term >= ? LIMIT 1');
  return expression.replaceAll(/"([^"]+)"\*/g, (all, beginning: string) => {
    const found: string[] = [];
    // The smallest text after a word is that word with U+0000 behind it.
    for (let from = beginning; found.length <= fewWords; from = `${found.at(-1)}\u0000`) {
      const term = next.get(from)?.['term'];
      if (typeof term !== 'string' || !term.startsWith(beginning))
        return found.length === 0 ? all : `("${found.join('" OR "')}")`;
      found.push(term);
    }
    return all;
  });
}

/** Returns the searched texts of a row: everything that was sent and received. */
export function textsOf(row: Row): SearchTexts {
  const bodies = [row['request_body'], row['request_raw'], row['response_body'], row['raw']].filter(
    (one) => one instanceof Uint8Array,
  );
  const others = [row['url'], row['operation'], row['message'], row['request_headers'], row['response_headers']];
  return [...bodies.map((one) => toBuffer(one).toString()), ...others.filter((one) => typeof one === 'string')];
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
  const { newest } = onlyRow(connection.prepare('SELECT coalesce(max(id), 0) AS newest FROM h.calls'));
  return Math.max(1, Number(newest) - shortReach + 1);
}

/** Returns the oldest call that a short text is searched in; null if there is none before it. */
function leftOutBelow(connection: DatabaseSync): number | null {
  const from = shortFrom(connection);
  const older = connection.prepare('SELECT 1 FROM h.calls WHERE id < ? AND deleted_by IS NULL LIMIT 1').get(from);
  return older === undefined ? null : from;
}
