import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import type { Compaction } from '#shared/ipc/index.ts';
import type { Database } from '../database/database.ts';
import { freePages, freeSome, rewriteWhole } from '../database/rewrite.ts';
import type { SessionLock } from '../files/session-lock.ts';
import type { Erased } from './erase.ts';
import { sizeOf } from './status.ts';

export interface CompactDeps {
  readonly database: Database;
  readonly indexPath: string;
  readonly run: Pick<SessionLock, 'hasOthers'>;
  /** Takes removed calls out of the index and returns its free pages. */
  readonly erase: (stop: AbortSignal) => Promise<Erased>;
}

/** Milliseconds between two steps, in which calls are sent. */
const betweenMs = 5;

/**
 * Returns the free space of the history's files to the disk now, a little at a time, also while other programs use them. If
 * stopped, it keeps what it has done. A file of a version that cannot shrink is rewritten, if no other program uses it. Fails with
 * `storage`.
 */
export async function compact(
  { database, indexPath, run, erase }: CompactDeps,
  onProgress: (done: number, total: number) => void,
  stop: AbortSignal,
): Promise<Compaction> {
  const sizes = () => ({
    database: sizeOf(database.path) + sizeOf(`${database.path}-wal`),
    index: sizeOf(indexPath) + sizeOf(`${indexPath}-wal`),
  });
  const read = (name: string) => database.run((connection) => Number(connection.prepare(`PRAGMA ${name}`).get()?.[name]));
  const before = sizes();
  const pageBytes = read('page_size');
  const total = database.run(freePages) * pageBytes;
  let left: string | null = null;
  if (read('auto_vacuum') === 0) {
    left = total === 0 ? null : await reasonNotToRewrite();
    if (left === null && total > 0) database.run(rewriteWhole);
  }
  for (let more = left === null && database.run(freePages) > 0; more && !stop.aborted;) {
    more = database.run(freeSome);
    onProgress(Math.max(0, total - database.run(freePages) * pageBytes), total);
    await setTimeout(betweenMs);
  }
  const { blocked, stopped } = stop.aborted ? { blocked: [], stopped: true } : await erase(stop);
  // A small file is rewritten with its removed calls, whoever uses it.
  if (left !== null && database.run(freePages) === 0) left = null;
  if (blocked.length > 0)
    left = `${blocked.join(' and ')} can't be truncated: another program is reading the history. Close it, then compact again.`;
  return { before, after: sizes(), cancelled: stopped, left };

  async function reasonNotToRewrite(): Promise<string | null> {
    const why = 'An earlier version of Croupier created this history. To free space, Croupier must rewrite it once.';
    if (run.hasOthers()) return `${why} Close every other copy of Croupier, then compact again.`;
    const { bavail, bsize } = await statfs(dirname(database.path));
    const needed = 2 * before.database;
    if (bavail * bsize >= needed) return null;
    return `${why} This needs ${Math.ceil(needed / 1_000_000).toLocaleString('en')} MB of free space. Free some, then compact again.`;
  }
}

/**
 * Compactions, one at a time, each with the ticket by which it is cancelled. Creates the compactions; `onEnd` is called when one is
 * over, whatever its result.
 */
export function createCompactions(deps: CompactDeps, onEnd: () => void) {
  let current: { readonly ticket: string; readonly stop: AbortController } | null = null;
  return {
    /** Fails with `conflict` while another one goes on, and as `compact` does. */
    async start(ticket: string, onProgress: (done: number, total: number) => void): Promise<Compaction> {
      if (current !== null)
        throw new AppError('conflict', "The history is already being compacted. Wait until it's done, or cancel it.");
      const stop = new AbortController();
      current = { ticket, stop };
      try {
        return await compact(deps, onProgress, stop.signal);
      } finally {
        current = null;
        onEnd();
      }
    },
    /** Cancels the one with the ticket; returns whether there was one. */
    cancel(ticket: string): boolean {
      const found = current?.ticket === ticket;
      if (found) current?.stop.abort();
      return found;
    },
    /** Stops the one that goes on. */
    stop: (): void => current?.stop.abort(),
  };
}
