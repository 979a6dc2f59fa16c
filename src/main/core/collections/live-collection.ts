import { AppError } from '#shared/errors.ts';
import { createScanner } from './tree.ts';
import type { FileReader } from './file-reader.ts';
import type { Scan } from './tree.ts';
import { createWatcher } from './watcher.ts';
import type { Watcher } from './watcher.ts';

/** A collection that is in use in this run: what stands in it, and what changed since it was last looked at. */
export interface LiveCollection {
  /** Looks at the directory and tells what is not as it was. Fails with `not_found` where it is gone. */
  look(): Promise<Scan>;
  /** Does work that changes the directory. What it changes is not looked at piece by piece: whoever asks looks when it is done. */
  quietly<T>(work: () => Promise<T>): Promise<T>;
  /** From now on changes by other programs are told too. */
  watch(): void;
  /** Why they are not told at once; null where they are or nobody listens. */
  trouble(): string | null;
  close(): void;
}

export interface LiveDeps {
  readonly directory: string;
  readonly reader: FileReader;
  /** Paths that are new, changed or gone; none where the directory itself is gone or back. */
  readonly onChange: (paths: string[]) => void;
  readonly onFault: (error: unknown) => void;
  readonly platform: NodeJS.Platform;
}

export function createLive({ directory, reader, onChange, onFault, platform }: LiveDeps): LiveCollection {
  const stop = new AbortController();
  const scan = createScanner(directory, reader, stop.signal);
  let before: ReadonlyMap<string, string> | null = null;
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
      // What changed in a new folder before it was watched would be missed.
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
      // Thousands of large files are not read to the end for nobody.
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
