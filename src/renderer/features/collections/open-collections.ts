import type { Client, CollectionNode } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { OpenCollection } from './tree-rows.ts';

/** The open collections and their contents. */
export interface OpenCollectionsState {
  readonly list:
    | { readonly state: 'loading' }
    | { readonly state: 'failed'; readonly message: string }
    | { readonly state: 'ready'; readonly collections: readonly OpenCollection[] };
  readonly load: () => Promise<void>;
}

/** The part of the store that reads the open collections, and its functions for the other parts. */
export interface OpenCollections {
  readonly state: OpenCollectionsState;
  /** Reads collections and shows them together, so that an item that moved between them never stands in both. */
  readonly loadTrees: (ids: readonly string[]) => Promise<void>;
  /** Returns the files and folders of a collection; none until it is read. */
  readonly nodesOf: (id: string) => readonly CollectionNode[];
  readonly nameOf: (id: string) => string;
}

/** Milliseconds within which changes are read together: a pull changes many files. */
const PAUSE_MS = 40;

/** Finds an open collection by its ID; undefined until the list is read. */
export function openCollection(list: OpenCollectionsState['list'], id: string): OpenCollection | undefined {
  return list.state === 'ready' ? list.collections.find(({ collection }) => collection.id === id) : undefined;
}

/** Reads the open collections, and each again after a change in it. */
export function createOpenCollections(
  client: Client,
  { getState, setState }: StorePart<OpenCollectionsState>,
  later: (run: () => void, milliseconds: number) => () => void,
): OpenCollections {
  const reading = createTreeReading(client);
  const waiting = new Set<string>();
  /** IDs of the collections that another page may have opened or closed. */
  const listed = new Set<string>();

  client.on('collections.changed', ({ id, paths }) => {
    if (paths.length === 0) listed.add(id);
    if (waiting.has(id)) return;
    waiting.add(id);
    later(() => {
      waiting.delete(id);
      startWork(listed.delete(id) ? reload(id) : loadTrees([id]));
    }, PAUSE_MS);
  });

  /** Reads the list of open collections; returns their IDs, or null if that fails. */
  async function readList(): Promise<string[] | null> {
    try {
      const { collections } = await client.call('collections.list', {});
      setState(({ list }) => ({
        list: {
          state: 'ready',
          collections: collections.map((collection) => ({
            collection,
            tree: openCollection(list, collection.id)?.tree ?? { state: 'loading' },
          })),
        },
      }));
      return collections.map(({ id }) => id);
    } catch (thrown) {
      setState({ list: { state: 'failed', message: asAppError(thrown).message } });
      return null;
    }
  }

  async function reload(id: string): Promise<void> {
    if ((await readList())?.includes(id) === true) await loadTrees([id]);
  }

  async function loadTrees(ids: readonly string[]): Promise<void> {
    const read = await reading.read(ids);
    setState(({ list }) =>
      list.state !== 'ready'
        ? {}
        : {
            list: {
              state: 'ready',
              collections: list.collections.map((one) => read.get(one.collection.id)?.(one) ?? one),
            },
          },
    );
  }

  return {
    state: {
      list: { state: 'loading' },
      async load() {
        await Promise.all((await readList())?.map((id) => loadTrees([id])) ?? []);
      },
    },
    loadTrees,
    nodesOf(id) {
      const tree = openCollection(getState().list, id)?.tree;
      return tree?.state === 'ready' ? tree.nodes : [];
    },
    nameOf: (id) => openCollection(getState().list, id)?.collection.name ?? 'the collection',
  };
}

/** Computes a collection after it was read, from its state before. */
type Read = (before: OpenCollection) => OpenCollection;

/** Reads the contents of collections. The reply to an earlier question never replaces that to a later one. */
function createTreeReading(client: Client): { readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Read>> } {
  const asked = new Map<string, number>();
  const applied = new Map<string, number>();

  async function readTree(id: string): Promise<Read> {
    try {
      const { collection, nodes, problem, notices, readOnly, variables } = await client.call('collections.tree', { id });
      return () => ({ collection, tree: { state: 'ready', nodes, problem, notices, readOnly, variables } });
    } catch (thrown) {
      const { message } = asAppError(thrown);
      return (before) => ({ ...before, tree: { state: 'failed', message } });
    }
  }

  return {
    async read(ids) {
      const rounds = ids.map((id) => {
        const round = (asked.get(id) ?? 0) + 1;
        asked.set(id, round);
        return { id, round };
      });
      const read = await Promise.all(rounds.map(async (one) => ({ ...one, apply: await readTree(one.id) })));
      // While a later question is under way, an earlier reply is better than none.
      const newer = read.filter(({ id, round }) => round > (applied.get(id) ?? 0));
      for (const { id, round } of newer) applied.set(id, round);
      return new Map(newer.map(({ id, apply }) => [id, apply]));
    },
  };
}
