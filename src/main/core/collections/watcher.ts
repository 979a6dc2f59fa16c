import { statSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { basename, join } from 'node:path';

/** Notices that something below a directory may have changed; a look then finds what. */
export type Watcher = ReturnType<typeof createWatcher>;

export interface WatcherDeps {
  readonly directory: string;
  readonly onChange: () => void;
  /** Linux watches one folder at a time; the other systems watch a whole tree, and Windows would lock each watched folder. */
  readonly platform: NodeJS.Platform;
  /** Returns whether a change of a file counts; `name` is its name, or its path where a whole tree is watched. */
  readonly counts?: (name: string) => boolean;
  readonly watch?: typeof watch;
}

/** Milliseconds of quiet after which a change is reported: a checkout touches many files. */
const quietMs = 40;
/** Milliseconds after which it is reported at the latest. */
const longestMs = 400;
/** Number of folders beyond which a system that counts watched folders would have none left for other programs. */
const mostFolders = 2_000;

/** Temporary files of Croupier and of git come and go. */
function isShown(name: string): boolean {
  return !name.split(/[\\/]/).some((part) => part.startsWith('.'));
}

export function createWatcher(deps: WatcherDeps) {
  const { directory, onChange, platform, counts = isShown, watch: start = watch } = deps;
  const perFolder = platform === 'linux';
  const watched = new Map<string, { watcher: FSWatcher; inode: number }>();
  let trouble: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  let since = 0;

  function noticed(): void {
    const now = performance.now();
    if (timer === null) since = now;
    else clearTimeout(timer);
    timer = setTimeout(
      () => {
        timer = null;
        onChange();
      },
      Math.max(0, Math.min(quietMs, since + longestMs - now)),
    );
    timer.unref();
  }

  function stop(folder: string): void {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  }

  function fail(cause: unknown): void {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    const why = ['ENOSPC', 'EMFILE', 'ENFILE'].includes(code) ? 'the system already watches too many folders' : code;
    trouble = `Croupier can't see changes by other programs immediately here (${why}). It sees them when it reads the collection again.`;
  }

  function add(folder: string): boolean {
    const absolute = folder === '' ? directory : join(directory, ...folder.split('/'));
    const inode = statSync(absolute, { throwIfNoEntry: false })?.ino;
    if (inode === undefined) return false;
    // A folder that was removed and created again is another one.
    if (watched.get(folder)?.inode === inode) return false;
    stop(folder);
    try {
      const watcher = start(absolute, { recursive: !perFolder, persistent: false }, (event, name) => {
        // The folder itself went: a new one in its place may get its very inode, and is watched again.
        if (event === 'rename' && name === basename(absolute)) stop(folder);
        if (typeof name === 'string' && !counts(name)) return;
        noticed();
      });
      watcher.on('error', (error) => {
        stop(folder);
        // On Windows a watched directory that is removed is an error.
        if (statSync(absolute, { throwIfNoEntry: false }) !== undefined) fail(error);
        noticed();
      });
      watched.set(folder, { watcher, inode });
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') fail(cause);
      return false;
    }
  }

  return {
    /** Watches these folders (paths with `/`, the directory itself is empty) and no others. Returns true if one of them is new. */
    follow(folders: readonly string[]): boolean {
      const wanted = perFolder ? folders.slice(0, mostFolders) : [''];
      trouble = null;
      for (const folder of watched.keys()) if (!wanted.includes(folder)) stop(folder);
      let added = false;
      for (const folder of wanted) added = add(folder) || added;
      if (perFolder && folders.length > mostFolders) fail({ code: `more than ${mostFolders} folders` });
      return added;
    },
    /** Returns why changes are not noticed at once; null if they are. */
    trouble: (): string | null => trouble,
    close(): void {
      for (const folder of watched.keys()) stop(folder);
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
