import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CallPage } from '#shared/ipc/index.ts';
import { onlyRow } from '../database/only-row.ts';
import { isShareable } from '../database/read-only.ts';
import {
  assertFits,
  drain,
  dropShard,
  giveBack,
  goneIn,
  isOfIndex,
  isReplaceable,
  keepsPages,
  makeShard,
  mergeAway,
  mayHoldWords,
  mergeFullShard,
  openIndex,
  removeIndex,
  rewriteIndex,
  shardOf,
  shardsOf,
  shardStart,
  type IndexFile,
} from './index-file.ts';
import {
  createLook,
  newestOf,
  receivedColumns,
  requests,
  responses,
  sentColumns,
  textsOf,
  type Row,
  type SearchQuery,
} from './search-look.ts';
import { indexed } from './search-text.ts';

export type { SearchQuery } from './search-look.ts';

/** Searches one history with its index; used by one thread. */
export interface SearchEngine {
  /** Takes one look, which reads a bounded number of calls: `CallPage.rest` is the position of the next one. */
  search(query: SearchQuery): CallPage;
  /** Adds the outcomes of a batch of calls to the index, or tidies it; returns whether there is more to do. */
  index(): boolean;
  /**
   * Takes some calls that are gone from the history out of the index, `fresh` from the first one on; returns whether there is more
   * to do.
   */
  sweep(fresh: boolean): boolean;
  /** Merges away the words of calls that were taken out of the index, if they are so many; returns whether there is more to do. */
  mergeAway(least: number): boolean;
  /**
   * Removes tables that are out of use and returns free pages to the disk, a little at a time; returns whether there is more to do.
   */
  shrink(): boolean;
  /**
   * Returns whether only rewriting takes everything that was removed out of the file, its words or its free pages; and the bytes of
   * the file.
   */
  holds(): { readonly words: boolean; readonly bytes: number };
  /** Writes the file of the index again, in one statement that nothing can stop. */
  rewrite(): void;
  /** Returns the number of calls that were taken out of the index and whose words are still in its file. */
  gone(): number;
  /** Returns the number of calls that are not indexed. */
  unindexed(): number;
  close(): void;
}

export interface EngineOptions {
  readonly historyPath: string;
  readonly indexPath: string;
  /** False: searches with the existing index and never writes one. */
  readonly write: boolean;
}

const batchCalls = 100;
const batchBytes = 2_000_000;
const sweepCalls = 5_000;
/** Number of calls that one step takes out: taking one out takes longer than checking that it is there. */
const sweepGone = 400;
export function createSearchEngine({ historyPath, indexPath, ...options }: EngineOptions): SearchEngine {
  // If nothing can be written, an index is neither kept nor created in memory: each call is read.
  const write = options.write && isShareable(historyPath);
  let file: IndexFile | null = null;
  let swept = 0;
  const search = createLook();

  /**
   * Does work on both files. An index that is broken, of another history, or not to be opened or written is thrown away and begun again, or a
   * search does without it: it always gets its result.
   */
  function inFiles<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: (connection: DatabaseSync) => T): T {
    for (let attempt = 0; ; attempt += 1) {
      try {
        file ??= openIndex(historyPath, indexPath, write);
        return inTransaction(file.connection, begin, work);
      } catch (error) {
        if (attempt > 0 || !isOfIndex(error)) throw error;
        file?.close();
        file = null;
        if (write && isReplaceable(error)) removeIndex(indexPath);
        else if (begin === 'BEGIN') return inNone(work);
        else throw error;
      }
    }
  }

  /** Does work on the history with an empty index in memory. */
  function inNone<T>(work: (connection: DatabaseSync) => T): T {
    const none = openIndex(historyPath, `${indexPath}.none`, false);
    // What writes none keeps this one: the other would be tried, and waited for, at every look.
    if (!write) file = none;
    try {
      return inTransaction(none.connection, 'BEGIN', work);
    } finally {
      if (write) none.close();
    }
  }

  return {
    search: (query) => inFiles('BEGIN', (connection) => search(connection, query)),
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
    shrink: () => write && inFiles('BEGIN IMMEDIATE', (connection) => drain(connection) || giveBack(connection)),
    holds: () =>
      inFiles('BEGIN', (connection) => ({
        words: mayHoldWords(connection) || keepsPages(connection),
        bytes: statSync(indexPath, { throwIfNoEntry: false })?.size ?? 0,
      })),
    rewrite() {
      if (write) rewriteIndex(inFiles('BEGIN', (connection) => connection));
    },
    gone: () => inFiles('BEGIN', goneIn),
    unindexed: () =>
      inFiles('BEGIN', (connection) =>
        Number(
          onlyRow(
            connection.prepare(
              'SELECT (SELECT count(*) FROM h.calls WHERE id > (SELECT newest FROM main.marks)) + (SELECT count(*) FROM main.waiting) AS n',
            ),
          )['n'],
        ),
      ),
    close() {
      file?.close();
      file = null;
    },
  };
}

function inTransaction<T>(connection: DatabaseSync, begin: string, work: (connection: DatabaseSync) => T): T {
  // One view of the index and the history for all of the work.
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

/** Indexes calls that have an outcome, and remembers those that have none yet. One transaction, so that a kill loses no entry. */
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

/** Sweeps a batch; returns the entry to go on after, 0 at the end. */
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
