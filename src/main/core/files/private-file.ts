import { closeSync, openSync } from 'node:fs';

/**
 * Creates an empty file that only its owner may read, if it is missing. SQLite would create one that everybody may read. An
 * existing one is not opened: POSIX releases all of a process's locks of a file as soon as the process closes any descriptor of it.
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
}
