import type { Client } from '#shared/ipc/index.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { OpenCollectionsState } from './open-collections.ts';
import type { TreeView, TreeViewState } from './tree-view.ts';

/** What opens and closes collections. */
export interface OpenDirectoriesState {
  /** Whether the question for a directory is open, and why the last answer did not do. */
  readonly opening: { readonly problem: string | null; readonly busy: boolean } | null;
  readonly startOpening: () => void;
  readonly stopOpening: () => void;
  /** Opens a directory by its absolute path; with `create` it is made where it is missing. */
  readonly openDirectory: (directory: string, create: boolean) => Promise<void>;
  /** Shows a collection that core has just opened. */
  readonly showOpened: (id: string) => Promise<void>;
  /** Closes a collection; its files stay. */
  readonly forget: (id: string) => Promise<void>;
}

/** Creates the part of the store that opens and closes collections. */
export function createOpenDirectories(
  client: Client,
  notify: Notify,
  { getState, setState }: StorePart<OpenDirectoriesState & OpenCollectionsState & Pick<TreeViewState, 'part'>>,
  { reveal }: Pick<TreeView, 'reveal'>,
): OpenDirectoriesState {
  return {
    opening: null,
    startOpening: () => setState({ opening: { problem: null, busy: false }, part: 'collections' }),
    stopOpening: () => setState({ opening: null }),
    async openDirectory(directory, create) {
      setState({ opening: { problem: null, busy: true } });
      try {
        const { id } = await client.call('collections.open', { directory, create });
        setState({ opening: null });
        await getState().showOpened(id);
      } catch (thrown) {
        const error = asAppError(thrown);
        setState({ opening: { problem: error.message, busy: false } });
      }
    },
    async showOpened(id) {
      setState({ part: 'collections' });
      reveal({ collectionId: id, path: '' });
      await getState().load();
    },
    async forget(id) {
      try {
        await client.call('collections.forget', { id });
      } catch (thrown) {
        const error = asAppError(thrown);
        notify({ tone: 'bad', text: `The collection was not closed. ${error.message}` });
      }
      await getState().load();
    },
  };
}
