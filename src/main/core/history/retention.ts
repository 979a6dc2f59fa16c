import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import { Retention } from '#shared/ipc/history.ts';
import { alwaysKept } from '#shared/model/limits.ts';
import type { RetentionPreview, WaitingRemoval } from '#shared/ipc/outputs/history.ts';
import type { SettingName } from '#shared/ipc/settings.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../settings/settings.ts';
import type { Removal } from './removal.ts';
import { countSurplus, noSurplus, type Surplus } from './surplus.ts';
import { newestCall, totalsOf } from './totals.ts';

/** Keeps what the limits keep and removes the rest, a step at a time. A removal that is not usual waits for a person. */
export interface RetentionRule {
  /** Returns the limits. Invalid settings count as no limits. */
  limits(): Retention;
  /** Some milliseconds of counting or removing. */
  step(): Step;
  preview(limits: Retention): Promise<RetentionPreview>;
  /** `removes`: how many calls somebody saw that these limits remove; null where nobody did. Fails with `storage`. */
  set(limits: Retention, removes: number | null): Promise<void>;
  waiting(): WaitingRemoval | null;
  /** Fails with `conflict` where nothing waits, or another number of calls. */
  settle(does: 'remove' | 'keep', calls: number): Promise<void>;
}

interface Step {
  readonly removed: number;
  /** Whether there is more to do at once. */
  readonly more: boolean;
  /** Whether a removal began or ceased to wait. */
  readonly asked: boolean;
}

export interface RetentionDeps {
  readonly database: Database;
  readonly removal: Pick<Removal, 'within' | 'purge'>;
  readonly settings: Pick<Settings, 'read' | 'write'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of a clock that nobody sets. It may stand still while the machine sleeps. */
  readonly monotonic: () => number;
}

export const keepsAll: Retention = { maxAgeDays: null, maxCalls: null, maxBytes: null };
const settingName = 'retention' satisfies SettingName;

/** Calls of one step: counted in some milliseconds, and so removed. */
const countBlock = 2_000;
const removeBlock = 250;
/** As much more than this process can tell may have passed since limits were last kept: a week in which nobody worked. */
const plausibleMs = 7 * 86_400_000;
/** Number of calls that may be removed without a question, beyond as many as were sent since; or a share of the removable calls. */
const fewCalls = 100;
const share = 0.25;
/** The clock is written down at least so often while limits are kept. */
const noteMs = 3_600_000;

/** One look at the limits: first it counts, then it removes what it counted and nothing else. */
interface Pass {
  readonly limits: Retention;
  readonly now: number;
  readonly counted: Surplus;
  readonly counting: Generator<void, void>;
  /** The remaining calls to remove; null while it counts. */
  left: Iterator<number> | null;
  removed: number;
}

interface State {
  readonly seenAt: number | null;
  readonly seenCall: number;
  readonly limits: string | null;
  readonly allowed: number;
  readonly waiting: (WaitingRemoval & { readonly limits: string }) | null;
}

const nothing: Step = { removed: 0, more: false, asked: false };

