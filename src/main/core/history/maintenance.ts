import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { recoverCalls } from '../database/recover.ts';
import { freeSome } from '../database/rewrite.ts';
import { boundSetAside, listSetAside } from '../database/set-aside.ts';
import { createErasing, type ErasingDeps } from './erasing.ts';
import type { Removal } from './removal.ts';
import type { RetentionRule } from './retention.ts';
import type { EraseExtent } from './erase.ts';
import type { Search } from './search.ts';

/** Keeps the history as the user wants it, a little at a time and never in the way of a call. */
export type Maintenance = ReturnType<typeof createMaintenance>;

export interface MaintenanceDeps extends Pick<ErasingDeps, 'now' | 'later' | 'onFault'> {
  readonly database: Database;
  readonly removal: Pick<Removal, 'empty'>;
  readonly search: Search;
  readonly retention: Pick<RetentionRule, 'step'>;
  /** Called when calls were removed for good, or when the user has to be asked whether they are. */
  readonly onRemoved: () => void;
}

const startDelayMs = 2_000;
const sentDelayMs = 1_000;
/** Milliseconds between checks for calls that become too old while none is sent. */
const pollMs = 3_600_000;
/** Between two batches, so that sends come first. */
const betweenMs = 10;
const finishBatches = 20;
/** Milliseconds between two events of a long removal. */
const tellMs = 1_000;
/** Number of bytes up to which a damaged file is read out at once if there is no thread to do it. */
const smallBytes = 32 * 1_048_576;

export function createMaintenance(deps: MaintenanceDeps) {
  const { database, removal, search, retention, now, later, onRemoved, onFault } = deps;
  let lastSent = Number.NEGATIVE_INFINITY;
  const erasing = createErasing({ search, now, lastSent: () => lastSent, later, onBlocked: onRemoved, onFault });
  let planned: (() => void) | null = null;
  let closed = false;
  let removed = false;
  /** Free pages of the file go back to the disk, as far as it was made for that. */
  let freeing = false;
  let extent: EraseExtent = 'much';
  let untold = false;
  let telling: (() => void) | null = null;
  let stopPolling: (() => void) | null = null;

  /** Makes one small transaction; returns whether there is more to do. */
  function batch(): boolean {
    const emptied = removal.empty();
    // A user's deletion has to be complete; a limit takes one call for each new one, and the index is not merged for that.
    if (emptied > 0) extent = 'all';
    const step = emptied > 0 ? { removed: emptied, more: true, asked: false } : retention.step();
    if (step.removed > 0) removed = freeing = true;
    if (step.removed > 0 || step.asked) tellSoon();
    if (step.more) return true;
    tell();
    if (freeing && database.run(freeSome)) return true;
    freeing = false;
    if (!removed) return false;
    removed = false;
    if (search.background) erasing.inBackground(extent);
    extent = 'much';
    return false;
  }

  function pollLater(): void {
    stopPolling = later(() => {
      plan(0);
      pollLater();
    }, pollMs);
  }

  function tellSoon(): void {
    untold = true;
    telling ??= later(() => {
      telling = null;
      tell();
    }, tellMs);
  }

  function tell(): void {
    if (!untold) return;
    untold = false;
    onRemoved();
  }

  function plan(milliseconds: number, first: () => void = () => undefined): void {
    if (closed || planned !== null) return;
    planned = later(() => {
      planned = null;
      try {
        first();
        if (batch()) plan(betweenMs);
      } catch (error) {
        onFault(error);
      }
    }, milliseconds);
  }

  function recoverAll(): void {
    for (const { path, recovered, reason } of listSetAside(database.path)) {
      if (recovered !== null || reason === 'was not made by Croupier') continue;
      if (search.background) search.recover(path);
      else if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= smallBytes) recoverCalls(path);
    }
    boundSetAside(database.path);
  }

  return {
    /** Some moments after the start: empties what dead runs deleted, applies retention, checks the file, and reads out damaged ones. */
    start(): void {
      if (!search.background) return;
      pollLater();
      plan(startDelayMs, () => {
        database.connection();
        // A program that ended before it was through.
        freeing = true;
        search.touch();
        erasing.inBackground('all');
        search.check(database.leftUnclean());
        recoverAll();
      });
    },
    /** A call was recorded: something may have become too old or too much. */
    sent(): void {
      lastSent = now();
      if (search.background) plan(sentDelayMs);
    },
    /** Applies changed limits. Without work in the background, the surplus is removed when this settles. */
    async changed(): Promise<void> {
      if (search.background) return plan(0);
      while (!closed && batch()) await setImmediate();
    },
    /** Returns the space of removed calls to the disk. */
    removed(): void {
      removed = freeing = true;
      if (search.background) plan(0);
    },
    /**
     * Takes removed calls out of the files now, and again by itself while another program keeps it from that. Fails with `storage`.
     */
    erase: erasing.erase,
    /** Logs that were to be truncated and could not be. */
    get blocked(): readonly string[] {
      return erasing.blocked();
    },
    /** For a program that ends at once: a bounded share of the work. */
    finish(): void {
      try {
        recoverAll();
        if (lastSent === Number.NEGATIVE_INFINITY || search.background) return;
        for (let count = 0; count < finishBatches && batch(); count += 1);
      } catch (error) {
        onFault(error);
      }
    },
    close(): void {
      closed = true;
      erasing.close();
      planned?.();
      planned = null;
      telling?.();
      stopPolling?.();
      tell();
    },
  };
}
