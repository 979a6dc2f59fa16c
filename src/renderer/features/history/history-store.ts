import { createStore, type StoreApi } from 'zustand/vanilla';
import { startWork } from '#renderer/faults/faults.ts';
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
  /** Lists the calls of a support pack, or one's own for null. Ticks stay. */
  readonly showPack: (id: string | null) => Promise<void>;
  /** Forgets what is shown or ticked of a support pack that was closed. */
  readonly leavePack: (id: string) => void;
}

export type HistoryStore = StoreApi<HistoryState>;

/** Creates the history as a list that grows downwards as it is read and keeps itself up to date at its top. */
export function createHistoryStore(client: Client, deps: HistoryQueryDeps): HistoryStore {
  return createStore<HistoryState>()((set, get, store) => {
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
      // The calls of a pack do not change.
      isWanted: () => round() > 0 && get().choice.pack === null,
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
      async showPack(pack) {
        const { choice, load } = get();
        if (choice.pack === pack) return;
        // Environments, pins and runs are those of one history.
        set({
          choice: { ...choice, pack, environmentId: null, pinnedOnly: false, collectionRun: null },
          activeId: null,
          list: { state: 'loading' },
        });
        await load();
      },
      leavePack(id) {
        const { ticked, tick, choice, showPack } = get();
        tick(
          [...ticked.values()].filter(({ pack }) => pack?.id === id).map((call) => call.id),
          false,
        );
        if (choice.pack === id) startWork(showPack(null));
      },
    };
  });
}
