import { rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import { sqliteCode } from '../files/disk-failures.ts';
import { onlyRow } from '../database/only-row.ts';
import { addressToRead, isShareable } from '../database/read-only.ts';
import { makePrivate } from '../files/private-file.ts';

/**
 * Version of the search index: a file beside the history that holds nothing of its own and can be thrown away at any time. It is
 * apart, so that building it never holds the lock that a call needs before it is sent. Contentless: it gives IDs, the history gives
 * the calls.
 */
const version = 6;
const schema = `
  CREATE TABLE marks (
    -- One row: the history this belongs to, the newest call that was looked at, and how to tell that call from another of its number.
    only INTEGER PRIMARY KEY CHECK (only = 1),
    history TEXT NOT NULL,
    newest INTEGER NOT NULL,
    newest_sent_at INTEGER NOT NULL,
    newest_run TEXT NOT NULL
  ) STRICT;
  -- Calls up to the newest one that had no outcome when they were looked at.
  CREATE TABLE waiting (call_id INTEGER PRIMARY KEY) STRICT;
  -- merged: no more calls come into it, and what was written in many pieces has become one.
  -- gone: calls that were taken out of it and whose words still stand in its pieces.
  CREATE TABLE shards (
    number INTEGER PRIMARY KEY,
    merged INTEGER NOT NULL DEFAULT 0,
    gone INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  PRAGMA user_version = ${version};
`;

/**
 * Number of calls of one shard, a stretch of IDs that share two FTS5 tables. A search reads the newest shard first and stops when
 * its page is full, so that a beginning that a million calls have costs no more than in the newest of them. A rare word is searched
 * in all of them, each with pages of its own to be read from the disk: so they are few.
 */
const shardCalls = 131_072;

export function shardOf(id: number): number {
  return Math.floor(id / shardCalls);
}

/** Returns the smallest ID of a shard. */
export function shardStart(shard: number): number {
  return shard * shardCalls;
}

/** Returns the shards, newest first. */
export function shardsOf(connection: DatabaseSync): number[] {
  const rows = connection.prepare('SELECT number FROM main.shards ORDER BY number DESC').all();
  return rows.map(({ number }) => Number(number));
}

/** Creates the tables of a shard if they are missing. */
export function makeShard(connection: DatabaseSync, shard: number): void {
  const known = connection.prepare('INSERT OR IGNORE INTO main.shards (number) VALUES (?)').run(shard);
  if (Number(known.changes) === 0) return;
  const options = "content='', contentless_delete=1, detail=none";
  // The words come prepared: whatever is not ASCII belongs to a word. FTS5 must not merge a piece by itself when many calls were
  // taken out of it: it would do so in the middle of taking them out, all at once and again and again.
  connection.exec(`
    CREATE VIRTUAL TABLE main.pieces_${shard} USING fts5 (text, ${options}, tokenize='trigram case_sensitive 1');
    CREATE VIRTUAL TABLE main.words_${shard} USING fts5 (text, ${options}, tokenize='ascii');
    INSERT INTO main.pieces_${shard} (pieces_${shard}, rank) VALUES ('deletemerge', 0);
    INSERT INTO main.words_${shard} (words_${shard}, rank) VALUES ('deletemerge', 0);
  `);
}

/** Number of pages of the index that one step of merging writes: some 20 ms of work. */
const mergePages = 200;

/**
 * Merges a full shard into one piece: FTS5 writes what comes in pieces and merges them bit by bit, and a look-up reads each of
 * them, from the disk if they are cold. Does one step; returns whether there is more to do.
 */
export function mergeFullShard(connection: DatabaseSync, newest: number): boolean {
  const found = connection
    .prepare('SELECT number FROM main.shards WHERE number < ? AND merged = 0 ORDER BY number DESC LIMIT 1')
    .get(shardOf(newest));
  if (found === undefined) return false;
  const number = Number(found['number']);
  if (!mergeSome(connection, number))
    connection.prepare('UPDATE main.shards SET merged = 1, gone = 0 WHERE number = ?').run(number);
  return true;
}

/** Merges one table; returns whether there was something to merge. */
function mergeSome(connection: DatabaseSync, number: number): boolean {
  const changes = () => Number(onlyRow(connection.prepare('SELECT total_changes() AS n'))['n']);
  for (const table of [`pieces_${number}`, `words_${number}`]) {
    const before = changes();
    // A negative number: all pieces, not only those of one size, and also a single one that still has deleted calls.
    connection.prepare(`INSERT INTO main.${table} (${table}, rank) VALUES ('merge', ?)`).run(-mergePages);
    if (changes() - before > 1) return true;
  }
  return false;
}

/**
 * Merges shards from which at least so many calls were taken out: a contentless table of FTS5 keeps the words of a deleted call,
 * even with FTS5's own secure-delete, until their pieces are rewritten. Does one step; returns whether there is more.
 */
export function mergeAway(connection: DatabaseSync, least: number): boolean {
  const found = connection.prepare('SELECT number FROM main.shards WHERE gone >= ? ORDER BY number LIMIT 1').get(least);
  if (found === undefined) return false;
  const number = Number(found['number']);
  if (!mergeSome(connection, number)) connection.prepare('UPDATE main.shards SET gone = 0 WHERE number = ?').run(number);
  connection.exec(`PRAGMA main.application_id = ${wordsLeft}`);
  return true;
}

/** Returns the number of calls that were taken out and whose words are still in the index. */
export function goneIn(connection: DatabaseSync): number {
  return Number(onlyRow(connection.prepare('SELECT total(gone) AS n FROM main.shards'))['n']);
}

/**
 * Returns the words of a shard that begin with `prefix`, up to `most`; null if there are more. Each is one look-up: FTS5 itself
 * reads all the calls of all of them before it gives the first.
 */
export function wordsFrom(connection: DatabaseSync, shard: number, prefix: string, most: number): string[] | null {
  connection.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms_${shard} USING fts5vocab(main, words_${shard}, 'instance')`);
  const next = connection.prepare(`SELECT term FROM temp.terms_${shard} WHERE term >= ? LIMIT 1`);
  const found: string[] = [];
  // The smallest text after a word is that word with U+0000 behind it.
  for (let from = prefix; ; from = `${found.at(-1)}\u0000`) {
    const term = next.get(from)?.['term'];
    if (typeof term !== 'string' || !term.startsWith(prefix)) return found;
    if (found.length === most) return null;
    found.push(term);
  }
}

/** Takes a shard out of use; `drain` removes its tables. */
export function dropShard(connection: DatabaseSync, shard: number): void {
  connection.exec(`DROP TABLE IF EXISTS temp.terms_${shard}`);
  connection.prepare('DELETE FROM main.shards WHERE number = ?').run(shard);
}

/** Number of rows of a shard's tables, each about a page, and pages of the file, that one step removes. */
const drainRows = 100;
const freePages = 500;

/**
 * Removes some of the tables of a shard that is out of use: dropping them whole would overwrite hundreds of megabytes with zeros in
 * one statement, which nothing can stop. Returns whether there is more to do.
 */
export function drain(connection: DatabaseSync): boolean {
  const found = connection
    .prepare(
      "SELECT name FROM main.sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%' AND (name GLOB 'pieces_[0-9]*' OR name GLOB 'words_[0-9]*') " +
        "AND CAST(substr(name, instr(name, '_') + 1) AS INTEGER) NOT IN (SELECT number FROM main.shards) LIMIT 1",
    )
    .get();
  if (found === undefined) return false;
  const name = String(found['name']);
  // The first ten rows describe the others: FTS5 reads them when it drops the table.
  for (const [part, condition] of [
    ['data', 'id > 10'],
    ['docsize', '1'],
  ]) {
    const rows = `SELECT rowid FROM main.${name}_${part} WHERE ${condition} LIMIT ${drainRows}`;
    const { changes } = connection.prepare(`DELETE FROM main.${name}_${part} WHERE rowid IN (${rows})`).run();
    if (Number(changes) > 0) return true;
  }
  connection.exec(`DROP TABLE main.${name}`);
  return true;
}

/**
 * Returns some of the file's free pages to the disk; returns whether there are more. A file of an earlier version returns none
 * before it is rewritten.
 */
export function giveBack(connection: DatabaseSync): boolean {
  if (pragmaOf(connection, 'auto_vacuum') !== 2 || pragmaOf(connection, 'freelist_count') === 0) return false;
  connection.exec(`PRAGMA main.incremental_vacuum(${freePages})`);
  return pragmaOf(connection, 'freelist_count') > 0;
}

/** Returns whether the file is of an earlier version, which keeps free pages. */
export function keepsPages(connection: DatabaseSync): boolean {
  return pragmaOf(connection, 'auto_vacuum') !== 2 && pragmaOf(connection, 'freelist_count') > 0;
}

/**
 * Returns whether copies of removed words may be in unused parts of pages: shards were merged since the file was last rewritten.
 */
export function mayHoldWords(connection: DatabaseSync): boolean {
  return pragmaOf(connection, 'application_id') === wordsLeft;
}

/**
 * Returns the same about a file that somebody else may be writing. A file that is missing, or cannot be read, holds nothing that
 * can be known.
 */
export function indexMayHoldWords(indexPath: string): boolean {
  if (statSync(indexPath, { throwIfNoEntry: false })?.isFile() !== true) return false;
  let connection: DatabaseSync | null = null;
  try {
    connection = new DatabaseSync(indexPath, { readOnly: true, timeout: 0 });
    return mayHoldWords(connection);
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}

/** Writes the file of the index again. */
export function rewriteIndex(connection: DatabaseSync): void {
  connection.exec('PRAGMA main.auto_vacuum = INCREMENTAL; VACUUM main; PRAGMA main.application_id = 0');
}

/** Flag in the file's header for `mayHoldWords`. */
const wordsLeft = 1;

function pragmaOf(connection: DatabaseSync, name: string): number {
  return Number(onlyRow(connection.prepare(`PRAGMA main.${name}`))[name]);
}

export interface IndexFile {
  /** The index as `main` and the history, read only, as `h`. */
  readonly connection: DatabaseSync;
  close(): void;
}

/** Returns whether SQLite reports an index that another one may replace: broken, no database, or one that may not be written or opened. */
export function isReplaceable(error: unknown): boolean {
  return [8, 11, 14, 26].includes(sqliteCode(error) ?? 0) || error instanceof StaleIndex;
}

/** Returns whether an error may be the index's: one of those, a lock, or a disk that is full or fails. */
export function isOfIndex(error: unknown): boolean {
  return isReplaceable(error) || [5, 10, 13].includes(sqliteCode(error) ?? 0);
}

/** The index cannot belong to the history beside it any more. */
class StaleIndex extends Error {}

export function removeIndex(indexPath: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(indexPath + suffix, { force: true });
}

/**
 * Opens the index at `indexPath`, or creates it, beside the history. `write: false`: uses an existing one and otherwise an empty one in memory.
 * Fails as `isReplaceable` says for one that has to be created again.
 */
export function openIndex(historyPath: string, indexPath: string, write: boolean): IndexFile {
  let there = statSync(indexPath, { throwIfNoEntry: false });
  if (there?.isDirectory() === true)
    throw new AppError('storage', `The search index ${indexPath} is a folder. Move it away: Croupier builds the index again.`);
  // A pipe or a device holds nothing of anybody.
  if (write && there !== undefined && !there.isFile()) {
    removeIndex(indexPath);
    there = undefined;
  }
  if (write && there === undefined) makePrivate(indexPath);
  const usable = write || (there !== undefined && isShareable(historyPath));
  // Not defensive: `drain` empties tables of FTS5.
  const connection = new DatabaseSync(usable ? indexPath : ':memory:', {
    timeout: 5_000,
    defensive: false,
  });
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
    connection.prepare("INSERT OR IGNORE INTO marks SELECT 1, token, 0, 0, '' FROM h.history_identity").run();
    connection.exec('COMMIT');
    assertFits(connection);
    return { connection, close: () => connection.close() };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Fails with `StaleIndex` if the history was exchanged, for another or for an older copy of itself, whose IDs mean other calls. */
export function assertFits(connection: DatabaseSync): void {
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
