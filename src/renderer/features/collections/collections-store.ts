import type { Place, CollectionsState } from './collections-state.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { folderOf, pathIn, refusedName, fileOfRequest } from '#shared/collections/file-names.ts';
import type { Client, CollectionNode } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { readRemembered, writeRemembered } from './remembered-tree.ts';
import { createTreeMoves } from './tree-moves.ts';
import { ancestors, rowKey, titleOf, type OpenCollection } from './tree-rows.ts';

export type CollectionsStore = StoreApi<CollectionsState>;

export interface CollectionsStoreDeps {
  readonly notify: Notify;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Something is about to lie elsewhere; what it gives back is called with where that is, or null where it stayed. */
  readonly onMoving: (place: Place) => (to: Place | null) => void;
}

/** A pull changes many files: they are read again once. */
const PAUSE_MS = 40;

/** The open collections, what they hold and what is done with their files. */
export function createCollectionsStore(client: Client, deps: CollectionsStoreDeps): CollectionsStore {
  return createStore<CollectionsState>()((set, get) => {
    const waiting = new Map<string, () => void>();
    const asked = new Map<string, number>();
    const applied = new Map<string, number>();
    /** Changes by hand take turns, so that each sees what the one before has left. */
    let turn: Promise<unknown> = Promise.resolve();

    /** Collections of which another page may have opened or closed one. */
    const listed = new Set<string>();

    const stop = client.on('collections.changed', ({ id, paths }) => {
      if (paths.length === 0) listed.add(id);
      if (waiting.has(id)) return;
      const callOff = deps.later(() => {
        waiting.delete(id);
        startWork(listed.delete(id) ? lookAnew(id) : loadTree(id));
      }, PAUSE_MS);
      waiting.set(id, callOff);
    });

    /** Takes up which are open; gives their ids, or null where that cannot be read. */
    async function readList(): Promise<string[] | null> {
      try {
        const { collections } = await client.call('collections.list', {});
        set(({ list }) => ({
          list: {
            state: 'ready',
            collections: collections.map((collection) => ({
              collection,
              tree: (list.state === 'ready'
                ? list.collections.find((one) => one.collection.id === collection.id)?.tree
                : null) ?? {
                state: 'loading',
              },
            })),
          },
        }));
        return collections.map(({ id }) => id);
      } catch (thrown) {
        const error = asAppError(thrown);
        set({ list: { state: 'failed', message: error.message } });
        return null;
      }
    }

    async function lookAnew(id: string): Promise<void> {
      if ((await readList())?.includes(id) === true) await loadTree(id);
    }

    /** Reads collections and shows them together, so that what went from one to another never stands in both. */
    async function loadTrees(ids: readonly string[]): Promise<void> {
      const read = await Promise.all(ids.map(readTree));
      // An answer to an earlier question never takes the place of a later one; while that is under way, it is better than none.
      const newer = read.filter(({ id, round }) => round > (applied.get(id) ?? 0));
      for (const { id, round } of newer) applied.set(id, round);
      const found = new Map(newer.map((one) => [one.id, one]));
      set(({ list }) =>
        list.state !== 'ready'
          ? {}
          : {
              list: {
                state: 'ready',
                collections: list.collections.map((one) => found.get(one.collection.id)?.apply(one) ?? one),
              },
            },
      );
    }

    async function readTree(
      id: string,
    ): Promise<{ id: string; round: number; apply: (before: OpenCollection) => OpenCollection }> {
      const round = (asked.get(id) ?? 0) + 1;
      asked.set(id, round);
      try {
        const { collection, nodes, problem, notices, readOnly } = await client.call('collections.tree', { id });
        return { id, round, apply: () => ({ collection, tree: { state: 'ready', nodes, problem, notices, readOnly } }) };
      } catch (thrown) {
        const error = asAppError(thrown);
        const { message } = error;
        return { id, round, apply: (before) => ({ ...before, tree: { state: 'failed', message } }) };
      }
    }

    const loadTree = (id: string) => loadTrees([id]);

    function nodesOf(id: string): readonly CollectionNode[] {
      const { list } = get();
      const found = list.state === 'ready' ? list.collections.find(({ collection }) => collection.id === id) : undefined;
      return found?.tree.state === 'ready' ? found.tree.nodes : [];
    }

    /** Does something with the files, then shows what became of them; says why where it could not. Null for a failure. */
    function change<T>(id: string, failed: string, work: () => Promise<T>): Promise<T | null> {
      const result = turn.then(async () => {
        try {
          const done = await work();
          await loadTree(id);
          return done;
        } catch (thrown) {
          const error = asAppError(thrown);
          deps.notify({ tone: 'bad', text: `${failed} ${error.message}` });
          await loadTree(id);
          return null;
        }
      });
      turn = result.catch(() => undefined);
      return result;
    }

    const { relocate, ...moves } = createTreeMoves({
      client,
      notify: deps.notify,
      onMoving: deps.onMoving,
      set,
      change,
      loadTrees,
      nodesOf,
      nameOf(id) {
        const { list } = get();
        const found = list.state === 'ready' ? list.collections.find(({ collection }) => collection.id === id) : undefined;
        return found?.collection.name ?? 'the collection';
      },
    });

    function reveal(id: string, path: string): void {
      set(({ open }) => {
        const around = ancestors(path).map((one) => rowKey(id, one));
        return { open: new Set([...open, ...around]), activeKey: rowKey(id, path), filter: '' };
      });
    }

    function freeName(folder: string, id: string, wanted: string, fileOf: (name: string) => string): string {
      const taken = new Set(nodesOf(id).map(({ path }) => path.toLowerCase()));
      for (let number = 1; ; number += 1) {
        const name = number === 1 ? wanted : `${wanted} ${number}`;
        if (!taken.has(pathIn(folder, fileOf(name)).toLowerCase())) return name;
      }
    }

    /** The folder that something new comes to lie in. */
    function folderAt({ collectionId, path }: Place): string {
      const node = nodesOf(collectionId).find((one) => one.path === path);
      return node?.kind === 'request' ? folderOf(path) : path;
    }

    return {
      list: { state: 'loading' },
      part: 'operations',
      open: new Set(),
      filter: '',
      activeKey: null,
      focused: false,
      renaming: null,
      opening: null,
      moving: null,
      editing: null,

      async load() {
        await Promise.all((await readList())?.map(loadTree) ?? []);
      },
      setPart: (part) => set({ part }),
      setFilter: (filter) => set({ filter }),
      setActive: (activeKey) => set({ activeKey }),
      setFocused: (focused) => set({ focused }),
      toggle(key, wanted) {
        set(({ open }) => {
          const next = new Set(open);
          if (wanted) next.add(key);
          else next.delete(key);
          return { open: next };
        });
      },
      startMoving: (moving) => set({ moving }),
      startOpening: () => set({ opening: { problem: null, busy: false }, part: 'collections' }),
      stopOpening: () => set({ opening: null }),
      async openDirectory(directory, create) {
        set({ opening: { problem: null, busy: true } });
        try {
          const { id } = await client.call('collections.open', { directory, create });
          set({ opening: null });
          await get().showOpened(id);
        } catch (thrown) {
          const error = asAppError(thrown);
          set({ opening: { problem: error.message, busy: false } });
        }
      },
      async showOpened(id) {
        set({ part: 'collections' });
        reveal(id, '');
        await get().load();
      },
      async forget(id) {
        try {
          await client.call('collections.forget', { id });
        } catch (thrown) {
          const error = asAppError(thrown);
          deps.notify({ tone: 'bad', text: `The collection was not closed. ${error.message}` });
        }
        await get().load();
      },
      startRename: (renaming) => set({ renaming }),
      async rename(place, name) {
        const node = nodesOf(place.collectionId).find(({ path }) => path === place.path);
        const refused = refusedName(name, node?.kind ?? 'request');
        if (refused !== null) {
          deps.notify({ tone: 'warn', text: refused });
          return false;
        }
        set({ renaming: null });
        if (node === undefined || node.name === name) return true;
        const { collectionId, path } = place;
        await relocate(place, `“${node.name}” was not renamed.`, async () => {
          const to = await client.call('collections.rename', { id: collectionId, path, name });
          return { collectionId, path: to.path };
        });
        return true;
      },
      ...moves,
      async duplicate({ collectionId: id, path }) {
        const copy = await change(id, `“${titleOf(path)}” was not duplicated.`, () =>
          client.call('collections.duplicate', { id, path }),
        );
        if (copy !== null) set({ activeKey: rowKey(id, copy.path) });
      },
      async remove({ collectionId: id, path }) {
        const removed = await change(id, `“${titleOf(path)}” was not deleted.`, () =>
          client.call('collections.remove', { id, path }),
        );
        if (removed === null) return;
        const { removal } = removed;
        const undo = async () => {
          const back = await change(id, `“${titleOf(path)}” was not restored.`, () =>
            client.call('collections.restore', { id, removal }),
          );
          if (back !== null) reveal(id, back.path);
        };
        deps.notify({
          tone: 'note',
          text: `Deleted “${titleOf(path)}”.`,
          action: { label: 'Undo', run: () => startWork(undo()) },
        });
      },
      async newFolder(place) {
        const { collectionId: id } = place;
        const folder = folderAt(place);
        const made = await change(id, 'The folder was not made.', () =>
          client.call('collections.createFolder', { id, folder, name: freeName(folder, id, 'New folder', (name) => name) }),
        );
        if (made === null) return;
        reveal(id, made.path);
        set({ renaming: rowKey(id, made.path) });
      },
      async newRequest(place, request) {
        const { collectionId: id } = place;
        const folder = folderAt(place);
        const made = await change(id, 'The request was not made.', () =>
          client.call('collections.create', {
            id,
            folder,
            name: freeName(folder, id, request.operation, fileOfRequest),
            request,
          }),
        );
        if (made === null) return null;
        reveal(id, made.path);
        set({ renaming: rowKey(id, made.path) });
        return made.path;
      },
      edit: (editing) => set({ editing }),
      exportView: () => writeRemembered(get()),
      restoreView: (text) => set(readRemembered(text)),
      close() {
        stop();
        for (const callOff of waiting.values()) callOff();
        waiting.clear();
      },
    };
  });
}
