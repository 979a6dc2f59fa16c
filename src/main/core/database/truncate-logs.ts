import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { sqliteCode } from '../files/disk-failures.ts';
import { hasLog, isShareable } from './read-only.ts';

/**
 * Takes everything in the write-ahead log of `path` to the file and truncates the log: until then the log holds older pages, with
 * data that was removed since. Returns false if another program reads or writes just now. Waits for nobody.
 */
function truncateLog(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return true;
  // If nothing can be written the log stays as it is.
  if (!isShareable(path)) return !hasLog(path);
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    // The most of it while others may write.
    connection.exec('PRAGMA wal_checkpoint(PASSIVE)');
    return connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } catch (error) {
    if (sqliteCode(error) === 5) return false;
    throw error;
  } finally {
    connection.close();
  }
}

/** Tries after which a reader counts as holding the log. */
const tries = 10;
const betweenMs = 100;

/** Truncates the write-ahead logs of these databases; returns the logs that another program kept from it, none if all is done. */
export async function truncateLogs(paths: readonly string[]): Promise<string[]> {
  let left = paths.filter((path) => !truncateLog(path));
  for (let again = 1; again < tries && left.length > 0; again += 1) {
    await setTimeout(betweenMs);
    left = left.filter((path) => !truncateLog(path));
  }
  return left.map((path) => `${path}-wal`);
}
