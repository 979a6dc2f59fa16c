import { setImmediate } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import { Retention } from '#shared/ipc/history.ts';
import { alwaysKept } from '#shared/model/limits.ts';
import type { RetentionPreview, WaitingRemoval } from '#shared/ipc/outputs/history.ts';
import type { SettingName } from '#shared/ipc/settings.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../settings/settings.ts';
import { createRetentionPass, type RetentionPassDeps, type Step } from './retention-pass.ts';
import { keepsAll, readState, writeWaiting } from './retention-state.ts';
import { countBlock, countSurplus, noSurplus, shownSurplus } from './surplus.ts';
import { newestCall, totalsOf } from './totals.ts';

/** Keeps what the limits keep and removes the rest, a step at a time. An unusual removal waits for the user. */
export type RetentionRule = ReturnType<typeof createRetention>;

export interface RetentionDeps extends Pick<RetentionPassDeps, 'removal' | 'now' | 'monotonic'> {
  readonly database: Database;
  readonly settings: Pick<Settings, 'read' | 'write'>;
}

const settingName = 'retention' satisfies SettingName;

export function createRetention({ database, removal, settings, now, monotonic }: RetentionDeps) {
  const pass = createRetentionPass({ removal, now, monotonic });

  /** Returns the limits. Invalid settings count as no limits. */
  function limits(): Retention {
    try {
      const stored = JSON.parse(settings.read()[settingName] ?? '') as Partial<Retention>;
      const { maxCalls } = stored;
      // An earlier version took fewer.
      const enough = typeof maxCalls === 'number' && maxCalls > 0 ? Math.max(maxCalls, alwaysKept) : maxCalls;
      return Retention.parse({ ...stored, maxCalls: enough });
    } catch {
      return keepsAll;
    }
  }

  function waiting(): WaitingRemoval | null {
    const found = database.run(readState).waiting;
    if (found === null || found.limits !== JSON.stringify(limits())) return null;
    const { limits: _limits, ...rest } = found;
    return rest;
  }

  /**
   * Sets the limits. `removes`: the number of calls that the user saw they would remove; null if nobody did. Fails with `storage`.
   */
  async function set(wanted: Retention, removes: number | null): Promise<void> {
    // Before the limits are there: another program that finds them first would wait for an answer that was given.
    database.run((connection) =>
      removal.within(() => {
        writeWaiting(connection, null);
        connection
          .prepare('UPDATE history_retention SET seen_at = ?, seen_call = ?, limits = ?, allowed = ?')
          .run(now(), newestCall(connection), JSON.stringify(wanted), removes ?? 0);
      }),
    );
    pass.kept();
    await settings.write(settingName, JSON.stringify(wanted));
  }

  return {
    limits,
    /** Counts or removes for some milliseconds. */
    step(): Step {
      try {
        return database.run((connection) => pass.step(connection, limits()));
      } catch (error) {
        // A count that was interrupted counts for nothing.
        pass.drop();
        throw error;
      }
    },
    async preview(wanted: Retention): Promise<RetentionPreview> {
      const connection = database.connection();
      const counted = noSurplus();
      const counting = countSurplus(connection, wanted, now(), countBlock, counted);
      while (database.run(() => counting.next()).done !== true) await setImmediate();
      const { calls, pinned } = database.run(totalsOf);
      return { ...shownSurplus(counted), left: Math.max(0, calls - counted.ids.size), pinned };
    },
    set,
    waiting,
    /** Answers a removal that waits. Fails with `conflict` if none waits, or another number of calls. */
    async settle(does: 'remove' | 'keep', calls: number): Promise<void> {
      const waits = waiting();
      // Nothing to keep, and nothing that it would be kept from.
      if (waits === null && does === 'keep' && calls === 0) return;
      if (waits?.calls !== calls) {
        throw new AppError(
          'conflict',
          waits === null
            ? 'Nothing was changed: no removal is waiting for confirmation any more.'
            : `Nothing was changed: the number of calls to remove is now ${waits.calls.toLocaleString('en')}. Review it and try again.`,
        );
      }
      await set(does === 'keep' ? keepsAll : limits(), does === 'keep' ? null : calls);
    },
  };
}
