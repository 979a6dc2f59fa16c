import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CallPage, CallSummary, Client } from '#shared/ipc/index.ts';
import { searchCalls, type SearchedCalls } from '#shared/ipc/search-calls.ts';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import { mergeHead, mergeTail } from './call-pages.ts';
import type { Grouping } from './call-groups.ts';
import { filterOf, narrows, wholeHistory, type HistoryChoice } from './history-choice.ts';

/** The rows that were fetched so far, newest first. */
export type HistoryList =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready';
      readonly calls: readonly CallSummary[];
      readonly total: number;
      /** False where there are at least that many. */
      readonly totalIsExact: boolean;
      /** Of a text of one or two characters: only the newest calls were looked through. */
      readonly newestOnly: boolean;
      /** What is below the last row. */
      readonly more: 'idle' | 'loading' | 'end' | 'failed';
      /** Null where the search came to its end, or found as much as it was asked for. */
      readonly search: HistorySearch | null;
    };

/** A search that has not come to its end: what is shown is what it found so far. */
export interface HistorySearch {
  /** False where the user stopped it. */
  readonly going: boolean;
  /** Calls that it went through, of so many that there are. One that goes on below rows which are shown counts from there, and `of` is null. */
  readonly looked: number;
  readonly of: number | null;
  /** Calls below were not looked at. */
  readonly before: number;
}

export interface HistoryState {
  /** What the search box holds; the list follows a moment later. */
  readonly text: string;
  /** How the rows are grouped; every sorting but the one by time has no groups. */
  readonly grouping: Grouping;
  /** What the list was fetched for. */
  readonly searched: string;
  /** What the filter bar holds. */
  readonly choice: HistoryChoice;
  /** Whether the list was fetched for less than the whole history. */
  readonly narrowed: boolean;
  readonly list: HistoryList;
  /** The call that the keyboard is or was on, by id; `activeCall` says which one that is now. */
  readonly activeId: number | null;
  /** The calls that are ticked, by id. */
  readonly ticked: ReadonlySet<number>;
  readonly load: () => Promise<void>;
  /** The list is looked at again: other programs on this home tell nobody of their calls. */
  readonly visit: () => Promise<void>;
  readonly setText: (text: string) => void;
  readonly setGrouping: (grouping: Grouping) => void;
  readonly setChoice: (choice: Partial<HistoryChoice>) => void;
  /** Takes back the search and every filter. */
  readonly showAll: () => void;
  readonly setActive: (id: number) => void;
  readonly tick: (ids: readonly number[], on: boolean) => void;
  /** Also all between it and the call that was ticked or unticked last, as they stand in the list. */
  readonly tickTo: (id: number, on: boolean) => void;
  readonly loadMore: () => Promise<void>;
  /** Stops a search; what it found stays. */
  readonly stopSearch: () => void;
  /** Goes on with one that was stopped. */
  readonly resumeSearch: () => Promise<void>;
  readonly close: () => void;
}

export type HistoryStore = StoreApi<HistoryState>;

