import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import { createFileChanges, type FileChangesDeps } from './file-changes.ts';
import { createGitMarks, type GitMarksState } from './git-marks.ts';
import { createOpenCollections, type OpenCollectionsState } from './open-collections.ts';
import { createOpenDirectories, type OpenDirectoriesState } from './open-directories.ts';
import { createTreeEdits, type TreeEditsState } from './tree-edits.ts';
import { createTreeMoves, type TreeMovesState } from './tree-moves.ts';
import { createTeamEnvironments, type TeamEnvironmentsState } from './team-environments.ts';
import type { Place } from './tree-rows.ts';
import { createTreeView, type TreeViewState } from './tree-view.ts';

/** The open collections: the sum of the parts, each in a file of its own. */
export interface CollectionsState
  extends
    OpenCollectionsState,
    OpenDirectoriesState,
    TreeViewState,
    TreeEditsState,
    TreeMovesState,
    TeamEnvironmentsState,
    GitMarksState {
  /** The collection or folder whose variables are being edited. */
  readonly editing: Place | null;
  readonly edit: (place: Place | null) => void;
}

export type CollectionsStore = StoreApi<CollectionsState>;

export interface CollectionsStoreDeps extends FileChangesDeps {
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

/** Creates the store of the open collections, their contents and the actions on their files. */
export function createCollectionsStore(client: Client, deps: CollectionsStoreDeps): CollectionsStore {
  const { notify } = deps;
  return createStore<CollectionsState>()((set, _get, store) => {
    const collections = createOpenCollections(client, store, deps.later);
    const view = createTreeView(store);
    const changes = createFileChanges(deps, collections, view);
    return {
      ...collections.state,
      ...view.state,
      ...createOpenDirectories(client, notify, store, view),
      ...createTreeEdits(client, notify, store, collections, changes, view),
      ...createTreeMoves(client, notify, store, collections, changes, view),
      ...createTeamEnvironments(client, notify, store),
      ...createGitMarks(client, store),
      editing: null,
      edit: (editing) => set({ editing }),
    };
  });
}
