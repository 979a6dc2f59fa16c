import type { HistoryStatus } from '#shared/ipc/index.ts';
import type { Database } from '../database/database.ts';
import { mayHoldCopies, smallBytes } from '../database/rewrite.ts';
import { listSetAside } from '../database/set-aside.ts';
import type { Maintenance } from './maintenance.ts';
import type { RetentionRule } from './retention.ts';
import type { Search } from './search.ts';
import { condition, remainsText, sizeOf, stuckText } from './status.ts';
import type { HistoryStore } from './store.ts';

export interface StatusReportDeps {
  readonly database: Database;
  readonly history: HistoryStore;
  readonly search: Pick<Search, 'held' | 'unindexed' | 'background'>;
  readonly maintenance: Pick<Maintenance, 'blocked'>;
  readonly retention: Pick<RetentionRule, 'limits' | 'waiting'>;
  readonly indexPath: string;
}

/** Says how the history is and what of removed calls its files still hold. */
export interface StatusReport {
  status(): Promise<HistoryStatus>;
  /**
   * Returns a sentence about removed calls that files still hold; null for none. `copies`: also whether SQLite may have left a copy in an unused
   * part of a page.
   */
  remains(copies: boolean): Promise<string | null>;
}

export function createStatusReport({
  database,
  history,
  search,
  maintenance,
  retention,
  indexPath,
}: StatusReportDeps): StatusReport {
  function limited(): boolean {
    return Object.values(retention.limits()).some((limit) => limit !== null);
  }

  async function remains(copies: boolean): Promise<string | null> {
    const index = await ask(() => search.held(), { gone: 0, copies: false });
    const held = copies ? [...(database.run(mayHoldCopies) ? [database.path] : []), ...(index.copies ? [indexPath] : [])] : [];
    return remainsText(maintenance.blocked, index.gone, held, search.background);
  }

  return {
    remains,
    async status() {
      const { free, weight, keepsPages, ...found } = condition(database, history);
      const usable = found.state === 'ready' || found.state === 'full' || found.state === 'readonly';
      const index = ['', '-wal'].reduce((sum, suffix) => sum + sizeOf(indexPath + suffix), 0);
      const bytes = sizeOf(database.path);
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
        remains: usable ? await remains(bytes > smallBytes && !limited()) : null,
        stuck: stuckText(keepsPages, free),
        unindexed: usable ? await ask(() => search.unindexed(), 0) : 0,
        retention: retention.limits(),
        waiting: usable ? retention.waiting() : null,
        setAside: listSetAside(database.path),
      };
    },
  };
}

async function ask<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}
