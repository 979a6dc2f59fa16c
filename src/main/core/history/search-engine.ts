import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import type { CallPage } from '#shared/ipc/index.ts';
import { onlyRow } from '../database/only-row.ts';
import { addressToRead, isShareable } from '../database/read-only.ts';
import { sqliteCode } from '../files/disk-failures.ts';
import { makePrivate } from '../files/private-file.ts';
import {
  createSearchStep,
  newestOf,
  receivedColumns,
  requests,
  responses,
  sentColumns,
  textsOf,
  type Row,
  type SearchQuery,
} from './search-step.ts';
import { indexed } from './search-text.ts';
import { rmSync } from '../files/moves.ts';

export type { SearchQuery } from './search-step.ts';

/** Searches one history with its index; used by one thread. */
export type SearchEngine = ReturnType<typeof createSearchEngine>;

/** Words of removed calls that the file of the index still holds. */
export interface HeldWords {
  /** Number of calls that were taken out and whose words are still in the index. */
  readonly gone: number;
  /** True if copies of words that were merged away may be in unused parts of pages: only rewriting takes those out. */
  readonly copies: boolean;
}

/** Paths of a history and its index. */
export interface HistoryFiles {
  readonly historyPath: string;
  readonly indexPath: string;
}

export interface EngineOptions extends HistoryFiles {
  /** False: searches with the existing index and never writes one. */
  readonly write: boolean;
}

/**
 * Version of the search index: a file beside the history that holds nothing of its own and can be thrown away at any time. It is
 * apart, so that building it never holds the lock that a call needs before it is sent. Contentless: it gives IDs, the history gives
 * the calls.
 */
const version = 7;
const tables = ['pieces', 'words'] as const;
// The words come prepared: whatever is not ASCII belongs to a word. FTS5 must not merge a piece by itself when many calls were
// taken out of it: it would do so in the middle of taking them out, all at once and again and again.
const schema = `
  CREATE TABLE marks (
    -- One row: the history this belongs to, the newest call that is indexed, and how to tell that call from another of its number.
    only INTEGER PRIMARY KEY CHECK (only = 1),
    history TEXT NOT NULL,
    newest INTEGER NOT NULL,
    newest_sent_at INTEGER NOT NULL,
    newest_run TEXT NOT NULL,
    -- Calls that were taken out of the index and whose words still stand in its pieces.
    gone INTEGER NOT NULL DEFAULT 0,
    -- 1: words were merged away since the file was last rewritten.
    copies INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE VIRTUAL TABLE pieces USING fts5 (text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
  CREATE VIRTUAL TABLE words USING fts5 (text, content='', contentless_delete=1, detail=none, tokenize='ascii');
  INSERT INTO pieces (pieces, rank) VALUES ('deletemerge', 0);
  INSERT INTO words (words, rank) VALUES ('deletemerge', 0);
  PRAGMA user_version = ${version};
`;

const batchCalls = 100;
const batchBytes = 2_000_000;
/** Number of calls that one step takes out. */
const sweepCalls = 400;
/** Number of pages of the index that one step of merging writes, some 20 ms of work, and that one step gives back. */
const mergePages = 200;
const freePages = 500;

