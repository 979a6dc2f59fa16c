import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import { isLocked, lockAtOnce, type HeldLock } from './locks.ts';
import { sqliteCode, stateOfFailure } from './disk-failures.ts';
import { rmSync } from './moves.ts';

/** Shows whether the session that recorded a call still lives. */
export type SessionLock = ReturnType<typeof createSessionLock>;

const tokenForm = /^[0-9a-f]{24}$/;
const mostWaitMs = 10_000;

/**
 * Creates a lock file per session below `folder`: unlike a process ID, no other program can reuse a lock, and unlike a heartbeat it
 * needs no clock.
 */
export function createSessionLock(folder: string) {
  const token = randomBytes(12).toString('hex');
  let held: HeldLock | null = null;
  const file = (name: string) => join(folder, `${name}.lock`);

  function take(name: string): HeldLock {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (name === token) sweep(folder);
      // Another process that checks whether this session lives holds its lock for a moment.
      const lock = lockAtOnce(file(name), mostWaitMs);
      if (lock !== null) return lock;
    } catch (cause) {
      throw unwritable(folder, cause);
    }
    throw new AppError(
      'storage',
      'The history was not opened: another copy of Croupier has been opening it for ten seconds. ' +
        'Wait for that copy, or quit it if it hangs. Then try again.',
      { state: 'locked' },
    );
  }

  return {
    /** Names this session in the rows it records. */
    token,
    /** Takes the lock at the first call; the system releases it when the process ends, however it ends. Fails with `storage`. */
    hold(): void {
      held ??= take(token);
    },
    /** Returns whether another session that took its lock lives. */
    hasOthers(): boolean {
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names.some((name) => {
        const other = name.replace(/\.lock$/, '');
        return other !== token && tokenForm.test(other) && isLocked(file(other));
      });
    },
    /** Runs `work` while no other process does so below the same folder. Fails with `storage`. */
    exclusively<T>(work: () => T): T {
      const lock = take('opening');
      try {
        return work();
      } finally {
        lock.close();
      }
    },
    isAlive(name: string): boolean {
      if (name === token) return true;
      if (!tokenForm.test(name) || statSync(file(name), { throwIfNoEntry: false }) === undefined) return false;
      return isLocked(file(name));
    },
    /** Removes the lock file of a dead session. */
    forget(name: string): void {
      if (tokenForm.test(name) && name !== token) rmSync(file(name), { force: true });
    },
    close(): void {
      if (held === null) return;
      held.close();
      held = null;
      rmSync(file(token), { force: true });
    },
  };
}

function unwritable(folder: string, cause: unknown): AppError {
  const found = stateOfFailure(cause);
  // A file that SQLite would have to create and cannot open may not be written.
  const state = sqliteCode(cause) === 14 ? 'readonly' : found;
  const message = `${folder} cannot be written: ${reasonAndAdvice(cause)}`;
  return new AppError('storage', message, { state }, { cause });
}

/** Removes lock files of dead sessions. Those of the last minute stay: their process may be about to take the lock. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    const old = found !== undefined && Math.abs(Date.now() - found.mtimeMs) > 60_000;
    if (old && tokenForm.test(name.replace(/\.lock$/, '')) && !isLocked(path)) rmSync(path, { force: true });
  }
}
