import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, HistoryStatus, Kept, RemovableKind, Retention, RetentionPreview } from '#shared/ipc/index.ts';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';

/** What the history takes on disk and what is kept. */
interface StorageState {
  /** Null until core has answered. */
  readonly status: HistoryStatus | null;
  readonly load: () => Promise<void>;
  /** What limits would remove now, or why that cannot be said. */
  readonly preview: (retention: Retention) => Promise<RetentionPreview | { problem: string }>;
  /** Null where it was set, else why not, in words. `removes`: how many calls the person saw that it removes. */
  readonly retain: (retention: Retention, removes: number) => Promise<string | null>;
  /** Answers a removal that waits. Null where that was taken, else why not, in words. */
  readonly settle: (does: 'remove' | 'keep', calls: number) => Promise<string | null>;
  /** What is kept beside the calls, or why that cannot be said. */
  readonly kept: () => Promise<readonly Kept[] | { problem: string }>;
  /** Removes it for good. Null where that was done, else why not, in words. */
  readonly removeKept: (kind: RemovableKind, count: number) => Promise<string | null>;
  readonly close: () => void;
}

export type StorageStore = StoreApi<StorageState>;

/** `later` calls back once after some milliseconds and gives back the function that calls it off. */
export interface StorageDeps {
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

/** Sizes change with each call: they are looked at again at most once in that time. */
const quietTime = 1_000;

/** The history's storage, kept fresh once somebody has looked at it. */
export function createStorageStore(client: Client, deps: StorageDeps): StorageStore {
  return createStore<StorageState>()((set, get) => {
    let again: (() => void) | null = null;
    const soon = () => {
      if (get().status === null) return;
      again ??= deps.later(() => {
        again = null;
        startWork(get().load());
      }, quietTime);
    };
    /** Null where it went through, else why not. What there is now is looked at in any case. */
    async function changed(work: () => Promise<unknown>): Promise<string | null> {
      let problem: string | null = null;
      try {
        await work();
      } catch (thrown) {
        const error = asAppError(thrown);
        problem = error.message;
      }
      await get().load();
      return problem;
    }
    const stops = [client.on('calls.changed', soon), client.on('history.changed', soon)];
    return {
      status: null,
      async load() {
        try {
          set({ status: await client.call('history.status', {}) });
        } catch (error) {
          // The line stays as it was; the list above it says what is wrong.
          reportIfFault(error);
        }
      },
      preview: (retention) => asked(() => client.call('history.preview', retention)),
      retain: (retention, removes) => changed(() => client.call('history.retain', { retention, removes })),
      settle: (does, calls) => changed(() => client.call('history.settle', { does, calls })),
      kept: () => asked(async () => (await client.call('history.kept', {})).kept),
      removeKept: (kind, count) => changed(() => client.call('history.removeKept', { kind, count })),
      close() {
        for (const stop of stops) stop();
        again?.();
      },
    };
  });
}

async function asked<T>(ask: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await ask();
  } catch (thrown) {
    const error = asAppError(thrown);
    return { problem: error.message };
  }
}
