import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import { orNull, startWork } from '#renderer/faults/faults.ts';

/** The clock of a server against ours, from the `Date` of one response. */
export interface ServerClock {
  /** Milliseconds, positive where the server is ahead; exact to half a second and half the way there and back. */
  readonly offsetMs: number;
  readonly callId: number;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
}

interface ClockState {
  /** The moment at which time stands for requests, in milliseconds since the epoch; null while it runs. */
  readonly frozenAt: number | null;
  /** The clock of the watched environment's server; null if no response has shown it. */
  readonly server: ServerClock | null;
  readonly freeze: () => void;
  readonly release: () => void;
  /** Follows the responses of an environment until the returned function is called. */
  readonly watch: (environmentId: string) => () => void;
}

export type ClockStore = StoreApi<ClockState>;

/** Calls to look through for a `Date`. */
const looked = 5;

/** Creates a store of the clocks: that of requests, which can be frozen, and that of the server. */
export function createClockStore(client: Client, { now }: { readonly now: () => number }): ClockStore {
  return createStore<ClockState>()((set) => {
    let watches = 0;

    /** Returns the clock by the latest response with a `Date`; null if the last few have none. */
    async function serverOf(environmentId: string): Promise<ServerClock | null> {
      const page = await client.call('calls.list', { limit: looked, filter: { environmentIds: [environmentId] } });
      for (const { id } of page.calls) {
        const { clockOffsetMs, sentAt } = await client.call('calls.get', { id });
        if (clockOffsetMs !== null) return { offsetMs: clockOffsetMs, callId: id, sentAt };
      }
      return null;
    }

    return {
      frozenAt: null,
      server: null,
      freeze: () => set({ frozenAt: Math.floor(now() / 1_000) * 1_000 }),
      release: () => set({ frozenAt: null }),
      watch(environmentId) {
        watches += 1;
        const mine = watches;
        set({ server: null });
        async function look(): Promise<void> {
          const server = await orNull(serverOf(environmentId));
          if (mine === watches) set({ server });
        }
        startWork(look());
        const stop = client.on('calls.changed', () => startWork(look()));
        return () => {
          watches += 1;
          stop();
        };
      },
    };
  });
}