export function createRetention({ database, removal, settings, now, monotonic }: RetentionDeps): RetentionRule {
  let pass: Pass | null = null;
  /** When this process last kept limits, by the clock that nobody sets. */
  let lastLook: number | null = null;
  /** When this process last counted what waits, by the same. */
  let lastCount: number | null = null;

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

  /** Whether no more time passed since limits were last kept than can have. A clock that went back removes less, not more. */
  function isPlausible({ seenAt }: Pick<State, 'seenAt'>, at: number): boolean {
    const passed = lastLook === null ? 0 : monotonic() - lastLook;
    return seenAt === null || at - seenAt - passed <= plausibleMs;
  }

  function usual(connection: DatabaseSync, { seenCall, limits: known, allowed }: State, wanted: string): number {
    const { calls, pinned } = totalsOf(connection);
    const sent = newestCall(connection) - seenCall;
    const seen = known === wanted ? allowed : 0;
    return sent + Math.max(seen, fewCalls, Math.floor((calls - pinned) * share));
  }

  function begin(connection: DatabaseSync, wanted: Retention, at: number): Pass {
    const counted = noSurplus();
    const counting = countSurplus(connection, wanted, at, countBlock, counted);
    return { limits: wanted, now: at, counted, counting, left: null, removed: 0 };
  }

  /** The next step of a pass that counts; the last one says whether it may remove. */
  function count(connection: DatabaseSync, current: Pass): Step {
    if (current.counting.next().done !== true) return { ...nothing, more: true };
    lastCount = monotonic();
    const { counted } = current;
    const key = JSON.stringify(current.limits);
    const state = readState(connection);
    const waited = state.waiting?.limits === key ? state.waiting : null;
    const known = { ...state, seenAt: waited?.seenAt ?? state.seenAt ?? newestDate(connection) };
    const strange = counted.aged > 0 && !isPlausible(known, current.now);
    // What was too much once waits for its answer, however many calls are sent meanwhile.
    const much = waited?.why === 'much' ? counted.ids.size > 0 : counted.ids.size > usual(connection, state, key);
    if (strange || much) {
      const waiting = {
        why: strange ? ('clock' as const) : ('much' as const),
        ...shown(counted),
        at: current.now,
        seenAt: known.seenAt,
      };
      removal.within(() => wait(connection, { ...waiting, limits: key }));
      pass = null;
      return { ...nothing, asked: waited?.calls !== waiting.calls || waited.why !== waiting.why };
    }
    if (state.waiting !== null) removal.within(() => wait(connection, null));
    const asked = state.waiting !== null;
    if (counted.ids.size === 0) return { ...end(connection, current), asked };
    current.left = counted.ids.values();
    return { removed: 0, more: true, asked };
  }

  function remove(connection: DatabaseSync, current: Pass, left: Iterator<number>): Step {
    const ids = [];
    for (let next = left.next(); next.done !== true; next = left.next()) if (ids.push(next.value) === removeBlock) break;
    if (ids.length === 0) return end(connection, current);
    const removed = removal.purge(ids, 'unpinned');
    current.removed += removed;
    return { removed, more: true, asked: false };
  }

  function end(connection: DatabaseSync, current: Pass): Step {
    const { seenAt } = readState(connection);
    const stale = seenAt === null || Math.abs(current.now - seenAt) > noteMs;
    if (stale || current.removed > 0) {
      connection
        .prepare('UPDATE history_retention SET seen_at = ?, seen_call = ?, allowed = 0')
        .run(current.now, newestCall(connection));
    }
    lastLook = monotonic();
    pass = null;
    return nothing;
  }

  function stepOf(connection: DatabaseSync): Step {
    const wanted = limits();
    const key = JSON.stringify(wanted);
    if (pass !== null && JSON.stringify(pass.limits) !== key) pass = null;
    if (key === JSON.stringify(keepsAll)) return nothing;
    if (pass === null) {
      const { waiting: waits } = readState(connection);
      const known = lastCount !== null && monotonic() - lastCount < noteMs;
      const clockIsBack = waits?.why === 'clock' && isPlausible(waits, now());
      if (waits?.limits === key && known && !clockIsBack) return nothing;
      pass = begin(connection, wanted, now());
    } else if (pass.left !== null && readState(connection).waiting !== null) {
      // Another program found in the meantime that somebody is to be asked.
      pass = null;
      return nothing;
    }
    return pass.left === null ? count(connection, pass) : remove(connection, pass, pass.left);
  }

  function waiting(): WaitingRemoval | null {
    const found = database.run(readState).waiting;
    if (found === null || found.limits !== JSON.stringify(limits())) return null;
    const { limits: _limits, ...rest } = found;
    return rest;
  }

  async function set(wanted: Retention, removes: number | null): Promise<void> {
    // Before the limits are there: what another program finds first would otherwise wait for an answer that was given.
    database.run((connection) =>
      removal.within(() => {
        wait(connection, null);
        connection
          .prepare('UPDATE history_retention SET seen_at = ?, seen_call = ?, limits = ?, allowed = ?')
          .run(now(), newestCall(connection), JSON.stringify(wanted), removes ?? 0);
      }),
    );
    lastLook = monotonic();
    pass = null;
    await settings.write(settingName, JSON.stringify(wanted));
  }

  return {
    limits,
    step() {
      try {
        return database.run(stepOf);
      } catch (error) {
        // A count that was cut off counts for nothing.
        pass = null;
        throw error;
      }
    },
    async preview(wanted) {
      const connection = database.connection();
      const counted = noSurplus();
      const counting = countSurplus(connection, wanted, now(), countBlock, counted);
      while (database.run(() => counting.next()).done !== true) await setImmediate();
      const { calls, pinned } = database.run(totalsOf);
      return { ...shown(counted), left: Math.max(0, calls - counted.ids.size), pinned };
    },
    set,
    waiting,
    async settle(does, calls) {
      const waits = waiting();
      // Nothing to keep, and nothing that it would be kept from.
      if (waits === null && does === 'keep' && calls === 0) return;
      if (waits?.calls !== calls) {
        throw new AppError(
          'conflict',
          waits === null
            ? 'Nothing was changed: no removal waits any more. Look at the history again.'
            : `Nothing was changed: by now ${waits.calls.toLocaleString('en')} calls are to be removed. Look at the number again.`,
        );
      }
      await set(does === 'keep' ? keepsAll : limits(), does === 'keep' ? null : calls);
    },
  };
}

function shown({ ids, bytes, from, to }: Surplus) {
  return { calls: ids.size, bytes, from, to };
}

function readState(connection: DatabaseSync): State {
  const row = connection.prepare('SELECT seen_at, seen_call, limits, allowed, waiting FROM history_retention').get() ?? {};
  const waiting = row['waiting'];
  return {
    seenAt: row['seen_at'] as number | null,
    seenCall: Number(row['seen_call']),
    limits: row['limits'] as string | null,
    allowed: Number(row['allowed']),
    waiting: typeof waiting === 'string' ? (JSON.parse(waiting) as State['waiting']) : null,
  };
}

function wait(connection: DatabaseSync, waiting: State['waiting']): void {
  connection.prepare('UPDATE history_retention SET waiting = ?').run(waiting === null ? null : JSON.stringify(waiting));
}

/** About when calls were last sent, where nobody has looked at limits yet; the median, so that one date does not say it. */
function newestDate(connection: DatabaseSync): number | null {
  const rows = connection.prepare('SELECT sent_at FROM calls ORDER BY id DESC LIMIT 101').all();
  const dates = rows.map((row) => Number(row['sent_at'])).sort((one, other) => one - other);
  return dates[Math.floor(dates.length / 2)] ?? null;
}
