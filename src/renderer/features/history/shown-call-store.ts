import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Call, Client } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';

/** The call whose detail is beside the list. */
export type ShownCall =
  | { readonly state: 'none' }
  | { readonly state: 'loading'; readonly id: number }
  | { readonly state: 'ready'; readonly call: Call }
  | { readonly state: 'failed'; readonly id: number; readonly message: string };

interface ShownCallState {
  readonly shown: ShownCall;
  /** Shows another call after a short pause, because arrow keys pass over many; null shows none. */
  readonly show: (id: number | null) => void;
  /** Reads the call again. */
  readonly retry: () => void;
}

export type ShownCallStore = StoreApi<ShownCallState>;

const PAUSE_MS = 80;

/** Keeps the record of one call, and reads it again when its outcome comes. */
export function createShownCallStore(
  client: Client,
  deps: { readonly later: (run: () => void, milliseconds: number) => () => void },
): ShownCallStore {
  return createStore<ShownCallState>()((set, get) => {
    let wanted: number | null = null;
    let forget = () => {};
    client.on('calls.changed', ({ id }) => {
      if (id === wanted) startWork(read(id));
    });

    async function read(id: number): Promise<void> {
      try {
        const call = await client.call('calls.get', { id });
        if (id === wanted) set({ shown: { state: 'ready', call } });
      } catch (thrown) {
        if (id === wanted) set({ shown: { state: 'failed', id, message: asAppError(thrown).message } });
      }
    }

    return {
      shown: { state: 'none' },
      show(id) {
        if (id === wanted) return;
        const first = get().shown.state === 'none';
        wanted = id;
        forget();
        forget = () => {};
        if (id === null) return set({ shown: { state: 'none' } });
        set({ shown: { state: 'loading', id } });
        if (first) startWork(read(id));
        else forget = deps.later(() => startWork(read(id)), PAUSE_MS);
      },
      retry() {
        if (wanted !== null) startWork(read(wanted));
      },
    };
  });
}
