import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import { createCallTabs, type CallTabActions } from './call-tabs.ts';
import { createEditTabs, type EditActions } from './edit-tabs.ts';
import { createExampleTabs, type ExampleState } from './example-tabs.ts';
import { createFileTabs, type FileTabState } from './file-tabs.ts';
import { createFollowedFiles, type FollowedFileActions } from './followed-files.ts';
import { createNewTabs, type NewTabActions } from './new-tabs.ts';
import { createRequestLayout, type RequestLayoutState, type RequestLayout } from '../request-layout.ts';
import { createRequestTemplate, type TemplateDeps } from './request-template.ts';
import { createSendTabs, type SendActions, type SendDeps } from './send-tabs.ts';
import { createTabList, createTabListState, type TabListState, type TabList } from './tab-list.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { RequestTab } from './request-tab.ts';
import { IDLE } from './sending.ts';
import { contentKey } from './tab-file.ts';
import type { SavedTab, SavedWorkspace } from '../kept/workspace-text.ts';

/** The open requests: the sum of the parts, each in a file of its own. */
interface RequestState
  extends
    TabListState,
    NewTabActions,
    EditActions,
    CallTabActions,
    SendActions,
    FileTabState,
    FollowedFileActions,
    ExampleState,
    RequestLayoutState,
    SavedTabActions {}

export type RequestStore = StoreApi<RequestState>;

export interface RequestStoreDeps extends SendDeps, TemplateDeps {}

/** Creates the store of the open requests: their texts, those being sent, and the last call of each. */
export function createRequestStore(client: Client, deps: RequestStoreDeps): RequestStore {
  const { newId } = deps;
  return createStore<RequestState>()((_set, _get, store) => {
    const list = createTabList(store, (tab) => calls.loadMissing(tab));
    const calls = createCallTabs(client, list, newId);
    const files = createFollowedFiles(client, list);
    const template = createRequestTemplate(deps);
    return {
      ...createTabListState(store, list, newId),
      ...createNewTabs(list, { template, newId }),
      ...createEditTabs(list, template, deps.notify),
      ...calls.actions,
      ...createSendTabs(client, deps, list),
      ...createFileTabs(client, store, list, { ...deps, reread: files.reread }),
      ...files.actions,
      ...createExampleTabs(client, store, list, files),
      ...createRequestLayout(store),
      ...createSavedTabs(store, list, { newId, rereadFiles: files.actions.rereadFiles }),
    };
  });
}

/** Restores tabs as they were left. */
type SavedTabActions = ReturnType<typeof createSavedTabs>;

/** Creates the actions that restore tabs; `rereadFiles` compares their files with the disk. */
function createSavedTabs(
  { getState: get, setState: set }: StorePart<RequestLayout & Pick<TabListState, 'tabs' | 'activeId'>>,
  { show }: Pick<TabList, 'show'>,
  { newId, rereadFiles }: { readonly newId: () => string; readonly rereadFiles: () => void },
) {
  return {
    /** Restores the tabs as they were left, before those that were opened meanwhile. */
    restoreWorkspace({ list: { active, ...layout }, tabs }: SavedWorkspace) {
      const { tabs: open, activeId } = get();
      set({ ...layout, tabs: [...tabs.map(({ id, tab }) => restored(id, tab)), ...open] });
      show(activeId ?? tabs.find(({ id }) => id === active)?.id ?? tabs[0]?.id ?? null);
      rereadFiles();
    },
    /** Opens more tabs that were left elsewhere, behind the others; returns their IDs. */
    addSaved(saved: readonly SavedTab[]): readonly string[] {
      const more = saved.map((tab) => restored(newId(), tab));
      set(({ tabs }) => ({ tabs: [...tabs, ...more] }));
      if (more[0] !== undefined) show(more[0].id);
      rereadFiles();
      return more.map(({ id }) => id);
    },
  };
}

function restored(id: string, { dirty, file, ...rest }: SavedTab): RequestTab {
  const known = file === null ? null : { ...file, gone: false, theirs: null, problem: null };
  return { id, ...rest, file: known, dirty, clean: dirty ? null : contentKey(rest), call: null, run: null, sending: IDLE };
}
