import { AppError } from '#shared/errors.ts';
import { createScanner } from './tree.ts';
import type { FileReader } from './file-reader.ts';
import type { Scan } from './tree.ts';
import { createWatcher } from './watcher.ts';
import type { Watcher } from './watcher.ts';

/** A collection in use in this session: its contents, and the changes since the last look. */
export interface LiveCollection {
  /** Looks at the directory and reports changes. Fails with `not_found` if it is gone. */
  look(): Promise<Scan>;
  /** Returns what the last look found; looks if there was none. */
  seen(): Promise<Scan>;
  /** Does work that changes the directory without a look at each of its changes: the caller looks when it is done. */
  quietly<T>(work: () => Promise<T>): Promise<T>;
  /** Reports changes by other programs from now on, too. */
  watch(): void;
  /** Returns why changes are not noticed at once; null if they are or nobody listens. */
  trouble(): string | null;
  close(): void;
}

export interface LiveDeps {
  readonly directory: string;
  readonly reader: FileReader;
  /** Called with the paths that are new, changed or gone; none if the directory itself is gone or back. */
  readonly onChange: (paths: string[]) => void;
  readonly onFault: (error: unknown) => void;
  readonly platform: NodeJS.Platform;
}

export function createLive({ directory, reader, onChange, onFault, platform }: LiveDeps): LiveCollection {
  const stop = new AbortController();
  const scan = createScanner(directory, reader, stop.signal);
  let before: ReadonlyMap<string, string> | null = null;
  let last: Scan | null = null;
  let gone = false;
  let watcher: Watcher | null = null;
  let closed = false;
  let changing = 0;
  // Looks take turns, so that one that began earlier does not restore an older state.
  let turn: Promise<unknown> = Promise.resolve();

  async function lookNow(): Promise<Scan> {
    let found: Scan;
    try {
      found = await scan();
      // Changes in a new folder before it was watched would be missed.
      for (let round = 0; round < 5 && !closed && watcher?.follow(found.folders) === true; round += 1) found = await scan();
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found' && !gone) {
        gone = true;
        before = null;
        if (!closed) onChange([]);
      }
      throw error;
    }
    const paths = before === null ? [] : differences(before, found.contents);
    before = found.contents;
    last = found;
    if (gone) {
      gone = false;
      if (!closed) onChange([]);
    } else if (paths.length > 0 && !closed) onChange(paths);
    return found;
  }

  function look(): Promise<Scan> {
    const result = turn.then(lookNow);
    turn = result.catch(() => undefined);
    return result;
  }

  return {
    look,
    seen: async () => last ?? look(),
    async quietly(work) {
      changing += 1;
      try {
        return await work();
      } finally {
        changing -= 1;
      }
    },
    watch() {
      if (watcher !== null || closed) return;
      watcher = createWatcher({
        directory,
        platform,
        onChange() {
          if (changing > 0) return;
          void look().catch((error: unknown) => {
            if (!(error instanceof AppError)) onFault(error);
          });
        },
      });
      watcher.follow(['']);
    },
    trouble: () => watcher?.trouble() ?? null,
    close() {
      closed = true;
      // A closed collection does not read thousands of large files to the end.
      stop.abort(new AppError('cancelled', 'The collection was closed while it was read. Open it again.'));
      watcher?.close();
    },
  };
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const changed = [...after].filter(([path, content]) => before.get(path) !== content).map(([path]) => path);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  return [...changed, ...gone].sort();
}
