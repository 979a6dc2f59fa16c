import { AppError } from '#shared/errors.ts';
import { createScanner } from './tree.ts';
import type { Scan } from './tree.ts';
import { createWatcher } from './watcher.ts';
import type { Watcher } from './watcher.ts';
import { folderOf, nameOf } from '#shared/collections/file-names.ts';
import type { Payload } from '#shared/ipc/index.ts';
import type { FileReader } from './file-reader.ts';

export interface LiveCollectionsDeps {
  /** Fails with `not_found` for a collection that is not open. */
  readonly directoryOf: (id: string) => Promise<string>;
  readonly reader: FileReader;
  readonly onChange: (change: Payload<'collections.changed'>) => void;
  readonly onFault: (error: unknown) => void;
  readonly platform: NodeJS.Platform;
}

/** The collections that are in use in this session, each made when it is first asked for. */
export type LiveCollections = ReturnType<typeof createLiveCollections>;

export function createLiveCollections(deps: LiveCollectionsDeps) {
  const { directoryOf, reader, onChange, onFault, platform } = deps;
  const lives = new Map<string, LiveCollection>();
  let watching = false;

  /** Fails with `not_found` for a collection that is not open. */
  async function liveOf(id: string): Promise<LiveCollection> {
    const directory = await directoryOf(id);
    const existing = lives.get(id);
    if (existing !== undefined) return existing;
    const live = createLive({ directory, reader, platform, onFault, onChange: (paths) => onChange({ id, paths }) });
    if (watching) live.watch();
    lives.set(id, live);
    return live;
  }

  return {
    of: liveOf,
    /** Returns the shown names of a folder, in its order. */
    async names(id: string, folder: string): Promise<readonly string[]> {
      const { nodes } = await (await liveOf(id)).read();
      return nodes.filter(({ path }) => folderOf(path) === folder).map(({ path }) => nameOf(path));
    },
    /** Reads one that is in use; its listeners hear of changes, and nobody of a failure. */
    readAgain(id: string): void {
      void lives
        .get(id)
        ?.read()
        .catch(() => undefined);
    },
    drop(id: string): void {
      lives.get(id)?.close();
      lives.delete(id);
    },
    /** Reports changes by other programs from now on, of those in use and of later ones. */
    watch(): void {
      watching = true;
      for (const live of lives.values()) live.watch();
    },
    close(): void {
      for (const live of lives.values()) live.close();
    },
  };
}

/** A collection in use in this session: its contents, and the changes since it was last read. */
type LiveCollection = ReturnType<typeof createLive>;

interface LiveDeps extends Pick<LiveCollectionsDeps, 'reader' | 'onFault' | 'platform'> {
  readonly directory: string;
  /** Called with the paths that are new, changed or gone; none if the directory itself is gone or back. */
  readonly onChange: (paths: string[]) => void;
}

export function createLive({ directory, reader, onChange, onFault, platform }: LiveDeps) {
  const stop = new AbortController();
  const scan = createScanner(directory, reader, stop.signal);
  let before: ReadonlyMap<string, string> | null = null;
  let last: Scan | null = null;
  let gone = false;
  let watcher: Watcher | null = null;
  let closed = false;
  let changing = 0;
  // Readings take turns, so that one that began earlier does not restore an older state.
  let turn: Promise<unknown> = Promise.resolve();

  async function scanNow(): Promise<Scan> {
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

  /** Reads the directory and reports changes. Fails with `not_found` if it is gone. */
  function read(): Promise<Scan> {
    const result = turn.then(scanNow);
    turn = result.catch(() => undefined);
    return result;
  }

  return {
    read,
    /** Returns what was read last; reads if nothing was. */
    seen: async (): Promise<Scan> => last ?? read(),
    /** Does work that changes the directory without a reading for each of its changes: the caller reads when it is done. */
    async quietly<T>(work: () => Promise<T>): Promise<T> {
      changing += 1;
      try {
        return await work();
      } finally {
        changing -= 1;
      }
    },
    /** Reports changes by other programs from now on, too. */
    watch(): void {
      if (watcher !== null || closed) return;
      watcher = createWatcher({
        directory,
        platform,
        onChange() {
          if (changing > 0) return;
          void read().catch((error: unknown) => {
            if (!(error instanceof AppError)) onFault(error);
          });
        },
      });
      watcher.follow(['']);
    },
    /** Returns why changes are not noticed at once; null if they are or nobody listens. */
    trouble: (): string | null => watcher?.trouble() ?? null,
    close(): void {
      closed = true;
      // A closed collection does not read thousands of large files to the end.
      stop.abort(new AppError('cancelled', 'The collection was closed while loading. Open it again.'));
      watcher?.close();
    },
  };
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const changed = [...after].filter(([path, content]) => before.get(path) !== content).map(([path]) => path);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  return [...changed, ...gone].sort();
}
