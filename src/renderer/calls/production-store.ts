import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Output } from '#shared/ipc/index.ts';
import { reportIfFault, startWork } from '#renderer/faults/faults.ts';

export type ProductionStatus = Output<'production.status'>;

interface ProductionState {
  /** The environment of `status`; null before the first. */
  readonly environmentId: string | null;
  /** Null until it is known. */
  readonly status: ProductionStatus | null;
  readonly enter: (environmentId: string | null) => void;
  /** Reads it again: events may have been missed. */
  readonly load: () => Promise<void>;
  /** Ends the time in which Croupier does not ask. */
  readonly ask: () => Promise<void>;
}

export type ProductionStore = StoreApi<ProductionState>;

/**
 * Creates a store of what core knows of the selected environment and production: whether it asks, and which production environment
 * it resembles.
 */
export function createProductionStore(client: Client): ProductionStore {
  return createStore<ProductionState>()((set, get) => {
    client.on('production.changed', ({ environmentId }) => {
      if (environmentId === get().environmentId) startWork(get().load());
    });
    client.on('environments.changed', () => startWork(get().load()));
    client.on('keys.changed', () => startWork(get().load()));
    let reading = 0;
    return {
      environmentId: null,
      status: null,
      enter(environmentId) {
        if (environmentId === get().environmentId) return;
        set({ environmentId, status: null });
        startWork(get().load());
      },
      async load() {
        const { environmentId } = get();
        if (environmentId === null) return;
        reading += 1;
        const mine = reading;
        try {
          const status = await client.call('production.status', { environmentId });
          if (mine === reading) set({ status });
        } catch (error) {
          reportIfFault(error);
          if (mine === reading) set({ status: null });
        }
      },
      async ask() {
        const { environmentId } = get();
        if (environmentId !== null) await client.call('production.ask', { environmentId });
      },
    };
  });
}
