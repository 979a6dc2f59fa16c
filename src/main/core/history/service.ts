import { accessSync, constants, statSync } from 'node:fs';
import { AppError } from '#shared/errors.ts';
import { Retention } from '#shared/ipc/index.ts';
import type { CallPage, HistoryStatus } from '#shared/ipc/index.ts';
import type { History } from '../calls/history.ts';
import type { Database } from '../database/database.ts';
import { stateOfFailure } from '../database/failures.ts';
import type { RunLock } from '../database/run-lock.ts';
import { listSetAside } from '../database/set-aside.ts';
import type { Settings } from '../settings/settings.ts';
import { createMaintenance } from './maintenance.ts';
import { createRemoval } from './removal.ts';
import type { SearchQuery } from './search-engine.ts';
import { createSearch } from './search.ts';

/** What a user does with the history; what was sent is written by `calls/history.ts`. */
export interface HistoryService {
  list(query: SearchQuery): Promise<CallPage>;
  pin(id: number, pinned: boolean): void;
  note(id: number, note: string): void;
  remove(ids: readonly number[]): number[];
  restore(ids: readonly number[]): number[];
  status(): Promise<HistoryStatus>;
  retain(retention: Retention): Promise<Retention>;
  /** A call was recorded, as pending or with its outcome. */
  recorded(): void;
  close(): Promise<void>;
}

export interface HistoryServiceDeps {
  readonly database: Database;
  readonly run: RunLock;
  readonly history: History;
  readonly settings: Settings;
  readonly indexPath: string;
  /** The program of the search thread; null in a host that lives shortly. */
  readonly worker: string | null;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly now: () => number;
  /** The calls that are marked in another way now; null where any may be concerned. */
  readonly onChange: (ids: readonly number[] | null) => void;
  readonly onFault: (error: unknown) => void;
}

const everything: Retention = { maxAgeDays: null, maxCalls: null, maxBytes: null };
const settingName = 'retention';

export function createHistoryService(deps: HistoryServiceDeps): HistoryService {
  const { database, run, history, settings, indexPath, worker, later, now, onChange, onFault } = deps;
  const search = createSearch({
    historyPath: database.path,
    indexPath,
    worker,
    later,
    onDamage(message) {
      database.reportDamage(message);
      onChange(null);
    },
    onRecovered: () => onChange(null),
    onFault,
  });
  const removal = createRemoval(database, run);
  const maintenance = createMaintenance({ database, removal, search, retention, now, later, onRemoved: changed, onFault });
  let deletedSome = false;
  maintenance.start();

  function changed(): void {
    history.recount();
    onChange(null);
  }

  /** What cannot be understood keeps everything. */
  function retention(): Retention {
    try {
      return Retention.parse(JSON.parse(settings.read()[settingName] ?? ''));
    } catch {
      return everything;
    }
  }

  async function ask<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch {
      return otherwise;
    }
  }

  return {
    async list(query) {
      const narrowed = Object.values(query.filter).some((value) => value !== undefined);
      if ((query.text ?? '') === '' && !narrowed) return history.page(query);
      history.settle();
      return search.search(query);
    },
    pin(id, pinned) {
      removal.pin(id, pinned);
      onChange([id]);
    },
    note(id, note) {
      removal.note(id, note);
      onChange([id]);
    },
    remove(ids) {
      const removed = removal.remove(ids);
      deletedSome ||= removed.length > 0;
      if (removed.length > 0) changed();
      return removed;
    },
    restore(ids) {
      const restored = removal.restore(ids);
      if (restored.length > 0) changed();
      return restored;
    },
    async status() {
      const { free, ...found } = condition(database, history);
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
          perCall: found.calls === 0 ? 0 : Math.round((bytes - free + index) / found.calls),
        },
        unindexed: usable ? await ask(() => search.unindexed(), 0) : 0,
        retention: retention(),
        setAside: listSetAside(database.path),
      };
    },
    async retain(wanted) {
      await settings.write(settingName, JSON.stringify(wanted));
      maintenance.changed();
      onChange(null);
      return wanted;
    },
    recorded() {
      search.touch();
      maintenance.sent();
    },
    async close() {
      maintenance.finish();
      maintenance.close();
      await search.close();
      if (deletedSome) removal.emptyOwn();
    },
  };
}

/** Whether the history can be used now, and what it holds. Asks the file itself, so that a trouble that is over is not reported. */
function condition(database: Database, history: History) {
  const nothing = { calls: 0, pinned: 0, deleted: 0, free: 0 };
  try {
    const calls = history.count();
    const counts = database.run((connection) => {
      const one = (sql: string) => Number(Object.values(connection.prepare(sql).get() ?? {})[0]);
      return {
        pinned: one('SELECT count(*) FROM calls WHERE pinned = 1 AND deleted_by IS NULL'),
        deleted: one('SELECT count(*) FROM calls WHERE deleted_by IS NOT NULL'),
        free: one('PRAGMA freelist_count') * one('PRAGMA page_size'),
      };
    });
    const trouble = database.trouble();
    const blocked = trouble ?? unwritable(database.path);
    return { state: blocked?.state ?? ('ready' as const), message: blocked?.message ?? null, calls, ...counts };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { state: stateOfFailure(error), message: error.message, ...nothing };
  }
}

function unwritable(path: string) {
  try {
    accessSync(path, constants.W_OK);
    return null;
  } catch {
    const message = `The history ${path} may only be read: calls cannot be recorded, and so not be sent. Check the file's permissions.`;
    return { state: 'readonly' as const, message };
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
