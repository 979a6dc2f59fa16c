import type { CollectionRequest } from '#shared/collections/model.ts';
import { fileOfRequest, folderOf, pathIn, refusedName } from '#shared/collections/file-names.ts';
import type { Client } from '#shared/ipc/index.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { FileChanges } from './file-changes.ts';
import type { OpenCollections } from './open-collections.ts';
import { rowKey, titleOf, type Place } from './tree-rows.ts';
import type { TreeView, TreeViewState } from './tree-view.ts';

/** The part of the store that creates, renames and removes requests and folders. */
export interface TreeEditsState {
  /** Key of the row whose name is being written. */
  readonly renaming: string | null;
  readonly startRename: (key: string | null) => void;
  /** Returns false if the name was refused; the field then stays open. */
  readonly rename: (place: Place, name: string) => Promise<boolean>;
  readonly duplicate: (place: Place) => Promise<void>;
  readonly remove: (place: Place) => Promise<void>;
  readonly newFolder: (place: Place) => Promise<void>;
  /** Creates a folder with a name; its path is null if it was not created, and `problem` says why. */
  readonly createFolder: (place: Place, name: string) => Promise<{ readonly path: string | null; readonly problem: string }>;
  /** Returns the path of the new request, or null if it was not created. */
  readonly newRequest: (place: Place, request: CollectionRequest) => Promise<string | null>;
}

/** Creates the part of the store that creates, renames and removes requests and folders. */
export function createTreeEdits(
  client: Client,
  notify: Notify,
  { setState }: StorePart<TreeEditsState & Pick<TreeViewState, 'activeKey'>>,
  { nodesOf, loadTrees }: Pick<OpenCollections, 'nodesOf' | 'loadTrees'>,
  { change, relocate }: FileChanges,
  { reveal }: Pick<TreeView, 'reveal'>,
): TreeEditsState {
  function freeName(folder: string, id: string, wanted: string, fileOf: (name: string) => string): string {
    const taken = new Set(nodesOf(id).map(({ path }) => path.toLowerCase()));
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wanted : `${wanted} ${number}`;
      if (!taken.has(pathIn(folder, fileOf(name)).toLowerCase())) return name;
    }
  }

  /** Returns the folder that a new item is created in. */
  function folderAt({ collectionId, path }: Place): string {
    const node = nodesOf(collectionId).find((one) => one.path === path);
    return node?.kind === 'request' ? folderOf(path) : path;
  }

  /** Shows a new item, with the field for its name. */
  function name(place: Place): void {
    reveal(place);
    setState({ renaming: rowKey(place.collectionId, place.path) });
  }

  return {
    renaming: null,
    startRename: (renaming) => setState({ renaming }),
    async rename(place, wanted) {
      const node = nodesOf(place.collectionId).find(({ path }) => path === place.path);
      const refused = refusedName(wanted, node?.kind ?? 'request');
      if (refused !== null) {
        notify({ tone: 'warn', text: refused });
        return false;
      }
      setState({ renaming: null });
      if (node === undefined || node.name === wanted) return true;
      const { collectionId, path } = place;
      await relocate(place, `"${node.name}" was not renamed.`, async () => {
        const to = await client.call('collections.rename', { id: collectionId, path, name: wanted });
        return { collectionId, path: to.path };
      });
      return true;
    },
    async duplicate({ collectionId: id, path }) {
      const copy = await change(id, `"${titleOf(path)}" was not duplicated.`, () =>
        client.call('collections.duplicate', { id, path }),
      );
      if (copy === null) return;
      setState({ activeKey: rowKey(id, copy.path) });
      announcer.say(`Created "${titleOf(copy.path)}".`);
    },
    async remove({ collectionId: id, path }) {
      const removed = await change(id, `"${titleOf(path)}" was not deleted.`, () =>
        client.call('collections.remove', { id, path }),
      );
      if (removed === null) return;
      const { removal } = removed;
      const undo = async () => {
        const back = await change(id, `"${titleOf(path)}" was not restored.`, () =>
          client.call('collections.restore', { id, removal }),
        );
        if (back !== null) reveal({ collectionId: id, path: back.path });
        return back !== null;
      };
      notify({
        tone: 'note',
        text: `Deleted "${titleOf(path)}".`,
        undo: { what: `deleted "${titleOf(path)}"`, run: undo },
      });
    },
    async newFolder(place) {
      const { collectionId: id } = place;
      const folder = folderAt(place);
      const made = await change(id, 'The folder was not created.', () =>
        client.call('collections.createFolder', { id, folder, name: freeName(folder, id, 'New folder', (one) => one) }),
      );
      if (made !== null) name({ collectionId: id, path: made.path });
    },
    async createFolder(place, wanted) {
      try {
        const { path } = await client.call('collections.createFolder', {
          id: place.collectionId,
          folder: place.path,
          name: wanted,
        });
        await loadTrees([place.collectionId]);
        return { path, problem: '' };
      } catch (error) {
        return { path: null, problem: asAppError(error).message };
      }
    },
    async newRequest(place, request) {
      const { collectionId: id } = place;
      const folder = folderAt(place);
      const made = await change(id, 'The request was not created.', () =>
        client.call('collections.create', {
          id,
          folder,
          name: freeName(folder, id, request.operation, fileOfRequest),
          request,
        }),
      );
      if (made === null) return null;
      name({ collectionId: id, path: made.path });
      return made.path;
    },
  };
}