export function createSearchEngine({ historyPath, indexPath, ...options }: EngineOptions) {
  // If nothing can be written, an index is neither kept nor created in memory: each call is read.
  const write = options.write && isShareable(historyPath);
  let file: DatabaseSync | null = null;
  const search = createSearchStep();

  /**
   * Does work on both files. An index that is broken, of another history, or not to be opened or written is thrown away and begun again, or a
   * search does without it: it always gets its result.
   */
  function inFiles<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: (connection: DatabaseSync) => T): T {
    for (let attempt = 0; ; attempt += 1) {
      try {
        file ??= openIndex(historyPath, indexPath, write);
        return inTransaction(file, begin, work);
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
    // What writes none keeps this one: the other would be tried, and waited for, at every step.
    if (!write) file = none;
    try {
      return inTransaction(none, 'BEGIN', work);
    } finally {
      if (write) none.close();
    }
  }

  /** Takes a step of keeping the index; false where it is not written. */
  const step = (work: (connection: DatabaseSync) => boolean) => write && inFiles('BEGIN IMMEDIATE', work);

  return {
    /** Takes one step, which reads a bounded number of calls: `CallPage.rest` is the position of the next one. */
    search: (query: SearchQuery): CallPage => inFiles('BEGIN', (connection) => search(connection, query)),
    /** Adds a batch of calls to the index, up to the first that has no outcome yet; returns whether there is more to do. */
    index: (): boolean => step(indexBatch),
    /** Takes some calls that are gone from the history out of the index; returns whether there may be more. */
    sweep: (): boolean => step(sweepBatch),
    /** Merges away the words of calls that were taken out of the index, if they are so many; returns whether there is more to do. */
    mergeAway: (least: number): boolean => step((connection) => mergeAway(connection, least)),
    /** Returns some free pages to the disk; returns whether there are more. */
    shrink: (): boolean =>
      step((connection) => {
        connection.exec(`PRAGMA main.incremental_vacuum(${freePages})`);
        return pragmaOf(connection, 'freelist_count') > 0;
      }),
    /** Returns what of removed calls is still in the file, and the bytes of the file. */
    holds: (): HeldWords & { readonly bytes: number } =>
      inFiles('BEGIN', (connection) => {
        const { gone, copies } = onlyRow(connection.prepare('SELECT gone, copies FROM main.marks'));
        const bytes = statSync(indexPath, { throwIfNoEntry: false })?.size ?? 0;
        return { gone: Number(gone), copies: copies === 1, bytes };
      }),
    /** Writes the file of the index again, in one statement that nothing can stop. */
    rewrite(): void {
      if (write) inFiles('BEGIN', (connection) => connection).exec('VACUUM main; UPDATE main.marks SET copies = 0');
    },
    /** Returns the number of calls that are not indexed. */
    unindexed: (): number =>
      inFiles('BEGIN', (connection) =>
        Number(onlyRow(connection.prepare('SELECT count(*) AS n FROM h.calls WHERE id > ?'), newestOf(connection))['n']),
      ),
    close(): void {
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

/** One transaction, so that a kill loses no entry. */
function indexBatch(connection: DatabaseSync): boolean {
  const [pieces, words] = tables.map((table) => connection.prepare(`INSERT INTO main.${table} (rowid, text) VALUES (?, ?)`));
  const next = connection.prepare(
    `SELECT c.id, c.state, c.sent_at, c.run, ${sentColumns}, ${receivedColumns} FROM h.calls c ${requests} ${responses} ` +
      `WHERE c.id > ? ORDER BY c.id LIMIT ${batchCalls}`,
  );
  let last: Row | null = null;
  let calls = 0;
  let bytes = 0;
  for (const row of next.iterate(newestOf(connection))) {
    // Those behind it wait as well, and searches read them.
    if (row['state'] === 'pending') break;
    const id = Number(row['id']);
    const { text, words: found } = indexed(textsOf(row));
    pieces?.run(id, text);
    words?.run(id, found);
    last = row;
    calls += 1;
    bytes += text.length;
    if (bytes > batchBytes) break;
  }
  if (last !== null) {
    connection
      .prepare('UPDATE main.marks SET newest = ?, newest_sent_at = ?, newest_run = ?')
      .run(Number(last['id']), Number(last['sent_at']), String(last['run']));
  }
  return calls === batchCalls || bytes > batchBytes;
}

function sweepBatch(connection: DatabaseSync): boolean {
  const gone = connection
    .prepare('SELECT id FROM main.words_docsize WHERE id NOT IN (SELECT id FROM h.calls) LIMIT ?')
    .all(sweepCalls);
  for (const table of tables) {
    const drop = connection.prepare(`DELETE FROM main.${table} WHERE rowid = ?`);
    for (const { id } of gone) drop.run(Number(id));
  }
  connection.prepare('UPDATE main.marks SET gone = gone + ?').run(gone.length);
  return gone.length === sweepCalls;
}

/**
 * Merges the tables if at least so many calls were taken out of them: a contentless table of FTS5 keeps the words of a deleted call,
 * even with FTS5's own secure-delete, until their pieces are rewritten.
 */
function mergeAway(connection: DatabaseSync, least: number): boolean {
  if (connection.prepare('SELECT 1 FROM main.marks WHERE gone >= ?').get(least) === undefined) return false;
  connection.exec(`UPDATE main.marks SET copies = 1${mergeSome(connection) ? '' : ', gone = 0'}`);
  return true;
}

/** Merges one table; returns whether there was something to merge. */
function mergeSome(connection: DatabaseSync): boolean {
  const changes = () => Number(onlyRow(connection.prepare('SELECT total_changes() AS n'))['n']);
  return tables.some((table) => {
    const before = changes();
    // A negative number: all pieces, not only those of one size, and also a single one that still has deleted calls.
    connection.prepare(`INSERT INTO main.${table} (${table}, rank) VALUES ('merge', ?)`).run(-mergePages);
    return changes() - before > 1;
  });
}

function pragmaOf(connection: DatabaseSync, name: string): number {
  return Number(onlyRow(connection.prepare(`PRAGMA main.${name}`))[name]);
}

/** Returns whether SQLite reports an index that another one may replace: broken, no database, or one that may not be written or opened. */
function isReplaceable(error: unknown): boolean {
  return [8, 11, 14, 26].includes(sqliteCode(error) ?? 0) || error instanceof StaleIndex;
}

/** Returns whether an error may be the index's: one of those, a lock, or a disk that is full or fails. */
function isOfIndex(error: unknown): boolean {
  return isReplaceable(error) || [5, 10, 13].includes(sqliteCode(error) ?? 0);
}

/** The index cannot belong to the history beside it any more. */
class StaleIndex extends Error {}

function removeIndex(indexPath: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(indexPath + suffix, { force: true });
}

/**
 * Opens the index at `indexPath` as `main`, or creates it, and the history, read only, as `h`. `write: false`: uses an existing one and
 * otherwise an empty one in memory. Fails as `isReplaceable` says for one that has to be created again.
 */
export function openIndex(historyPath: string, indexPath: string, write: boolean): DatabaseSync {
  let there = statSync(indexPath, { throwIfNoEntry: false });
  if (there?.isDirectory() === true)
    throw new AppError('storage', `The search index ${indexPath} is a folder. Move it away, and Croupier rebuilds the index.`);
  // A pipe or a device holds nothing of anybody.
  if (write && there !== undefined && !there.isFile()) {
    removeIndex(indexPath);
    there = undefined;
  }
  if (write && there === undefined) makePrivate(indexPath);
  const usable = write || (there !== undefined && isShareable(historyPath));
  const connection = new DatabaseSync(usable ? indexPath : ':memory:', { timeout: 5_000 });
  try {
    connection.exec(
      // Free pages go back to the disk; in an existing file this changes nothing.
      'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA trusted_schema = OFF; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; ' +
        'PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON',
    );
    connection.prepare('ATTACH ? AS h').run(addressToRead(historyPath));
    connection.exec('BEGIN IMMEDIATE');
    const found = pragmaOf(connection, 'user_version');
    if (found === 0) connection.exec(schema);
    else if (found !== version) throw new StaleIndex();
    connection
      .prepare(
        "INSERT OR IGNORE INTO marks (only, history, newest, newest_sent_at, newest_run) SELECT 1, token, 0, 0, '' FROM h.history_identity",
      )
      .run();
    connection.exec('COMMIT');
    assertFits(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Fails with `StaleIndex` if the history was exchanged, for another or for an older copy of itself, whose IDs mean other calls. */
function assertFits(connection: DatabaseSync): void {
  const { fits } = onlyRow(
    connection.prepare(
      `SELECT m.newest = 0 OR (
         m.history = (SELECT token FROM h.history_identity)
         AND m.newest <= (SELECT seq FROM h.sqlite_sequence WHERE name = 'calls')
         AND NOT EXISTS (SELECT 1 FROM h.calls c WHERE c.id = m.newest AND (c.sent_at <> m.newest_sent_at OR c.run <> m.newest_run))
       ) AS fits FROM main.marks m`,
    ),
  );
  if (fits !== 1) throw new StaleIndex();
}
