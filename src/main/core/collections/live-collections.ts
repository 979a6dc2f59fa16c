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
      const { nodes } = await (await liveOf(id)).look();
      return nodes.filter(({ path }) => folderOf(path) === folder).map(({ path }) => nameOf(path));
    },
    /** Looks at one that is in use; its listeners hear of changes, and nobody of a failure. */
    lookAgain(id: string): void {
      void lives
        .get(id)
        ?.look()
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