/** `now` in milliseconds since the epoch; `later` calls back once after some milliseconds and gives back the function that calls it off. */
export interface HistoryDeps {
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

const page = 100;
/** As many as core gives at once. */
const largestPage = 500;
const typingPause = 180;
const quietTime = 120;
/** So many rows are fetched again one by one; for more, all of them are. */
const fewMarks = 20;

/** The history as a list that grows downwards as it is read and keeps itself fresh at its top. */
export function createHistoryStore(client: Client, deps: HistoryDeps): HistoryStore {
  return createStore<HistoryState>()((set, get) => {
    let round = 0;
    let lastTicked: number | null = null;
    let typing: (() => void) | null = null;
    let fresh: (() => void) | null = null;
    let asked = false;

    const changed = new Set<number>();
    /** Calls that were pinned or noted. */
    const marked = new Set<number>();
    /** Any of the rows may be another, or gone. */
    let everyRow = false;
    /** The search under way by its number; one of another number ends at its next look. */
    let searches = 0;
    /** Something changed while a search was under way. */
    let changedMeanwhile = false;
    const stops = [
      client.on('calls.changed', ({ id }) => {
        changed.add(id);
        refreshSoon();
      }),
      client.on('history.changed', ({ ids }) => {
        if (ids === null) everyRow = true;
        else for (const id of ids) marked.add(id);
        refreshSoon();
      }),
    ];

    function refreshSoon(): void {
      if (!asked) return;
      fresh ??= deps.later(() => {
        fresh = null;
        if (isSearching()) {
          changedMeanwhile = true;
          return;
        }
        if (everyRow || marked.size > fewMarks) return startWork(reread());
        const marks = [...marked];
        marked.clear();
        if (marks.length === 0 || changed.size > 0) startWork(refresh());
        if (marks.length > 0) startWork(updateMarked(marks));
      }, quietTime);
    }

    function isSearching(): boolean {
      const { list } = get();
      return list.state === 'ready' && list.search?.going === true;
    }

    /** Takes look after look of a search until it is at its end, stopped, or another list is wanted. */
    async function follow(looks: AsyncGenerator<SearchedCalls>, show: (found: SearchedCalls) => void): Promise<void> {
      const mine = round;
      const own = (searches += 1);
      for await (const found of looks) {
        if (mine !== round || own !== searches) return;
        show(found);
      }
      if (!changedMeanwhile) return;
      changedMeanwhile = false;
      refreshSoon();
    }

    /** Fetches calls again whose marks are others now. A search or a filter may look at marks, and then they come and go. */
    async function updateMarked(ids: readonly number[]): Promise<void> {
      const { list, narrowed } = get();
      const calls = list.state === 'ready' ? list.calls : [];
      const shown = ids.filter((id) => calls.some((call) => call.id === id));
      if (narrowed && shown.length < ids.length) return reread();
      const mine = round;
      try {
        for (const id of shown) await update(id, mine);
      } catch (error) {
        reportIfFault(error);
      }
    }

    function query(limit: number, before?: number) {
      const { text, choice } = get();
      const searched = text.trim();
      return {
        limit,
        ...(searched === '' ? {} : { text: searched }),
        ...(narrows(choice) ? { filter: filterOf(choice, deps.now()) } : {}),
        ...(before === undefined ? {} : { before }),
      };
    }

    /** Fetches the newest page again and puts it over what is shown, without moving what was read. */
    async function refresh(): Promise<void> {
      const mine = round;
      const ids = [...changed];
      changed.clear();
      try {
        const head = await client.call('calls.list', query(page));
        const { list } = get();
        if (mine !== round || list.state !== 'ready') return;
        const calls = mergeHead(list.calls, head.calls, head.rest?.before ?? null);
        const more = head.totalIsExact && calls.length >= head.total ? 'end' : list.more === 'end' ? 'idle' : list.more;
        // Of a search that needs several looks, this was the first: what is below stays as it was, its end too.
        if (head.rest === null) set({ list: { ...list, calls, ...totalOf(head), more } });
        else set({ list: { ...list, calls, total: Math.max(list.total, calls.length) } });
        const older = ids.filter((id) => !head.calls.some((call) => call.id === id) && calls.some((call) => call.id === id));
        for (const id of older) await update(id, mine);
      } catch (error) {
        // The list stays as it is; the next change or search tries again.
        reportIfFault(error);
      }
    }

    /** Fetches all rows again down to the last one that is shown: some may be gone, marked or back. */
    async function reread(): Promise<void> {
      const { list: shown } = get();
      if (shown.state !== 'ready') return get().load();
      if (isSearching()) return;
      const mine = round;
      const oldest = shown.search?.before ?? shown.calls.at(-1)?.id ?? null;
      let before: number | undefined;
      everyRow = false;
      changed.clear();
      marked.clear();
      const read: CallSummary[] = [];
      try {
        for (;;) {
          const limit = Math.min(Math.max(shown.calls.length - read.length, page), largestPage);
          const next = await client.call('calls.list', query(limit, before));
          const { list } = get();
          if (mine !== round || list.state !== 'ready') return;
          // The whole search has to be made again to say of nothing that it is all.
          if (oldest === null && next.rest !== null) return get().load();
          read.push(...next.calls);
          const ended = next.rest === null && next.calls.length < limit;
          before = next.rest?.before ?? read.at(-1)?.id ?? 0;
          if (!ended && oldest !== null && before > oldest) continue;
          // What was fetched below meanwhile stays there.
          const below = oldest === null ? [] : list.calls.filter(({ id }) => id < oldest);
          const calls =
            oldest === null ? read : [...read.filter(({ id }) => id >= oldest || (ended && below.length === 0)), ...below];
          const exact = list.search === null && next.rest === null;
          const { total } = next;
          const end = exact && next.totalIsExact && calls.length >= total;
          const numbers = exact ? totalOf(next) : { total: Math.max(calls.length, list.search === null ? total : 0) };
          set({ list: { ...list, calls, ...numbers, more: end ? 'end' : list.more === 'loading' ? 'loading' : 'idle' } });
          return;
        }
      } catch (error) {
        reportIfFault(error);
      }
    }

    /** Fetches one row again, by the same query: it is gone where it does not fit any more. */
    async function update(id: number, mine: number): Promise<void> {
      const [call] = (await client.call('calls.list', query(1, id + 1))).calls;
      const { list } = get();
      if (mine !== round || list.state !== 'ready') return;
      if (call?.id === id) {
        set({ list: { ...list, calls: list.calls.map((old) => (old.id === id ? call : old)) } });
        return;
      }
      const calls = list.calls.filter((old) => old.id !== id);
      set({ list: { ...list, calls, total: Math.max(list.total - (list.calls.length - calls.length), calls.length) } });
    }

    /** Puts what a search found below the rows that are shown; `earlier`: what it went through before it was stopped. */
    function below(found: SearchedCalls, earlier?: Pick<HistorySearch, 'looked'>): void {
      const { list } = get();
      if (list.state !== 'ready') return;
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
      set({ list: { ...list, calls, ...numbers, newestOnly: found.searchedFrom !== null, more, search } });
    }

    return {
      text: '',
      searched: '',
      choice: wholeHistory,
      grouping: 'session',
      narrowed: false,
      list: { state: 'loading' },
      activeId: null,
      ticked: new Set(),
      async load() {
        asked = true;
        round += 1;
        const mine = round;
        typing?.();
        typing = null;
        const searched = get().text.trim();
        const narrowed = searched !== '' || narrows(get().choice);
        try {
          await follow(searchCalls(client, query(page)), (found) => {
            const { calls, searching } = found;
            // From now on the same call, also when a new one comes above it.
            const activeId = get().activeId ?? calls[0]?.id ?? null;
            const more = searching === null ? moreAfter(calls) : 'idle';
            const search = searching === null ? null : { ...searching, going: true };
            set({ searched, narrowed, activeId, list: { state: 'ready', calls, ...totalOf(found), more, search } });
          });
        } catch (thrown) {
          const error = asAppError(thrown);
          if (mine === round) set({ searched, narrowed, list: { state: 'failed', message: error.message } });
        }
      },
      visit() {
        return get().list.state === 'ready' ? reread() : get().load();
      },
      setText(text) {
        set({ text });
        typing?.();
        typing = deps.later(() => {
          typing = null;
          if (get().text.trim() !== get().searched) startWork(get().load());
        }, typingPause);
      },
      setGrouping: (grouping) => set({ grouping }),
      setChoice(choice) {
        set((state) => ({ choice: { ...state.choice, ...choice } }));
        startWork(get().load());
      },
      showAll() {
        set({ text: '', choice: wholeHistory });
        startWork(get().load());
      },
      setActive(activeId) {
        if (get().activeId !== activeId) set({ activeId });
      },
      tick(ids, on) {
        const ticked = new Set(get().ticked);
        for (const id of ids) {
          if (on) ticked.add(id);
          else ticked.delete(id);
        }
        lastTicked = ids.at(-1) ?? lastTicked;
        set({ ticked });
      },
      tickTo(id, on) {
        const { list } = get();
        const ids = list.state === 'ready' ? list.calls.map((call) => call.id) : [];
        const [to, last] = [ids.indexOf(id), lastTicked === null ? -1 : ids.indexOf(lastTicked)];
        const from = last === -1 ? to : last;
        get().tick(ids.slice(Math.min(from, to), Math.max(from, to) + 1), on);
        lastTicked = id;
      },
      async loadMore() {
        const { list } = get();
        if (list.state !== 'ready' || list.search !== null || list.more === 'loading' || list.more === 'end') return;
        const last = list.calls.at(-1);
        if (last === undefined) return;
        const mine = round;
        set({ list: { ...list, more: 'loading' } });
        try {
          await follow(searchCalls(client, query(page, last.id)), below);
        } catch (error) {
          reportIfFault(error);
          const now = get().list;
          if (mine === round && now.state === 'ready') set({ list: { ...now, more: 'failed', search: null } });
        }
      },
      stopSearch() {
        const { list } = get();
        if (list.state !== 'ready' || list.search === null) return;
        searches += 1;
        set({ list: { ...list, search: { ...list.search, going: false } } });
        if (changedMeanwhile) refreshSoon();
        changedMeanwhile = false;
      },
      async resumeSearch() {
        const { list } = get();
        if (list.state !== 'ready' || list.search === null || list.search.going) return;
        const earlier = list.search;
        const mine = round;
        set({ list: { ...list, search: { ...list.search, going: true } } });
        try {
          await follow(searchCalls(client, query(page, earlier.before)), (found) =>
            below(found, earlier.of === null ? undefined : earlier),
          );
        } catch (error) {
          reportIfFault(error);
          if (mine === round) get().stopSearch();
        }
      },
      close() {
        for (const stop of stops) stop();
        typing?.();
        fresh?.();
      },
    };
  });
}

/** The call with the keyboard, the next older one where it is gone, the first of all before there was any; null for an empty list. */
export function activeCall({ list, activeId }: Pick<HistoryState, 'list' | 'activeId'>): CallSummary | null {
  if (list.state !== 'ready') return null;
  const { calls } = list;
  return (activeId === null ? calls[0] : (calls.find(({ id }) => id <= activeId) ?? calls.at(-1))) ?? null;
}

/** The ticked calls in sight, newest first, or the active one where none is. */
export function chosenCalls(state: Pick<HistoryState, 'list' | 'activeId' | 'ticked'>): readonly CallSummary[] {
  const { list, ticked } = state;
  const chosen = list.state === 'ready' && ticked.size > 0 ? list.calls.filter(({ id }) => ticked.has(id)) : [];
  if (chosen.length > 0) return chosen;
  const active = activeCall(state);
  return active === null ? [] : [active];
}

function moreAfter(calls: readonly CallSummary[]): 'end' | 'idle' {
  return calls.length < page ? 'end' : 'idle';
}

function totalOf({ total, totalIsExact, searchedFrom }: Pick<CallPage, 'total' | 'totalIsExact' | 'searchedFrom'>) {
  return { total, totalIsExact, newestOnly: searchedFrom !== null };
}
