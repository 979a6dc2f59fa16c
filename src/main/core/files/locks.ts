import { lstatSync, mkdirSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import { isReported, sqliteCode } from './disk-failures.ts';
import { makePrivate } from './private-file.ts';

/** A lock of this process; the system releases it when the process ends, however it ends. */
export interface HeldLock {
  close(): void;
}

/** Milliseconds between two tries, about. */
const pollMs = 8;
/** Number of tries, some 12 seconds. Tries are counted, not time: a process that was suspended goes on where it was. */
const mostTries = 1_500;
/** Number of uses after which the process pauses, so that others get in between a loop's release and its next try. */
const usesInARow = 16;

const busy = 5;
const cannotOpen = 14;
const notADatabase = 26;

/**
 * Takes the lock of a file, or returns null if somebody else holds it, in this process or another. It is SQLite's own lock of an
 * empty database: unlike a lock file it needs no clock and no owner's number, and nobody has to remove it. So a lock's file is
 * never removed while anybody may use it. `waitMs` blocks the thread. Fails as SQLite and the system do.
 */
export function lockAtOnce(file: string, waitMs = 0): HeldLock | null {
  let lock: DatabaseSync | null = null;
  try {
    makePrivate(file);
    lock = new DatabaseSync(file, { timeout: waitMs });
    // Nothing is ever written, so no journal is needed beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock?.close();
    if (sqliteCode(cause) === busy) return null;
    throw cause;
  }
}

/** Returns whether somebody holds the lock of an existing file. */
export function isLocked(file: string): boolean {
  let probe: DatabaseSync | null = null;
  try {
    probe = new DatabaseSync(file, { timeout: 0 });
    probe.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    // Only "cannot open" means that it is free; every other error but "busy" shows nothing about the holder.
    return sqliteCode(error) !== cannotOpen;
  } finally {
    probe?.close();
  }
}

interface Waiter {
  readonly file: string;
  readonly end: AbortController;
}

/** Waiters of this process, in order. */
const waiters = new Set<Waiter>();
const turns = new Map<string, Promise<unknown>>();
let uses = 0;

/**
 * Runs `work` while nobody else runs theirs for the same path, in this process or in another one: for reading, changing and writing
 * back a file that programs share. The lock lies beside it, in `locks`. Reading alone needs none. Fails with `storage` if another
 * process holds it for longer than some seconds, in a sentence about `named`, and if there can be no lock; with `cancelled` after
 * `endLockWaits`.
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  { named = path, tries = mostTries }: { named?: string; tries?: number } = {},
): Promise<T> {
  const file = join(dirname(path), 'locks', `${basename(path)}.lock`);
  const waiter: Waiter = { file, end: new AbortController() };
  waiters.add(waiter);
  const result = (turns.get(file) ?? Promise.resolve()).then(async () => {
    const lock = await take(waiter, named, tries).finally(() => waiters.delete(waiter));
    try {
      return await work();
    } finally {
      lock.close();
    }
  });
  const turn = result
    .catch(() => undefined)
    .then(() => {
      if (turns.get(file) === turn) turns.delete(file);
    });
  turns.set(file, turn);
  return result;
}

/** Ends all waiting for locks below a folder, for a program that ends: holders go on. */
export function endLockWaits(folder: string): void {
  for (const { file, end } of waiters) if (file.startsWith(`${folder}${sep}`)) end.abort();
}

async function take({ file, end }: Waiter, named: string, tries: number): Promise<HeldLock> {
  uses += 1;
  if (uses % usesInARow === 0) await setTimeout(2 * pollMs);
  for (let tried = 1; ; tried += 1) {
    const lock = tryOnce(file);
    if (lock !== null) return lock;
    if (end.signal.aborted) throw new AppError('cancelled', `${named} was not changed: Croupier is closing.`);
    if (tried >= tries) {
      throw new AppError(
        'storage',
        `${named} was not changed: another copy of Croupier has kept it locked for more than ten seconds. ` +
          'Wait for that copy, or quit it if it hangs. Then try again.',
      );
    }
    // Waiters must not all try at the same moment.
    await setTimeout(pollMs * (0.5 + Math.random()), undefined, { signal: end.signal }).catch(() => undefined);
  }
}

function tryOnce(file: string): HeldLock | null {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return lockAtOnce(file);
  } catch (cause) {
    // Anything else is a fault of the program, and its message may hold text that a user typed.
    throw isReported(cause) ? new AppError('storage', whyNoLock(file, cause), undefined, { cause }) : cause;
  }
}

function whyNoLock(file: string, cause: unknown): string {
  const inTheWay = isStrange(file) || sqliteCode(cause) === notADatabase ? file : isFile(dirname(file)) ? dirname(file) : null;
  if (inTheWay !== null) return `${inTheWay} is where Croupier needs a lock. Remove it, then try again.`;
  return `${file} cannot be created and locked: ${reasonAndAdvice(cause)}`;
}

/** Returns whether something other than a file has this path. */
function isStrange(path: string): boolean {
  const found = statsOf(path);
  return found !== undefined && !found.isFile();
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}

function statsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
