import type { Client } from '#shared/ipc/index.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { FileChanges } from './file-changes.ts';
import type { OpenCollections } from './open-collections.ts';
import { stepDestination, titleOf, type Destination, type Place } from './tree-rows.ts';
import type { TreeView } from './tree-view.ts';

/** The part of the store that moves requests and folders. */
export interface TreeMovesState {
  /** The item in the Move dialog. */
  readonly moving: Place | null;
  /** Opens the Move dialog; null closes it. */
  readonly startMoving: (place: Place | null) => void;
  readonly move: (place: Place, to: Destination) => Promise<void>;
  /** Moves into a folder of any open collection; without `before`, sorted by its name. A notice can undo it. */
  readonly transfer: (place: Place, to: { collectionId: string; folder: string; before?: string | null }) => Promise<void>;
  readonly step: (place: Place, step: 'up' | 'down' | 'out' | 'in') => Promise<void>;
}

/** Moves rows: by their keys, by dropping them, and into another collection. */
export function createTreeMoves(
  client: Client,
  notify: Notify,
  { setState }: Pick<StorePart<TreeMovesState>, 'setState'>,
  { nodesOf, nameOf }: Pick<OpenCollections, 'nodesOf' | 'nameOf'>,
  { relocate }: Pick<FileChanges, 'relocate'>,
  { expand, show }: Pick<TreeView, 'expand' | 'show'>,
): TreeMovesState {
  return {
    moving: null,
    startMoving: (moving) => setState({ moving }),
    async move(place, { folder, before }) {
      const { collectionId: id, path } = place;
      await relocate(place, `"${titleOf(path)}" was not moved.`, async () => {
        const to = await client.call('collections.move', { id, path, folder, before });
        return { collectionId: id, path: to.path };
      });
      expand({ collectionId: id, path: folder });
    },
    async step(place, step) {
      const { collectionId: id, path } = place;
      await relocate(place, `"${titleOf(path)}" was not moved.`, async () => {
        const to = stepDestination(nodesOf(id), path, step);
        if (to === null) return null;
        expand({ collectionId: id, path: to.folder });
        return { collectionId: id, path: (await client.call('collections.move', { id, path, ...to })).path };
      });
    },
    async transfer(place, { collectionId: toId, folder, before }) {
      const { collectionId: id, path } = place;
      const name = titleOf(path);
      let undo = '';
      const done = await relocate(place, `"${name}" was not moved.`, async () => {
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
        const there = await relocate(done, `"${name}" was not moved back.`, async () => {
          const to = await client.call('collections.undoTransfer', { undo });
          return { collectionId: id, path: to.path };
        });
        if (there !== null) show(there);
        return there !== null;
      };
      const where = [nameOf(toId), ...(folder === '' ? [] : [folder])].join('/');
      notify({ tone: 'note', text: `Moved "${name}" to ${where}.`, undo: { what: `moved "${name}" to ${where}`, run: back } });
    },
  };
}
