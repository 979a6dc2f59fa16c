import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import type { CallSummary, Client } from '#shared/ipc/index.ts';
import { mergeHead, mergeTail } from './call-pages.ts';

/** The rows that were fetched so far, newest first. */
export type HistoryList =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready';
      readonly calls: readonly CallSummary[];
      readonly total: number;
      /** What is below the last row. */
      readonly more: 'idle' | 'loading' | 'end' | 'failed';
    };

export interface HistoryState {
  /** What the search box holds; the list follows a moment later. */
  readonly text: string;
  /** What the list was fetched for. */
  readonly searched: string;
  readonly list: HistoryList;
  readonly load: () => Promise<void>;
  /** The list is looked at again: other programs on this home tell nobody of their calls. */
  readonly visit: () => Promise<void>;
  readonly setText: (text: string) => void;
  readonly loadMore: () => Promise<void>;
  readonly close: () => void;
}

export type HistoryStore = StoreApi<HistoryState>;

/** `later` calls back once after some milliseconds and gives back the function that calls it off. */
export interface HistoryDeps {
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

const page = 100;
const typingPause = 180;
const quietTime = 120;

/** The history as a list that grows downwards as it is read and keeps itself fresh at its top. */
export function createHistoryStore(client: Client, deps: HistoryDeps): HistoryStore {
  return createStore<HistoryState>()((set, get) => {
    let round = 0;
    let typing: (() => void) | null = null;
    let fresh: (() => void) | null = null;
    let asked = false;

    const stop = client.on('calls.changed', ({ id }) => {
      if (!asked) return;
      changed.add(id);
      fresh ??= deps.later(() => {
        fresh = null;
        void refresh();
      }, quietTime);
    });
    const changed = new Set<number>();

    function query(before?: number) {
      const text = get().text.trim();
      return { limit: page, ...(text === '' ? {} : { text }), ...(before === undefined ? {} : { before }) };
    }

    /** Fetches the newest page again and puts it over what is shown, without moving what was read. */
    async function refresh(): Promise<void> {
      const mine = round;
      const ids = [...changed];
      changed.clear();
      try {
        const head = await client.call('calls.list', query());
        const { list } = get();
        if (mine !== round || list.state !== 'ready') return;
        const calls = mergeHead(list.calls, head.calls);
        const more = head.totalIsExact && calls.length >= head.total ? 'end' : list.more === 'end' ? 'idle' : list.more;
        set({ list: { ...list, calls, total: head.total, more } });
        const older = ids.filter((id) => !head.calls.some((call) => call.id === id) && calls.some((call) => call.id === id));
        for (const id of older) await update(id, mine);
      } catch (error) {
        // The list stays as it is; the next change or search tries again.
        if (!(error instanceof AppError)) throw error;
      }
    }

    async function update(id: number, mine: number): Promise<void> {
      const call = await client.call('calls.get', { id });
      const { list } = get();
      if (mine !== round || list.state !== 'ready') return;
      set({ list: { ...list, calls: list.calls.map((old) => (old.id === id ? { ...old, ...summaryOf(call) } : old)) } });
    }

    return {
      text: '',
      searched: '',
      list: { state: 'loading' },
      async load() {
        asked = true;
        round += 1;
        const mine = round;
        typing?.();
        typing = null;
        const searched = get().text.trim();
        try {
          const { calls, total } = await client.call('calls.list', query());
          if (mine !== round) return;
          set({ searched, list: { state: 'ready', calls, total, more: calls.length < page ? 'end' : 'idle' } });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (mine === round) set({ searched, list: { state: 'failed', message: error.message } });
        }
      },
      visit() {
        return get().list.state === 'ready' ? refresh() : get().load();
      },
      setText(text) {
        set({ text });
        typing?.();
        typing = deps.later(() => {
          typing = null;
          if (get().text.trim() !== get().searched) void get().load();
        }, typingPause);
      },
      async loadMore() {
        const { list } = get();
        if (list.state !== 'ready' || list.more === 'loading' || list.more === 'end') return;
        const last = list.calls.at(-1);
        if (last === undefined) return;
        const mine = round;
        set({ list: { ...list, more: 'loading' } });
        try {
          const next = await client.call('calls.list', query(last.id));
          const now = get().list;
          if (mine !== round || now.state !== 'ready') return;
          const calls = mergeTail(now.calls, next.calls);
          set({ list: { state: 'ready', calls, total: next.total, more: next.calls.length < page ? 'end' : 'idle' } });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          const now = get().list;
          if (mine === round && now.state === 'ready') set({ list: { ...now, more: 'failed' } });
        }
      },
      close() {
        stop();
        typing?.();
        fresh?.();
      },
    };
  });
}

function summaryOf(call: CallSummary): CallSummary {
  const { id, environmentId, environmentName, operation, url, sentAt, state, status, code, message, failure } = call;
  const { durationMs, requestBytes, responseBytes, run, day, pinned, note } = call;
  return {
    id,
    environmentId,
    environmentName,
    operation,
    url,
    sentAt,
    state,
    status,
    code,
    message,
    failure,
    durationMs,
    requestBytes,
    responseBytes,
    run,
    day,
    pinned,
    note,
  };
}
