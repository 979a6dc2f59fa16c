import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, HistoryStatus, Kept, RemovableKind, Retention, RetentionPreview } from '#shared/ipc/index.ts';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';

/** The history's size on disk and its limits. */
interface StorageState {
  /** Null until core has replied. */
  readonly status: HistoryStatus | null;
  readonly load: () => Promise<void>;
  /** Returns what limits would remove now, or why that is unknown. */
  readonly preview: (retention: Retention) => Promise<RetentionPreview | { problem: string }>;
  /**
   * Sets the limits. Resolves to null, or to the reason of a failure. `removes`: the number of calls that the user saw it would
   * remove.
   */
  readonly retain: (retention: Retention, removes: number) => Promise<string | null>;
  /** Answers a removal that waits. Resolves to null, or to the reason of a failure. */
  readonly settle: (does: 'remove' | 'keep', calls: number) => Promise<string | null>;
  /** Returns what is kept beside the calls, or why that is unknown. */
  readonly kept: () => Promise<readonly Kept[] | { problem: string }>;
  /** Removes it for good. Resolves to null, or to the reason of a failure. */
  readonly removeKept: (kind: RemovableKind, count: number) => Promise<string | null>;
}

export type StorageStore = StoreApi<StorageState>;

/** `later` calls back once after a number of milliseconds and returns the function that cancels this. */
export interface StorageDeps {
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

/** Milliseconds between polls of the sizes, which change with each call. */
const quietTime = 1_000;

/** Creates the store of the history's storage, kept fresh once somebody has looked at it. */
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
    /** Does the work and looks at the storage in any case. Resolves to null, or to the reason of a failure. */
    async function changed(work: () => Promise<unknown>): Promise<string | null> {
      let problem: string | null = null;
      try {
        await work();
      } catch (thrown) {
        problem = asAppError(thrown).message;
      }
      await get().load();
      return problem;
    }
    client.on('calls.changed', soon);
    client.on('history.changed', soon);
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
    };
  });
}

async function asked<T>(ask: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await ask();
  } catch (thrown) {
    return { problem: asAppError(thrown).message };
  }
}
