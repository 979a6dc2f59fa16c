import type { Client } from '#shared/ipc/index.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { OpenCollectionsState } from './open-collections.ts';
import type { TreeView, TreeViewState } from './tree-view.ts';

/** The question for the directory of a collection. */
export interface OpenQuestion {
  readonly problem: string | null;
  readonly busy: boolean;
  /** True if it is for a new collection. */
  readonly fresh: boolean;
}

/** The part of the store that opens and closes collections. */
export interface OpenDirectoriesState {
  /** State of the question for a directory, with the reason why the last answer was refused; null while it is closed. */
  readonly opening: OpenQuestion | null;
  /** Asks for a directory; `fresh` offers one that is not there yet, for a new collection. */
  readonly startOpening: (fresh?: boolean) => void;
  readonly stopOpening: () => void;
  /** Opens a directory by its absolute path; with `create`, creates a missing one. */
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
    startOpening: (fresh = false) => setState({ opening: { problem: null, busy: false, fresh }, part: 'collections' }),
    stopOpening: () => setState({ opening: null }),
    async openDirectory(directory, create) {
      const fresh = getState().opening?.fresh ?? false;
      setState({ opening: { problem: null, busy: true, fresh } });
      try {
        const { id } = await client.call('collections.open', { directory, create });
        // A request that is to be saved has to find the collection once the question closes.
        if (!fresh) setState({ opening: null });
        await getState().showOpened(id);
        setState({ opening: null });
      } catch (thrown) {
        setState({ opening: { problem: asAppError(thrown).message, busy: false, fresh } });
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
        notify({ tone: 'bad', text: `The collection was not closed. ${asAppError(thrown).message}` });
      }
      await getState().load();
    },
  };
}
