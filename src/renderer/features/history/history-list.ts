import type { CallSummary, Client } from '#shared/ipc/index.ts';
import { searchCalls, type SearchedCalls } from '#shared/ipc/search-calls.ts';
import { asAppError, reportIfFault } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import { mergeTail, totalOf, type HistoryList, type HistorySearch, type ReadyList } from './call-pages.ts';
import type { HistoryQuery } from './history-query.ts';

export interface HistoryListState {
  /** The text that the list was fetched for. */
  readonly searched: string;
  /** True if the list was fetched for less than the whole history. */
  readonly narrowed: boolean;
  readonly list: HistoryList;

  readonly load: () => Promise<void>;
  readonly loadMore: () => Promise<void>;
  /** Stops a search; the calls that it found stay. */
  readonly stopSearch: () => void;
  /** Goes on with a search that was stopped. */
  readonly resumeSearch: () => Promise<void>;
}

/** The part of the history that fetches the list and reads down in it. */
export type HistoryReading = ReturnType<typeof createHistoryList>;

/** Number of rows that are fetched at once. */
export const page = 100;

/** Creates the part that fetches the list; `onSearchEnded` is called when a search is at its end or stopped. */
export function createHistoryList(
  client: Client,
  { getState: get, setState: set }: StorePart<HistoryListState & { readonly activeId: number | null }>,
  { query, onSearchEnded }: { readonly query: Pick<HistoryQuery, 'input' | 'begin'>; readonly onSearchEnded: () => void },
) {
  let round = 0;
  /** Number of the search under way; a search of another number ends at its next step. */
  let searches = 0;

  /** Takes step after step of a search until it is at its end, stopped, or another list is wanted. */
  async function follow(steps: AsyncGenerator<SearchedCalls>, show: (found: SearchedCalls) => void): Promise<void> {
    const mine = round;
    const own = (searches += 1);
    for await (const found of steps) {
      if (mine !== round || own !== searches) return;
      show(found);
    }
    onSearchEnded();
  }

  /** Puts the results of a search below the rows that are shown. */
  function below(found: SearchedCalls, earlier?: HistorySearch): void {
    const { list } = get();
    if (list.state === 'ready') set({ list: extended(list, found, earlier) });
  }

  function stopSearch(): void {
    const { list } = get();
    if (list.state !== 'ready' || list.search === null) return;
    searches += 1;
    set({ list: { ...list, search: { ...list.search, going: false } } });
    onSearchEnded();
  }

  const state: HistoryListState = {
    searched: '',
    narrowed: false,
    list: { state: 'loading' },
    async load() {
      round += 1;
      const mine = round;
      const wanted = query.begin();
      try {
        await follow(searchCalls(client, query.input(page)), (found) => {
          const { calls, searching } = found;
          // From now on the same call, also when a new one comes above it.
          const activeId = get().activeId ?? calls[0]?.id ?? null;
          const more = searching === null ? moreAfter(calls) : 'idle';
          const search = searching === null ? null : { ...searching, going: true };
          set({ ...wanted, activeId, list: { state: 'ready', calls, ...totalOf(found), more, search } });
        });
      } catch (thrown) {
        const { message } = asAppError(thrown);
        if (mine === round) set({ ...wanted, list: { state: 'failed', message } });
      }
    },
    async loadMore() {
      const { list } = get();
      if (list.state !== 'ready' || list.search !== null || list.more === 'loading' || list.more === 'end') return;
      const last = list.calls.at(-1);
      if (last === undefined) return;
      const mine = round;
      set({ list: { ...list, more: 'loading' } });
      try {
        await follow(searchCalls(client, query.input(page, last.id)), below);
      } catch (error) {
        reportIfFault(error);
        const now = get().list;
        if (mine === round && now.state === 'ready') set({ list: { ...now, more: 'failed', search: null } });
      }
    },
    stopSearch,
    async resumeSearch() {
      const { list } = get();
      if (list.state !== 'ready' || list.search === null || list.search.going) return;
      const earlier = list.search;
      const mine = round;
      set({ list: { ...list, search: { ...earlier, going: true } } });
      try {
        await follow(searchCalls(client, query.input(page, earlier.before)), (found) =>
          below(found, earlier.of === null ? undefined : earlier),
        );
      } catch (error) {
        reportIfFault(error);
        if (mine === round) stopSearch();
      }
    },
  };
  return {
    state /** Returns the number of the list: a reply for an older list is not shown in a newer one. 0 until a list is wanted. */,
    round: (): number => round,
  };
}

/** Returns the list with the results of a search below its rows; `earlier`: what the search went through before it was stopped. */
function extended(list: ReadyList, found: SearchedCalls, earlier?: HistorySearch): ReadyList {
  const { searching } = found;
  const calls = mergeTail(list.calls, found.calls);
  const more = searching === null ? moreAfter(found.calls) : 'idle';
  const looked = (earlier?.looked ?? 0) + (searching?.looked ?? 0);
  const of = earlier === undefined ? null : (searching?.of ?? 0);
  const search = searching === null ? null : { going: true, before: searching.before, looked, of };
  const numbers =
    more === 'end'
      ? { total: calls.length, totalIsExact: true }
      : { total: Math.max(found.total, calls.length), totalIsExact: found.totalIsExact };
  return { ...list, calls, ...numbers, newestOnly: found.searchedFrom !== null, more, search };
}

function moreAfter(calls: readonly CallSummary[]): 'end' | 'idle' {
  return calls.length < page ? 'end' : 'idle';
}
