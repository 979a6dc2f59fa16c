import type { DatabaseSync } from 'node:sqlite';
import type { Retention } from '#shared/ipc/history.ts';
import type { Removal } from './removal.ts';
import { keepsAll, readState, writeWaiting, type RetentionState } from './retention-state.ts';
import { countBlock, countSurplus, noSurplus, shownSurplus, type Surplus } from './surplus.ts';
import { newestCall, totalsOf } from './totals.ts';

/** Counts or removes for some milliseconds. */
export interface Step {
  readonly removed: number;
  /** True if there is more to do at once. */
  readonly more: boolean;
  /** True if a removal began or ceased to wait. */
  readonly asked: boolean;
}

export interface RetentionPassDeps {
  readonly removal: Pick<Removal, 'within' | 'purge'>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns milliseconds of a clock that nobody sets. It may stand still while the machine sleeps. */
  readonly monotonic: () => number;
}

/** Calls removed in one step, which takes some milliseconds. */
const removeBlock = 250;
/** Milliseconds that may have passed since limits were last kept beyond what this process knows: a week in which nobody worked. */
const plausibleMs = 7 * 86_400_000;
/** Number of calls that may be removed without a question, beyond as many as were sent since; or a share of the removable calls. */
const fewCalls = 100;
const share = 0.25;
/** Milliseconds after which the clock is written down at the latest while limits are kept. */
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

const idleStep: Step = { removed: 0, more: false, asked: false };

/** Counts what is beyond the limits and removes it, a step at a time. A removal that is not usual waits for a person. */
export function createRetentionPass({ removal, now, monotonic }: RetentionPassDeps) {
  let pass: Pass | null = null;
  /** The last time at which this process kept limits, by the clock that nobody sets. */
  let lastKept: number | null = null;
  /** The last time at which this process counted what waits, by the same clock. */
  let lastCount: number | null = null;

  /**
   * Returns whether no more time passed since limits were last kept than can have. A clock that went back removes less, not more.
   */
  function isPlausible({ seenAt }: Pick<RetentionState, 'seenAt'>, at: number): boolean {
    const passed = lastKept === null ? 0 : monotonic() - lastKept;
    return seenAt === null || at - seenAt - passed <= plausibleMs;
  }

  function usual(connection: DatabaseSync, { seenCall, limits: known, allowed }: RetentionState, wanted: string): number {
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

  /** Takes the next step of a pass that counts; the last one decides whether it may remove. */
  function count(connection: DatabaseSync, current: Pass): Step {
    if (current.counting.next().done !== true) return { ...idleStep, more: true };
    lastCount = monotonic();
    const { counted } = current;
    const key = JSON.stringify(current.limits);
    const state = readState(connection);
    const waited = state.waiting?.limits === key ? state.waiting : null;
    const known = { ...state, seenAt: waited?.seenAt ?? state.seenAt ?? newestDate(connection) };
    const strange = counted.aged > 0 && !isPlausible(known, current.now);
    // A removal that was once too much waits for its answer, however many calls are sent meanwhile.
    const much = waited?.why === 'much' ? counted.ids.size > 0 : counted.ids.size > usual(connection, state, key);
    if (strange || much) {
      const waiting = {
        why: strange ? ('clock' as const) : ('much' as const),
        ...shownSurplus(counted),
        at: current.now,
        seenAt: known.seenAt,
      };
      removal.within(() => writeWaiting(connection, { ...waiting, limits: key }));
      pass = null;
      return { ...idleStep, asked: waited?.calls !== waiting.calls || waited.why !== waiting.why };
    }
    if (state.waiting !== null) removal.within(() => writeWaiting(connection, null));
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
    lastKept = monotonic();
    pass = null;
    return idleStep;
  }

  function step(connection: DatabaseSync, wanted: Retention): Step {
    const key = JSON.stringify(wanted);
    if (pass !== null && JSON.stringify(pass.limits) !== key) pass = null;
    if (key === JSON.stringify(keepsAll)) return idleStep;
    if (pass === null) {
      const { waiting: waits } = readState(connection);
      const known = lastCount !== null && monotonic() - lastCount < noteMs;
      const clockIsBack = waits?.why === 'clock' && isPlausible(waits, now());
      if (waits?.limits === key && known && !clockIsBack) return idleStep;
      pass = begin(connection, wanted, now());
    } else if (pass.left !== null && readState(connection).waiting !== null) {
      // Another program found in the meantime that the user must be asked.
      pass = null;
      return idleStep;
    }
    return pass.left === null ? count(connection, pass) : remove(connection, pass, pass.left);
  }

  return {
    step,
    /** Begins again with the next step: the count so far is dropped. */
    drop: (): void => void (pass = null),
    /** Records that the limits were just kept, or set by somebody who saw what they remove. */
    kept(): void {
      lastKept = monotonic();
      pass = null;
    },
  };
}

/** Returns about when calls were last sent, if nobody has looked at limits yet; the median, so that no single date decides. */
function newestDate(connection: DatabaseSync): number | null {
  const rows = connection.prepare('SELECT sent_at FROM calls ORDER BY id DESC LIMIT 101').all();
  const dates = rows.map((row) => Number(row['sent_at'])).sort((one, other) => one - other);
  return dates[Math.floor(dates.length / 2)] ?? null;
}
