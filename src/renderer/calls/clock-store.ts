import { createStore, type StoreApi } from 'zustand/vanilla';
import { bothRanges, clockRange } from '#shared/calls/server-clock.ts';
import type { ClockRange } from '#shared/calls/server-clock.ts';
import type { Client, Environment } from '#shared/ipc/index.ts';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { orNull, startWork } from '#renderer/faults/faults.ts';

/** The clock of a server against ours: what the `Date` of each of these calls leaves possible. */
export interface ServerClock extends ClockRange {
  readonly callIds: readonly number[];
}

type Watched = Pick<Environment, 'id' | 'baseUrl'>;

interface ClockState {
  /** The moment at which time stands for requests, in milliseconds since the epoch; null while it runs. */
  readonly frozenAt: number | null;
  /** The clock of the watched environment's server; null if no response has shown it. */
  readonly server: ServerClock | null;
  readonly freeze: () => void;
  readonly release: () => void;
  /** Follows the responses of an environment's provider until the returned function is called. */
  readonly watch: (environment: Watched) => () => void;
}

export type ClockStore = StoreApi<ClockState>;

/** Calls to look through for a `Date`. */
const mostCalls = 5;
/** Clocks drift: beyond this time, two calls say nothing about each other's. */
const togetherMs = 600_000;

/** Creates a store of the clocks: that of requests, which can be frozen, and that of the server. */
export function createClockStore(client: Client, { now }: { readonly now: () => number }): ClockStore {
  return createStore<ClockState>()((set) => {
    let watches = 0;

    return {
      frozenAt: null,
      server: null,
      freeze: () => set({ frozenAt: Math.floor(now() / 1_000) * 1_000 }),
      release: () => set({ frozenAt: null }),
      watch({ id: environmentId, baseUrl }) {
        watches += 1;
        const mine = watches;
        set({ server: null });
        /** Calls that ended, which do not change any more. */
        const ended = new Map<number, Call>();
        async function serverNow(): Promise<ServerClock | null> {
          const page = await client.call('calls.list', { limit: mostCalls, filter: { environmentIds: [environmentId] } });
          const host = URL.parse(baseUrl)?.host;
          const calls: Call[] = [];
          for (const { id, state, url } of page.calls) {
            if (state === 'pending' || URL.parse(url)?.host !== host) continue;
            const call = ended.get(id) ?? (await client.call('calls.get', { id }));
            ended.set(id, call);
            calls.push(call);
          }
          return clockOf(calls);
        }
        async function refresh(): Promise<void> {
          const server = await orNull(serverNow());
          if (mine === watches) set({ server });
        }
        startWork(refresh());
        const stop = client.on('calls.changed', () => startWork(refresh()));
        return () => {
          watches += 1;
          stop();
        };
      },
    };
  });
}

/** Returns the clock by the latest calls, which come newest first; null if none has a `Date`. */
function clockOf(calls: readonly Call[]): ServerClock | null {
  let range: ClockRange = { from: -Infinity, to: Infinity };
  const used: Call[] = [];
  for (const call of calls) {
    const shown = clockRange(call);
    if (shown === null) continue;
    const both = bothRanges(range, shown);
    // Where two contradict each other a clock was set between them: earlier calls show the difference of before.
    if (both === null || (used[0]?.sentAt ?? call.sentAt) - call.sentAt > togetherMs) break;
    range = both;
    used.push(call);
  }
  return used.length === 0 ? null : { ...range, callIds: used.map(({ id }) => id) };
}
