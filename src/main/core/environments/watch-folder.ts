import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';

const gatherMs = 30;

/**
 * Calls `onChange` for changes in a folder by other processes, once for several in a row, until the returned function is called.
 * Returns null if the folder cannot be watched.
 */
export function watchFolder(folder: string, onChange: () => void): (() => void) | null {
  let watcher: FSWatcher;
  let announcing: NodeJS.Timeout | null = null;
  try {
    watcher = watch(folder, (_, name) => {
      // Our own temporary files come and go with every write.
      if (name?.startsWith('.') === true || announcing !== null) return;
      announcing = setTimeout(() => {
        announcing = null;
        onChange();
      }, gatherMs);
      announcing.unref();
    });
    watcher.unref();
    watcher.on('error', () => undefined);
  } catch {
    // Not every file system can be watched; reads are up to date all the same.
    return null;
  }
  return () => {
    watcher.close();
    if (announcing !== null) clearTimeout(announcing);
  };
}
