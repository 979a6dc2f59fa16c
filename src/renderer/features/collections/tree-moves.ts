import type { Client, CollectionNode } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { Place, CollectionsState } from './collections-state.ts';
import { ancestors, rowKey, stepDestination, titleOf } from './tree-rows.ts';

/** What moves share with the rest of the collections' store. */
interface Inside {
  readonly client: Client;
  readonly notify: Notify;
  readonly onMoving: (place: Place) => (to: Place | null) => void;
  readonly set: (change: (state: CollectionsState) => Partial<CollectionsState>) => void;
  /** Does something with the files, then reads the collection again; says why where it could not. Null for a failure. */
  readonly change: <T>(id: string, failed: string, work: () => Promise<T>) => Promise<T | null>;
  readonly loadTrees: (ids: readonly string[]) => Promise<void>;
  readonly nodesOf: (id: string) => readonly CollectionNode[];
  readonly nameOf: (id: string) => string;
}

export interface TreeMoves extends Pick<CollectionsState, 'move' | 'step' | 'transfer'> {
  /** Changes a path: open tabs and open folders go with it. Null where it stayed. */
  readonly relocate: (place: Place, failed: string, work: () => Promise<Place | null>) => Promise<Place | null>;
}

/** Where rows go: by their keys, dropped, and into another collection. */
export function createTreeMoves({ client, notify, onMoving, set, change, loadTrees, nodesOf, nameOf }: Inside): TreeMoves {
  async function relocate(place: Place, failed: string, work: () => Promise<Place | null>): Promise<Place | null> {
    const key = rowKey(place.collectionId, place.path);
    let moved: (to: Place | null) => void = () => undefined;
    const done = await change(place.collectionId, failed, async () => {
      moved = onMoving(place);
      const to = await work();
      if (to === null) return null;
      const next = rowKey(to.collectionId, to.path);
      set(({ open, activeKey }) => ({
        open: new Set([...open].map((one) => (one === key || one.startsWith(`${key}/`) ? next + one.slice(key.length) : one))),
        activeKey: activeKey === key ? next : activeKey,
      }));
      // What changed within one collection is read again by `change`.
      if (to.collectionId !== place.collectionId) await loadTrees([place.collectionId, to.collectionId]);
      return to;
    });
    moved(done);
    return done;
  }

  function show({ collectionId, path }: Place): void {
    set(({ open }) => ({ open: new Set([...open, ...ancestors(path).map((one) => rowKey(collectionId, one))]) }));
  }

  return {
    relocate,
    async move(place, { folder, before }) {
      const { collectionId: id, path } = place;
      await relocate(place, `“${titleOf(path)}” was not moved.`, async () => {
        const to = await client.call('collections.move', { id, path, folder, before });
        return { collectionId: id, path: to.path };
      });
      set(({ open }) => ({ open: new Set(open).add(rowKey(id, folder)) }));
    },
    async step(place, step) {
      const { collectionId: id, path } = place;
      await relocate(place, `“${titleOf(path)}” was not moved.`, async () => {
        const to = stepDestination(nodesOf(id), path, step);
        if (to === null) return null;
        set(({ open }) => ({ open: new Set(open).add(rowKey(id, to.folder)) }));
        return { collectionId: id, path: (await client.call('collections.move', { id, path, ...to })).path };
      });
    },
    async transfer(place, { collectionId: toId, folder, before }) {
      const { collectionId: id, path } = place;
      const name = titleOf(path);
      let undo = '';
      const done = await relocate(place, `“${name}” was not moved.`, async () => {
        const to = await client.call('collections.transfer', {
          id,
          path,
          toId,
          folder,
          ...(before === undefined ? {} : { before }),
        });
        undo = to.undo;
        return { collectionId: toId, path: to.path };
      });
      if (done === null) return;
      show(done);
      const back = async () => {
        const there = await relocate(done, `“${name}” was not moved back.`, async () => {
          const to = await client.call('collections.undoTransfer', { undo });
          return { collectionId: id, path: to.path };
        });
        if (there !== null) show(there);
      };
      const where = [nameOf(toId), ...(folder === '' ? [] : [folder])].join('/');
      notify({ tone: 'note', text: `Moved “${name}” to ${where}.`, action: { label: 'Undo', run: () => startWork(back()) } });
    },
  };
}
