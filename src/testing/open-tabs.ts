import { createStore, type StoreApi } from 'zustand/vanilla';
import { startedTab, type RequestTab } from '#renderer/features/request/tabs/request-tab.ts';
import { createTabList, createTabListState, type TabList, type TabListState } from '#renderer/features/request/tabs/tab-list.ts';

/** Tabs without the rest of the store, for tests of its parts. */
export interface OpenTabs {
  readonly store: StoreApi<TabListState>;
  readonly list: TabList;
  readonly newId: () => string;
  /** The IDs of tabs that came to be shown, in their order. */
  readonly shown: string[];
  readonly ids: () => string[];
  /** Without an ID, the active one. */
  readonly tab: (id?: string) => RequestTab;
}

/** Opens a tab of `bet` for each ID, with the ID as its text; the last one is active. */
export function createOpenTabs(...ids: readonly string[]): OpenTabs {
  const shown: string[] = [];
  let made = 0;
  const newId = () => `new-${(made += 1)}`;
  const store = createStore<TabListState>()((_set, _get, part) => createTabListState(part, listOf(part), newId));
  const list = listOf(store);
  for (const id of ids) list.add(startedTab(id, { operation: 'bet', form: 'main', text: id, overrides: {} }));

  function listOf(part: StoreApi<TabListState>): TabList {
    return createTabList(part, ({ id }) => shown.push(id));
  }

  return {
    store,
    list,
    newId,
    shown,
    ids: () => list.all().map(({ id }) => id),
    tab(id) {
      const found = list.find(id);
      if (found === undefined) throw new Error(`No tab ${id ?? 'is active'}.`);
      return found;
    },
  };
}
