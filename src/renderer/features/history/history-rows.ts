import type { CallPage, CallSummary, Client } from '#shared/ipc/index.ts';
import { reportIfFault } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import { mergeHead, totalOf, type ReadyList } from './call-pages.ts';
import { page, type HistoryListState, type HistoryReading } from './history-list.ts';
import type { HistoryQuery } from './history-query.ts';

/** The part of the history that fetches shown rows again without moving the user's position. */
export type HistoryRows = ReturnType<typeof createHistoryRows>;

export interface HistoryRowsDeps {
  readonly query: HistoryQuery['input'];
  readonly round: HistoryReading['round'];
  readonly isSearching: () => boolean;
  /** Called when all rows are about to be fetched: earlier changes need nothing any more. */
  readonly onReread: () => void;
}

/** Number of rows that core returns at once. */
const largestPage = 500;

/** Creates the part that fetches rows again. */
export function createHistoryRows(
  client: Client,
  { getState: get, setState: set }: StorePart<Pick<HistoryListState, 'list' | 'narrowed' | 'load'>>,
  { query, round, isSearching, onReread }: HistoryRowsDeps,
) {
  /** Returns the list; null if another list is wanted by now. */
  function readyList(mine: number): ReadyList | null {
    const { list } = get();
    return mine === round() && list.state === 'ready' ? list : null;
  }

  /** Fetches one row again, by the same query: a row that does not fit any more goes. */
  async function update(id: number, mine: number): Promise<void> {
    const [call] = (await client.call('calls.list', query(1, id + 1))).calls;
    const list = readyList(mine);
    if (list === null) return;
    if (call?.id === id) {
      set({ list: { ...list, calls: list.calls.map((old) => (old.id === id ? call : old)) } });
      return;
    }
    const calls = list.calls.filter((old) => old.id !== id);
    set({ list: { ...list, calls, total: Math.max(list.total - (list.calls.length - calls.length), calls.length) } });
  }

  /** Fetches page after page. Null if another list is wanted, `search` if only a search can find the end. */
  async function readDown(shown: ReadyList, mine: number): Promise<Reread | 'search' | null> {
    const oldest = shown.search?.before ?? shown.calls.at(-1)?.id ?? null;
    const read: CallSummary[] = [];
    let before: number | undefined;
    for (;;) {
      const limit = Math.min(Math.max(shown.calls.length - read.length, page), largestPage);
      const last = await client.call('calls.list', query(limit, before));
      if (readyList(mine) === null) return null;
      // Only a whole new search can say that nothing is left.
      if (oldest === null && last.rest !== null) return 'search';
      read.push(...last.calls);
      const ended = last.rest === null && last.calls.length < limit;
      before = last.rest?.before ?? read.at(-1)?.id ?? 0;
      if (ended || oldest === null || before <= oldest) return { read, last, oldest, ended };
    }
  }

  async function reread(): Promise<void> {
    const { list: shown } = get();
    if (shown.state !== 'ready') return get().load();
    if (isSearching()) return;
    const mine = round();
    onReread();
    try {
      const found = await readDown(shown, mine);
      if (found === 'search') return await get().load();
      const list = readyList(mine);
      if (found !== null && list !== null) set({ list: afterReread(list, found) });
    } catch (error) {
      reportIfFault(error);
    }
  }

  return {
    /** Fetches the newest page again, and those of the changed calls that are below it. */
    async refresh(changed: readonly number[]): Promise<void> {
      const mine = round();
      try {
        const head = await client.call('calls.list', query(page));
        const list = readyList(mine);
        if (list === null) return;
        const calls = mergeHead(list.calls, head.calls, head.rest?.before ?? null);
        const more = head.totalIsExact && calls.length >= head.total ? 'end' : list.more === 'end' ? 'idle' : list.more;
        // Of a search with several steps, this was the first: the rows below stay as they were, and so does their end.
        if (head.rest === null) set({ list: { ...list, calls, ...totalOf(head), more } });
        else set({ list: { ...list, calls, total: Math.max(list.total, calls.length) } });
        const older = changed.filter((id) => !head.calls.some((call) => call.id === id) && calls.some((call) => call.id === id));
        for (const id of older) await update(id, mine);
      } catch (error) {
        // The list stays as it is; the next change or search tries again.
        reportIfFault(error);
      }
    },
    /** Fetches all rows again down to the last one that is shown: some may be gone, marked or restored. */
    reread,
    /** Fetches calls again whose marks changed. A search or a filter may look at marks, and then rows come and go. */
    async updateMarked(ids: readonly number[]): Promise<void> {
      const { list, narrowed } = get();
      const calls = list.state === 'ready' ? list.calls : [];
      const shown = ids.filter((id) => calls.some((call) => call.id === id));
      if (narrowed && shown.length < ids.length) return reread();
      const mine = round();
      try {
        for (const id of shown) await update(id, mine);
      } catch (error) {
        reportIfFault(error);
      }
    },
  };
}

/** Rows that were fetched again: all of them, the last page, the last row that was shown, and whether there are no more. */
interface Reread {
  readonly read: readonly CallSummary[];
  readonly last: CallPage;
  readonly oldest: number | null;
  readonly ended: boolean;
}

/** Returns the list after its rows were fetched again. Rows that were fetched below meanwhile stay there. */
function afterReread(list: ReadyList, { read, last, oldest, ended }: Reread): ReadyList {
  const below = oldest === null ? [] : list.calls.filter(({ id }) => id < oldest);
  const calls = oldest === null ? read : [...read.filter(({ id }) => id >= oldest || (ended && below.length === 0)), ...below];
  const exact = list.search === null && last.rest === null;
  const { total } = last;
  const end = exact && last.totalIsExact && calls.length >= total;
  const numbers = exact ? totalOf(last) : { total: Math.max(calls.length, list.search === null ? total : 0) };
  return { ...list, calls, ...numbers, more: end ? 'end' : list.more === 'loading' ? 'loading' : 'idle' };
}
