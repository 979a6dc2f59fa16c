import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '#shared/errors.ts';

/** Returns the message for a history that can be read but not written. */
export function readOnlyMessage(path: string): string {
  const unseen = hasLog(path) && !hasSharedMemory(path);
  return (
    (unseen ? `The newest calls are in ${path}-wal, which can't be read without writing, so they aren't shown. ` : '') +
    `The history ${path} is read-only. You can view, search and export recorded calls, but not send, pin or delete any, or add ` +
    'notes. Make the file and its folder writable, then restart Croupier.'
  );
}

/** Returns whether a file can be created beside it: SQLite needs two of them to share a history with others. */
export function isShareable(path: string): boolean {
  return isWritable(dirname(path));
}

/** Returns whether this user may write a file or folder that is there. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the URI of a history in this process's memory, which `addressToRead` returns as it is. */
export function memoryAddress(name: string): string {
  return `file:/${name}?vfs=memdb`;
}

/** Returns the URI by which SQLite reads a history, also if nothing can be created beside it. */
export function addressToRead(path: string): string {
  if (path.startsWith('file:')) return path;
  // Without a log everything is in the file itself, and a writer would first create a log, which is not possible here.
  const shared = isShareable(path) || (hasLog(path) && hasSharedMemory(path));
  return `${pathToFileURL(path).href}?${shared ? 'mode=ro' : 'immutable=1'}`;
}

export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function hasSharedMemory(path: string): boolean {
  return existsSync(`${path}-shm`);
}

/**
 * Opens a history whose folder cannot be written, not even for the files that SQLite needs to share it; null if there is none.
 * Fails with `storage` for one of another version, which could only be read after a change, and as SQLite does.
 */
export function openReadOnly(path: string, applicationId: number, version: number): DatabaseSync | null {
  if (!existsSync(path)) return null;
  const connection = new DatabaseSync(addressToRead(path), { readOnly: true, timeout: 5_000 });
  try {
    connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    const pragma = (name: string) => Number(connection.prepare(`PRAGMA ${name}`).get()?.[name]);
    if (pragma('application_id') !== applicationId) {
      connection.close();
      return null;
    }
    const found = pragma('user_version');
    if (found === version) return connection;
    const age = found > version ? 'a newer' : 'an older';
    const advice = found > version ? 'Use that version' : 'Make its folder writable so that Croupier can update it';
    throw new AppError('storage', `The history ${path} was written by ${age} version of Croupier and is read-only. ${advice}.`, {
      state: found > version ? 'newer' : 'readonly',
    });
  } catch (error) {
    connection.close();
    throw error;
  }
}
