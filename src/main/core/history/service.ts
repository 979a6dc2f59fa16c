import { setTimeout } from 'node:timers/promises';
import type { CallPage, Retention, RetentionPreview } from '#shared/ipc/index.ts';
import type { HistoryStore } from './store.ts';
import { rewrite } from '../database/rewrite.ts';
import type { SessionLock } from '../files/session-lock.ts';
import { boundSetAside } from '../database/set-aside.ts';
import type { Settings } from '../settings/settings.ts';
import { within } from '../host/within.ts';
import { createCompactions } from './compact.ts';
import { createMaintenance, type MaintenanceDeps } from './maintenance.ts';
import { createRemoval } from './removal.ts';
import { createRetention } from './retention.ts';
import type { SearchQuery } from './search-engine.ts';
import { createSearch, type Search } from './search.ts';
import { condition, createStatusReport } from './status.ts';

/** The user's actions on the history. */
export type HistoryService = ReturnType<typeof createHistoryService>;

export interface HistoryServiceDeps extends Pick<MaintenanceDeps, 'database' | 'later' | 'now' | 'onFault'> {
  readonly run: SessionLock;
  readonly history: HistoryStore;
  readonly settings: Omit<Settings, 'clean' | 'remove'>;
  readonly indexPath: string;
  /** Path of the search thread's program; null in a host that lives shortly. */
  readonly worker: string | URL | null;
  /** Returns milliseconds of a clock that nobody sets. */
  readonly monotonic: () => number;
  /** Called with the calls whose marks changed; null if any may be concerned. */
  readonly onChange: (ids: readonly number[] | null) => void;
}

/** Milliseconds between two batches of calls that are removed: calls that are sent come first. */
const betweenMs = 5;
const batch = 100;
/**
 * For a program that ends: the number of batches of deleted calls, and the time for taking them out of the files. The next start
 * does the rest.
 */
const lastBatches = 20;
const lastMs = 800;

export function createHistoryService(deps: HistoryServiceDeps) {
  const { database, run, history, settings, indexPath, worker, later, now, monotonic, onChange, onFault } = deps;
  const search = createSearch({
    historyPath: database.path,
    indexPath,
    worker,
    later,
    onDamage(message) {
      database.reportDamage(message);
      onChange(null);
    },
    onRecovered() {
      boundSetAside(database.path);
      onChange(null);
    },
    onFault,
  });
  const removal = createRemoval(database, run);
  const changed = () => onChange(null);
  const retention = createRetention({ database, removal, settings, now, monotonic });
  const maintenance = createMaintenance({ database, removal, search, retention, now, later, onRemoved: changed, onFault });
  let deletedSome = false;
  let notedSome = false;
  const eraseAll = (stop?: AbortSignal) => maintenance.erase('all', stop);
  const compactions = createCompactions({ database, indexPath, run, erase: eraseAll }, changed);
  const report = createStatusReport({ database, history, search, maintenance, retention, indexPath });
  maintenance.start();

  /** Applies new limits and begins to remove the rest soon. */
  async function retained(): Promise<Retention> {
    onChange(null);
    await maintenance.changed();
    return retention.limits();
  }

  /**
   * Rewrites a file that may hold copies of removed calls, however large it is, if this program is alone and keeps nobody waiting.
   */
  function rewriteAny(): void {
    if (!search.background && !run.hasOthers()) database.run(rewrite);
  }

  return {
    async list(query: SearchQuery): Promise<CallPage> {
      const narrowed = Object.values(query.filter).some((value) => value !== undefined);
      if ((query.text ?? '') === '' && !narrowed) return history.page(query);
      history.settle();
      const found = await search.search(query);
      // Counted here, because the number is known already.
      return found.rest === null ? found : { ...found, rest: { ...found.rest, of: history.count() } };
    },
    pin(id: number, pinned: boolean): void {
      removal.pin(id, pinned);
      onChange([id]);
    },
    note(id: number, note: string): void {
      removal.note(id, note);
      notedSome = true;
      onChange([id]);
    },
    remove(ids: readonly number[]): number[] {
      const removed = removal.remove(ids);
      deletedSome ||= removed.length > 0;
      if (removed.length > 0) changed();
      return removed;
    },
    restore(ids: readonly number[]): number[] {
      const restored = removal.restore(ids);
      if (restored.length > 0) changed();
      return restored;
    },
    status: report.status,
    preview: (wanted: Retention): Promise<RetentionPreview> => retention.preview(wanted),
    async retain(wanted: Retention, removes: number | null): Promise<Retention> {
      await retention.set(wanted, removes);
      return retained();
    },
    async settle(does: 'remove' | 'keep', calls: number): Promise<Retention> {
      await retention.settle(does, calls);
      return retained();
    },
    /** Reports that a call was recorded, as pending or with its outcome. */
    recorded(): void {
      search.touch();
      maintenance.sent();
    },
    /** Removes calls for good, except pending ones, a step at a time; `onStep` gets the number that is gone so far. */
    async purge(ids: readonly number[], onStep: (removed: number) => void, stop: AbortSignal): Promise<number> {
      let removed = 0;
      for (let from = 0; from < ids.length && !stop.aborted; from += batch) {
        removed += removal.purge(ids.slice(from, from + batch));
        onStep(removed);
        await setTimeout(betweenMs);
      }
      if (removed > 0) changed();
      maintenance.removed();
      return removed;
    },
    findCalls(...asked: Parameters<Search['findCalls']>): ReturnType<Search['findCalls']> {
      // The search reads the file by itself: it has to exist, and calls that dead sessions left pending have to be settled.
      history.settle();
      return search.findCalls(...asked);
    },
    /** Takes removed calls out of every byte of the files; a large history stays as `rewrite` left it. Fails with `storage`. */
    erase: eraseAll,
    rewrite: rewriteAny,
    /** Returns a sentence about removed calls that files still hold; null for none. */
    remains: (): Promise<string | null> => report.remains(true),
    /** Removes for good what ended sessions deleted, and everything removed out of the files. Resolves to the result of `remains`. */
    async clean(): Promise<string | null> {
      let emptied = 0;
      for (let count = removal.empty(); count > 0; count = removal.empty()) {
        emptied += count;
        await setTimeout(betweenMs);
      }
      if (emptied > 0) changed();
      rewriteAny();
      await eraseAll();
      const { deleted } = condition(database, history);
      const undoable = `${deleted.toLocaleString('en')} deleted ${deleted === 1 ? 'call' : 'calls'} can be restored until the session that deleted ${deleted === 1 ? 'it' : 'them'} ends.`;
      return [...(deleted === 0 ? [] : [undoable]), (await report.remains(true)) ?? []].flat().join(' ') || null;
    },
    /** Returns the free space of the files to the disk. Fails with `conflict` while that goes on already, and with `storage`. */
    compact: compactions.start,
    /** Cancels a compaction; returns whether there was one. */
    cancelCompact: compactions.cancel,
    async close(): Promise<void> {
      compactions.stop();
      maintenance.finish();
      maintenance.close();
      if (deletedSome || notedSome) {
        for (let count = 0; count < lastBatches && removal.emptyOwn() > 0; count += 1);
        // The next start does what is left.
        await within(
          lastMs,
          search.erase(deletedSome ? 'all' : 'copies').catch(() => undefined),
        );
      }
      await search.close();
    },
  };
}
