import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { lastGoodSentence } from '#shared/signing/comparison-words.ts';
import type { BodyReader } from '#renderer/calls/body-reader.ts';
import { wantedFault } from '#renderer/calls/wanted-fault.ts';

/** The last accepted call before a refused one, and what comparing the two finds first. */
export interface LastGood {
  readonly goodId: number;
  readonly sentence: string;
}

export interface LastGoodState {
  /** By the refused call's id; null where there is none to compare with, and while it is looked for. */
  readonly found: ReadonlyMap<number, LastGood | null>;
  /** Looks once for each call with code 8 that no override explains. */
  readonly look: (call: Call) => Promise<void>;
}

export type LastGoodStore = StoreApi<LastGoodState>;

/** How many findings stay; the oldest go first. */
const kept = 100;

/** Finds, for a call with code 8, the newest accepted call of the same operation and environment that was sent before it. */
export function createLastGoodStore(client: Client, { reader }: { readonly reader: BodyReader }): LastGoodStore {
  return createStore<LastGoodState>()((set, get) => {
    function put(id: number, finding: LastGood | null): void {
      const found = new Map(get().found).set(id, finding);
      for (const oldest of found.keys()) {
        if (found.size <= kept) break;
        found.delete(oldest);
      }
      set({ found });
    }

    return {
      found: new Map(),
      async look(bad) {
        if (bad.code !== 8 || get().found.has(bad.id) || wantedFault(bad) !== null) return;
        put(bad.id, null);
        const { operation, environmentId } = bad;
        const filter = { operations: [operation], environmentIds: [environmentId], outcomes: ['accepted' as const] };
        try {
          const { calls } = await client.call('calls.list', { before: bad.id, limit: 1, filter });
          const id = calls[0]?.id;
          if (id === undefined) return;
          const good = await client.call('calls.get', { id });
          put(bad.id, { goodId: id, sentence: lastGoodSentence(await reader.compareCalls(good, bad), good) });
        } catch (error) {
          // It was not asked for: where it cannot be found, nothing is said of it.
          if (!(error instanceof AppError)) throw error;
        }
      },
    };
  });
}
