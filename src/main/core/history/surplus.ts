import type { DatabaseSync } from 'node:sqlite';
import type { Retention } from '#shared/ipc/index.ts';
import { alwaysKept } from '#shared/model/limits.ts';
import { onlyRow } from '../database/only-row.ts';
import { totalsOf } from './totals.ts';

/** Calls that limits do not keep, as far as they are counted. */
export interface Surplus {
  /** In the order in which they go. */
  readonly ids: Set<number>;
  bytes: number;
  /** Number of those that are too old. */
  aged: number;
  /** Times at which the oldest and the newest of them were sent, in milliseconds since the epoch. */
  from: number | null;
  to: number | null;
}

/** Returns the surplus as a page shows it. */
export function shownSurplus({ ids, bytes, from, to }: Surplus) {
  return { calls: ids.size, bytes, from, to };
}

export function noSurplus(): Surplus {
  return { ids: new Set(), bytes: 0, aged: 0, from: null, to: null };
}

interface DatedCall {
  readonly id: number;
  readonly sentAt: number;
  readonly bytes: number;
}

const day = 86_400_000;
/** Calls counted in one step, which takes some milliseconds. */
export const countBlock = 2_000;
/** Number of calls around one that show when it was sent. */
const witnesses = 5;
/** Number of calls dated later than now that are looked at in one go: with a clock that is behind it may be all of them. */
const mostAhead = 100;

/**
 * Counts the calls that these limits do not keep at this moment, a block at a time: those that are too old, then as many of the
 * oldest as are too many. Never the newest 100, a pinned or a pending one. Costs what it finds, however large the history is.
 */
export function* countSurplus(
  connection: DatabaseSync,
  limits: Retention,
  now: number,
  block: number,
  counted: Surplus,
): Generator<void, void> {
  const take = ({ id, sentAt, bytes }: DatedCall): void => {
    counted.ids.add(id);
    counted.bytes += bytes;
    counted.from = Math.min(counted.from ?? sentAt, sentAt);
    counted.to = Math.max(counted.to ?? sentAt, sentAt);
  };
  if (limits.maxAgeDays !== null) {
    for (const calls of aged(connection, now - limits.maxAgeDays * day, now, block)) {
      for (const call of calls) take(call);
      counted.aged = counted.ids.size;
      yield;
    }
  }
  const { maxCalls, maxBytes } = limits;
  if (maxCalls === null && maxBytes === null) return;
  const next = connection.prepare(
    'SELECT id, sent_at, weight FROM calls ' +
      "WHERE id > ? AND id < ? AND pinned = 0 AND state <> 'pending' AND deleted_by IS NULL ORDER BY id LIMIT ?",
  );
  for (let after = 0; ; yield) {
    // Pinned calls stay whatever the limits are, so they leave the others their room.
    const { calls, bytes, pinned, pinnedBytes } = totalsOf(connection);
    const over = calls - pinned - (maxCalls ?? Number.POSITIVE_INFINITY);
    const heavy = bytes - pinnedBytes - (maxBytes ?? Number.POSITIVE_INFINITY);
    const rows = next.all(after, firstAlwaysKept(connection), block).map(toCall);
    for (const call of rows) {
      if (counted.ids.size >= over && counted.bytes >= heavy) return;
      if (!counted.ids.has(call.id)) take(call);
      after = call.id;
    }
    if (rows.length === 0) return;
  }
}

/** Returns the oldest of the newest calls that no limit removes: whatever the clock shows, the last sent ones are among them. */
function firstAlwaysKept(connection: DatabaseSync): number {
  const newest = 'SELECT id FROM calls WHERE deleted_by IS NULL ORDER BY id DESC LIMIT ?';
  const { id, n } = onlyRow(connection.prepare(`SELECT min(id) AS id, count(*) AS n FROM (${newest})`), alwaysKept);
  return Number(n) < alwaysKept ? 0 : Number(id);
}

/**
 * Finds calls that are too old. Each is judged by its own date, and the calls around it may contradict that: a clock can be wrong
 * for a moment.
 */
function* aged(connection: DatabaseSync, before: number, now: number, block: number): Generator<DatedCall[]> {
  const columns = 'SELECT id, sent_at, weight FROM calls INDEXED BY calls_aging';
  const rest = "AND id < ? AND pinned = 0 AND deleted_by IS NULL AND state <> 'pending' ORDER BY sent_at, id LIMIT ?";
  const old = connection.prepare(`${columns} WHERE (sent_at, id) > (?, ?) AND sent_at < ? ${rest}`);
  const ahead = connection.prepare(`${columns} WHERE sent_at > ? ${rest}`);
  const earlier = connection.prepare('SELECT sent_at FROM calls WHERE id < ? ORDER BY id DESC LIMIT ?');
  const later = connection.prepare('SELECT sent_at FROM calls WHERE id > ? ORDER BY id LIMIT ?');
  const dates = (statement: typeof earlier, id: number) => statement.all(id, witnesses).map((row) => Number(row['sent_at']));
  const around = (id: number): number | null => {
    const all = [...dates(earlier, id), ...dates(later, id)].sort((one, other) => one - other);
    return all.length < 3 ? null : (all[Math.floor(all.length / 2)] ?? null);
  };
  /** Returns whether a call is too old. A date that most calls around it contradict is not believed: they date it. */
  const isOld = ({ id, sentAt }: DatedCall): boolean => {
    const found = dates(earlier, id);
    const contradicting = found.filter((date) => date > sentAt + day).length;
    if (found.length < 3 || contradicting * 2 <= found.length) return true;
    return (around(id) ?? sentAt) < before;
  };
  for (let after: readonly [date: number, id: number] = [Number.MIN_SAFE_INTEGER, 0]; ;) {
    const calls = old.all(...after, before, firstAlwaysKept(connection), block).map(toCall);
    const last = calls.at(-1);
    if (last === undefined) break;
    after = [last.sentAt, last.id];
    const found = calls.filter(isOld);
    if (found.length > 0) yield found;
  }
  const calls = ahead.all(now + day, firstAlwaysKept(connection), mostAhead).map(toCall);
  const found = calls.filter(({ id }) => (around(id) ?? now) < before);
  if (found.length > 0) yield found;
}

function toCall(row: Record<string, unknown>): DatedCall {
  return { id: Number(row['id']), sentAt: Number(row['sent_at']), bytes: Number(row['weight']) };
}
