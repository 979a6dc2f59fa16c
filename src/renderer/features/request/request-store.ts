import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import { createCallTabs, type CallTabActions } from './call-tabs.ts';
import { createEditTabs, type EditActions } from './edit-tabs.ts';
import { createExampleTabs, type ExampleState } from './example-tabs.ts';
import { createFileTabs, type FileTabState } from './file-tabs.ts';
import { createFollowedFiles, type FollowedFileActions } from './followed-files.ts';
import { createNewTabs, type NewTabActions } from './new-tabs.ts';
import { createRequestLayout, type RequestLayoutState } from './request-layout.ts';
import { createRequestTemplate, type TemplateDeps } from './request-template.ts';
import { createSavedTabs, type SavedTabActions } from './saved-tabs.ts';
import { createSendTabs, type SendActions, type SendDeps } from './send-tabs.ts';
import { createTabList, createTabListState, type TabListState } from './tab-list.ts';

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
      ...createEditTabs(list, template),
      ...calls.actions,
      ...createSendTabs(client, deps, list),
      ...createFileTabs(client, store, list, { ...deps, look: files.look }),
      ...files.actions,
      ...createExampleTabs(client, store, list, files),
      ...createRequestLayout(store),
      ...createSavedTabs(store, list, { newId, lookAtFiles: files.actions.lookAtFiles }),
    };
  });
}
