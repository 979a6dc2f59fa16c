import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import { createChosenCalls, type ChosenCallsState } from './chosen-calls.ts';
import { createHistoryChanges, type HistoryChanges } from './history-changes.ts';
import { createHistoryList, type HistoryListState } from './history-list.ts';
import { createHistoryQuery, type HistoryQueryDeps, type HistoryQueryState } from './history-query.ts';
import { createHistoryRows } from './history-rows.ts';

/** The history: the sum of the parts, each in a file of its own. */
interface HistoryState extends HistoryQueryState, HistoryListState, ChosenCallsState {
  /** Looks at the list again: other programs on this home do not report their calls. */
  readonly visit: () => Promise<void>;
  readonly close: () => void;
}

export type HistoryStore = StoreApi<HistoryState>;

/** Creates the history as a list that grows downwards as it is read and keeps itself up to date at its top. */
export function createHistoryStore(client: Client, deps: HistoryQueryDeps): HistoryStore {
  return createStore<HistoryState>()((_set, get, store) => {
    const isSearching = () => {
      const { list } = get();
      return list.state === 'ready' && list.search?.going === true;
    };
    const query = createHistoryQuery(store, deps);
    const { state, round } = createHistoryList(client, store, { query, onSearchEnded: () => changes.searchEnded() });
    const rows = createHistoryRows(client, store, {
      query: query.input,
      round,
      isSearching,
      onReread: () => changes.forget(),
    });
    const changes: HistoryChanges = createHistoryChanges(client, {
      later: deps.later,
      isWanted: () => round() > 0,
      isSearching,
      rows,
    });
    const chosen = createChosenCalls(client, store);
    return {
      ...query.state,
      ...state,
      ...chosen.state,
      visit() {
        chosen.visit();
        return get().list.state === 'ready' ? rows.reread() : get().load();
      },
      close() {
        changes.stop();
        chosen.stop();
        query.stop();
      },
    };
  });
}
