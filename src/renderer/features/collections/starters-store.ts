import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Collection, Starter } from '#shared/ipc/index.ts';
import { asAppError, loaded, startWork, type Loaded } from '#renderer/faults/faults.ts';

interface StartersState {
  readonly list: Loaded<{ starters: readonly Starter[] }>;
  /**
   * The question which starter to copy where, with the reason why the last answer was refused. `id` is null until one is chosen.
   */
  readonly asking: { readonly id: string | null; readonly problem: string | null; readonly busy: boolean } | null;

  readonly load: () => Promise<void>;
  readonly ask: (id: string | null) => void;
  readonly dismiss: () => void;
  /** Copies a starter into a directory and opens that. */
  readonly copy: (id: string, directory: string) => Promise<void>;
}

export type StartersStore = StoreApi<StartersState>;

export interface StartersStoreDeps {
  /** Called when a copy of so many requests was made and is open. */
  readonly onCopied: (collection: Collection, requests: number) => Promise<void>;
}

/** Creates the store of the collections that ship with Croupier. */
export function createStartersStore(client: Client, { onCopied }: StartersStoreDeps): StartersStore {
  return createStore<StartersState>()((set, get) => ({
    list: { state: 'loading' },
    asking: null,

    async load() {
      set({ list: await loaded(client.call('collections.starters', {})) });
    },
    ask(id) {
      set({ asking: { id, problem: null, busy: false } });
      // Read each time: a directory that was free may be taken by now.
      startWork(get().load());
    },
    dismiss: () => set({ asking: null }),
    async copy(id, directory) {
      const { asking, list } = get();
      if (asking === null || asking.busy) return;
      set({ asking: { id, problem: null, busy: true } });
      try {
        const collection = await client.call('collections.createFromStarter', { starter: id, directory });
        set({ asking: null });
        const starters = list.state === 'ready' ? list.starters : [];
        await onCopied(collection, starters.find((starter) => starter.id === id)?.requests ?? 0);
      } catch (thrown) {
        set({ asking: { id, problem: asAppError(thrown).message, busy: false } });
      }
    },
  }));
}
