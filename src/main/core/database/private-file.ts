import { closeSync, openSync } from 'node:fs';

/** Makes an empty file that only its owner may read, where there is none. SQLite would make one that everybody may read. */
export function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}
