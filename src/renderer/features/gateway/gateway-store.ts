import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Environment, GatewayStatus, PassedCall } from '#shared/ipc/index.ts';
import type { Confirmed } from '#shared/ipc/production.ts';
import type { PassedFrom } from '#shared/ipc/calls.ts';
import type { PassedVerdict } from '#shared/ipc/gateway.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { createAsking, type AskingState } from '#renderer/calls/refusal.ts';
import { createSessionLog, type SessionLogPart } from '#renderer/calls/session-log.ts';
import { emptyForm, startOf, type GatewayForm } from './gateway-form.ts';

/** Filters of the exchanges; null lets all through. */
interface Narrowing {
  readonly text: string;
  readonly verdict: PassedVerdict | null;
  /** `other` for a request that is none of the API's. */
  readonly operation: NonNullable<PassedCall['operation']> | 'other' | null;
  readonly from: PassedFrom | null;
}

interface GatewayState extends SessionLogPart<PassedCall>, AskingState {
  /** Null if it does not run; undefined until that is known. */
  readonly status: GatewayStatus | null | undefined;
  readonly form: GatewayForm;
  readonly narrowing: Narrowing;
  /** Number of the newest exchange that is shown; null while the list follows. */
  readonly pausedAt: number | null;
  /** Number of the exchange whose call is shown. */
  readonly chosen: number | null;
  readonly loadStatus: () => Promise<void>;
  readonly setForm: (change: Partial<GatewayForm>) => void;
  readonly start: (environment: Environment) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Replaces the faults on demand. Returns the reason if core refuses one. */
  readonly setFaults: (faults: string[]) => Promise<string | null>;
  readonly narrow: (change: Partial<Narrowing>) => void;
  readonly setPaused: (paused: boolean) => void;
  readonly choose: (number: number | null) => void;
}

export type GatewayStore = StoreApi<GatewayState>;

const everything: Narrowing = { text: '', verdict: null, operation: null, from: null };

/** Creates the gateway as the page knows it: whether it runs, and what passed in this session. */
export function createGatewayStore(
  client: Client,
  { later }: { readonly later: (run: () => void, milliseconds: number) => () => void },
): GatewayStore {
  return createStore<GatewayState>()((set, get, store) => {
    let reading = 0;
    client.on('gateway.changed', () => startWork(get().loadStatus()));

    const asking = createAsking(store);

    const turn = (work: (confirmed: Confirmed) => Promise<GatewayStatus | null>) =>
      asking.attempt(async (confirmed) => {
        const status = await work(confirmed);
        reading += 1;
        set({ status });
      });

    return {
      ...createSessionLog<PassedCall>(store, {
        read: (query) => client.call('gateway.log', query),
        follow: (told) => client.on('gateway.passed', told),
        isOpen: ({ searching }) => searching,
        mostKept: 10_000,
        later,
        onGrown: () => get().loadStatus(),
      }),
      ...asking.state,
      status: undefined,
      form: emptyForm,
      narrowing: everything,
      pausedAt: null,
      chosen: null,
      async loadStatus() {
        reading += 1;
        const mine = reading;
        const status = await client.call('gateway.status', {});
        if (mine === reading) set({ status });
      },
      setForm(change) {
        set(({ form }) => ({ form: { ...form, ...change } }));
        get().dismiss();
      },
      start: (environment) =>
        turn((confirmed) => client.call('gateway.start', { ...startOf(get().form, environment), confirmed })),
      stop: () =>
        turn(async () => {
          await client.call('gateway.stop', {});
          return null;
        }),
      async setFaults(faults) {
        try {
          const status = await client.call('gateway.setFaults', { faults });
          reading += 1;
          set({ status });
          return null;
        } catch (thrown) {
          return asAppError(thrown).message;
        }
      },
      narrow: (change) => set(({ narrowing }) => ({ narrowing: { ...narrowing, ...change } })),
      setPaused: (paused) =>
        set(({ log }) => ({ pausedAt: paused && log.state === 'ready' ? (log.entries[0]?.number ?? log.dropped) : null })),
      choose: (chosen) => set({ chosen }),
    };
  });
}

/** Returns the exchange whose call is shown; null for none, or if it was dropped. */
export function chosenExchange({ log, chosen }: Pick<GatewayState, 'log' | 'chosen'>): PassedCall | null {
  if (log.state !== 'ready' || chosen === null) return null;
  return log.entries.find(({ number }) => number === chosen) ?? null;
}

/** Returns the exchanges that the filters let through, and the number of those that came since the pause. */
export function shownExchanges(
  entries: readonly PassedCall[],
  narrowing: Narrowing,
  pausedAt: number | null,
): { readonly shown: readonly PassedCall[]; readonly waiting: number } {
  const fitting = isNarrowed(narrowing) ? entries.filter((entry) => fits(entry, narrowing)) : entries;
  if (pausedAt === null) return { shown: fitting, waiting: 0 };
  const shown = fitting.filter(({ number }) => number <= pausedAt);
  return { shown, waiting: fitting.length - shown.length };
}

/** Returns whether the filters hide something. */
export const isNarrowed = (narrowing: Narrowing): boolean =>
  narrowing.text.trim() !== '' || narrowing.verdict !== null || narrowing.operation !== null || narrowing.from !== null;

function fits(entry: PassedCall, { text, verdict, operation, from }: Narrowing): boolean {
  if (verdict !== null && entry.verdict !== verdict) return false;
  if (operation !== null && (entry.operation ?? 'other') !== operation) return false;
  if (from !== null && entry.from !== from) return false;
  const sought = text.trim().toLowerCase();
  return (
    sought === '' || `${entry.request}\n${entry.subject}\n${entry.message ?? ''}\n${entry.why}`.toLowerCase().includes(sought)
  );
}
