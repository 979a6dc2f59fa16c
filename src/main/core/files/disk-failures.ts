import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import type { HistoryState } from '#shared/ipc/index.ts';

/** SQLite's primary result codes that a user can do something about. */
const reasons: Readonly<Record<number, string>> = {
  5: 'another program is using it; close other copies of Croupier',
  8: 'it is read-only; check the permissions of the file and its folder',
  10: 'the disk reports a read or write error',
  11: 'it is damaged. Close all copies of Croupier and start it again: Croupier then sets the file aside and saves what it can still read of it',
  13: 'the disk is full; free some space',
  14: 'it cannot be opened; check the folder and its permissions',
  26: 'it is not a database; move it away and keep it',
};

/**
 * SQLITE_IOERR_SHMSIZE: the file of shared memory beside the history cannot grow, which is how a full disk shows when the history
 * is opened.
 */
const noSharedMemory = 4_874;

/** Returns the primary result code of an error that SQLite reported, or null for any other error. */
export function sqliteCode(error: unknown): number | null {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : null;
  if (code === noSharedMemory) return 13;
  // The upper bits refine the primary code.
  return typeof code === 'number' ? code & 0xff : null;
}

/** Returns whether SQLite or the system reported it: anything else is a fault of the program. */
export function isReported(error: unknown): boolean {
  return sqliteCode(error) !== null || (error instanceof Error && 'syscall' in error);
}

const states: Readonly<Record<number, HistoryState>> = { 5: 'locked', 8: 'readonly', 11: 'damaged', 13: 'full', 26: 'damaged' };
const systemStates: Readonly<Record<string, HistoryState>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'readonly',
  EACCES: 'readonly',
  EPERM: 'readonly',
};

/** Returns the state of the history that an error means. */
export function stateOfFailure(error: unknown): HistoryState {
  if (error instanceof AppError) {
    const { details } = error;
    if (typeof details === 'object' && details !== null && 'state' in details) return details.state as HistoryState;
    return error.cause === undefined ? 'unavailable' : stateOfFailure(error.cause);
  }
  const system = error instanceof Error && 'code' in error ? systemStates[String(error.code)] : undefined;
  return states[sqliteCode(error) ?? 0] ?? system ?? 'unavailable';
}

/** Turns a failure of the history's store into a `storage` error with the state; returns other errors unchanged. */
export function storageFailure(path: string, error: unknown): unknown {
  if (!isReported(error)) return error;
  const details = { state: stateOfFailure(error) };
  return new AppError('storage', `The history ${path} cannot be used: ${reasonOf(error)}.`, details, { cause: error });
}

/** Returns why a store of SQLite cannot be used, and what to do, as a clause. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (sqliteCode(error) === 1 && /no such (?:table|column)|has no column|already exists/.test(message))
    return `its tables are not Croupier's (${message}); move it away and keep it`;
  const reason = reasons[sqliteCode(error) ?? 0];
  return reason ?? (isReported(error) && sqliteCode(error) === null ? reasonAndAdvice(error).replace(/\.$/, '') : message);
}
