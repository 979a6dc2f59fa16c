import { statSync } from 'node:fs';
import { AppError } from '#shared/errors.ts';
import type { HistoryStatus } from '#shared/ipc/index.ts';
import type { Database } from '../database/database.ts';
import { mayHoldCopies, smallBytes } from '../database/rewrite.ts';
import { listSetAside } from '../database/set-aside.ts';
import { stateOfFailure } from '../files/disk-failures.ts';
import type { Maintenance } from './maintenance.ts';
import type { RetentionRule } from './retention.ts';
import type { Search } from './search.ts';
import type { HistoryStore } from './store.ts';
import { totalsOf } from './totals.ts';

export interface StatusReportDeps {
  readonly database: Database;
  readonly history: HistoryStore;
  readonly search: Pick<Search, 'held' | 'unindexed' | 'background'>;
  readonly maintenance: Pick<Maintenance, 'blocked'>;
  readonly retention: Pick<RetentionRule, 'limits' | 'waiting'>;
  readonly indexPath: string;
}

/** Says how the history is and what of removed calls its files still hold. */
export function createStatusReport({ database, history, search, maintenance, retention, indexPath }: StatusReportDeps) {
  /**
   * Returns a sentence about removed calls that files still hold; null for none. `copies`: also whether SQLite may have left a copy in an unused
   * part of a page.
   */
  async function remains(copies: boolean): Promise<string | null> {
    const index = await search.held().catch(() => ({ gone: 0, copies: false }));
    const held = copies ? [...(database.run(mayHoldCopies) ? [database.path] : []), ...(index.copies ? [indexPath] : [])] : [];
    return remainsText(maintenance.blocked, index.gone, held, search.background);
  }

  return {
    remains,
    async status(): Promise<HistoryStatus> {
      const { free, weight, keepsPages, ...found } = condition(database, history);
      const usable = found.state === 'ready' || found.state === 'full' || found.state === 'readonly';
      const index = ['', '-wal'].reduce((sum, suffix) => sum + sizeOf(indexPath + suffix), 0);
      const bytes = sizeOf(database.path);
      const limited = Object.values(retention.limits()).some((limit) => limit !== null);
      return {
        ...found,
        path: database.path,
        bytes: {
          database: bytes,
          wal: sizeOf(`${database.path}-wal`),
          index,
          free,
          calls: weight,
          perCall: found.calls === 0 ? 0 : Math.round((bytes - free + index) / found.calls),
        },
        // Said of a large file, as a small one is rewritten soon, and not where a limit removes a call for each new one.
        remains: usable ? await remains(bytes > smallBytes && !limited) : null,
        stuck: stuckText(keepsPages, free),
        unindexed: usable ? await search.unindexed().catch(() => 0) : 0,
        retention: retention.limits(),
        waiting: usable ? retention.waiting() : null,
        setAside: listSetAside(database.path),
      };
    },
  };
}

/** Returns which removed calls the files still hold, and until when; null for none. */
export function remainsText(
  blocked: readonly string[],
  gone: number,
  copies: readonly string[],
  background: boolean,
): string | null {
  const again = background ? '; Croupier tries again every minute and when it exits' : ', then run "croupier history clean"';
  const calls = gone === 1 ? '1 removed call' : `${gone.toLocaleString('en')} removed calls`;
  const sentences = [
    ...(blocked.length === 0
      ? []
      : [
          `Removed calls can still be read in ${blocked.join(' and ')}: another program is reading the history. Close it${again}.`,
        ]),
    ...(gone === 0
      ? []
      : [`The search index still contains words of ${calls}. Croupier removes them when it starts the next time, or earlier.`]),
    ...(copies.length > 0
      ? [
          `Copies of removed calls may remain in unused parts of ${copies.join(' and ')}. ${background ? 'Close the workbench and run' : 'Close every other copy of Croupier and run'} "croupier history clean" to rewrite ${copies.length === 1 ? 'the file' : 'the files'}.`,
        ]
      : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** Returns whether the history can be used now, and its contents. Asks the file itself, so that a trouble that is over is not reported. */
export function condition(database: Database, history: HistoryStore) {
  const emptyStatus = { calls: 0, pinned: 0, deleted: 0, free: 0, weight: 0, keepsPages: false };
  try {
    const calls = history.count();
    const counts = database.run((connection) => {
      const one = (sql: string) => Number(Object.values(connection.prepare(sql).get() ?? {})[0]);
      const { pinned, bytes: weight } = totalsOf(connection);
      return {
        pinned,
        weight,
        // An earlier version created the file.
        keepsPages: one('PRAGMA auto_vacuum') === 0,
        deleted: one('SELECT count(*) FROM calls WHERE deleted_by IS NOT NULL'),
        free: one('PRAGMA freelist_count') * one('PRAGMA page_size'),
      };
    });
    const trouble = database.trouble();
    return { state: trouble?.state ?? ('ready' as const), message: trouble?.message ?? null, calls, ...counts };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { state: stateOfFailure(error), message: error.message, ...emptyStatus };
  }
}

/** Returns the bytes of a file, 0 if it is missing. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Number of free bytes from which they are worth a word: new calls use less. */
const muchBytes = 32 * 1_048_576;

/** Describes free space in a file that does not shrink by itself; null if it is little. */
export function stuckText(keepsPages: boolean, free: number): string | null {
  if (!keepsPages || free < muchBytes) return null;
  const megabytes = Math.round(free / 1_000_000).toLocaleString('en');
  return `${megabytes} MB of the history are unused, and an earlier version created the file, so they stay. Close the workbench and run croupier history compact to rewrite the file.`;
}
