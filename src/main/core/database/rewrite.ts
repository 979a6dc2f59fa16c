import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from '../files/disk-failures.ts';

/**
 * Number of bytes up to which a file is rewritten by itself: other writers wait meanwhile, for this size some tenths of a second.
 */
export const smallBytes = 32 * 1_048_576;

/**
 * Returns whether copies of removed rows may be in unused parts of pages: SQLite overwrites a row that is removed, but not its
 * position before a page was balanced, and earlier versions of Croupier overwrote nothing. Triggers and a migration keep the mark.
 */
export function mayHoldCopies(connection: DatabaseSync): boolean {
  return connection.prepare('SELECT erases FROM history_identity').get()?.['erases'] === 0;
}

/** Writes the whole file again if it may hold copies, with nothing in it but what SQL can read. Nobody else can write meanwhile. */
export function rewrite(connection: DatabaseSync): void {
  if (mayHoldCopies(connection)) rewriteWhole(connection);
}

/** Writes the whole file again in any case. From then on the file returns free pages. */
export function rewriteWhole(connection: DatabaseSync): void {
  // Changes when another connection writes, which may remove something before the mark is set.
  const version = () => Number(connection.prepare('PRAGMA data_version').get()?.['data_version']);
  const before = version();
  connection.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
  connection.exec('BEGIN IMMEDIATE');
  try {
    if (version() === before) connection.exec('UPDATE history_identity SET erases = 1');
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Number of pages of one step, some tens of milliseconds: calls are sent between two steps. */
const stepPages = 500;

/**
 * Returns some free pages of the file to the disk. Returns whether more can go: others may be held, or the file was created without
 * that.
 */
export function freeSome(connection: DatabaseSync): boolean {
  const before = freePages(connection);
  connection.exec(`PRAGMA incremental_vacuum(${stepPages})`);
  const left = freePages(connection);
  return left < before && left > 0;
}

export function freePages(connection: DatabaseSync): number {
  return Number(connection.prepare('PRAGMA freelist_count').get()?.['freelist_count']);
}

/** Rewrites a small file on a connection of its own. An obstacle leaves the file and its mark as they are. */
export function rewriteSmall(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size > smallBytes) return;
  const connection = new DatabaseSync(path, { timeout: 1_000 });
  try {
    connection.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY');
    rewrite(connection);
  } catch (error) {
    if (sqliteCode(error) === null) throw error;
  } finally {
    connection.close();
  }
}
