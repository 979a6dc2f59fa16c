import { folderOf, nameOf } from '#shared/collections/file-names.ts';
import type { Payload } from '#shared/ipc/index.ts';
import type { FileReader } from './file-reader.ts';
import { createLive, type LiveCollection } from './live-collection.ts';

export interface LiveCollectionsDeps {
  /** Fails with `not_found` for a collection that is not open. */
  readonly directoryOf: (id: string) => Promise<string>;
  readonly reader: FileReader;
  readonly onChange: (change: Payload<'collections.changed'>) => void;
  readonly onFault: (error: unknown) => void;
  readonly platform: NodeJS.Platform;
}

/** The collections that are in use in this session, each made when it is first asked for. */
export interface LiveCollections {
  /** Fails with `not_found` for a collection that is not open. */
  of(id: string): Promise<LiveCollection>;
  /** Returns the shown names of a folder, in its order. */
  names(id: string, folder: string): Promise<readonly string[]>;
  /** Looks at one that is in use; its listeners hear of changes, and nobody of a failure. */
  lookAgain(id: string): void;
  drop(id: string): void;
  /** Reports changes by other programs from now on, of those in use and of later ones. */
  watch(): void;
  close(): void;
}

export function createLiveCollections(deps: LiveCollectionsDeps): LiveCollections {
  const { directoryOf, reader, onChange, onFault, platform } = deps;
  const lives = new Map<string, LiveCollection>();
  let watching = false;

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
    async names(id, folder) {
      const { nodes } = await (await liveOf(id)).look();
      return nodes.filter(({ path }) => folderOf(path) === folder).map(({ path }) => nameOf(path));
    },
    lookAgain(id) {
      void lives
        .get(id)
        ?.look()
        .catch(() => undefined);
    },
    drop(id) {
      lives.get(id)?.close();
      lives.delete(id);
    },
    watch() {
      watching = true;
      for (const live of lives.values()) live.watch();
    },
    close() {
      for (const live of lives.values()) live.close();
    },
  };
}
