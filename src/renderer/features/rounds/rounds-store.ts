import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Environment, RoundLookup } from '#shared/ipc/index.ts';
import { createAsking, type AskingState } from '#renderer/calls/refusal.ts';
import { monthZoneOf } from '#shared/rounds/log-month.ts';
import { todayIn } from './round-question.ts';

/** A round that was looked up in this session. */
interface RecentLookup {
  /** The ticket of its look-up. */
  readonly key: string;
  readonly environmentId: string;
  readonly date: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly lookup: RoundLookup;
}

interface RoundsState extends AskingState {
  readonly environmentId: string | null;
  /** Both as typed. */
  readonly roundId: string;
  readonly date: string;
  /** Newest first, of every environment. */
  readonly recent: readonly RecentLookup[];
  /** The look-up whose result is shown. */
  readonly openKey: string | null;

  readonly enter: (environment: Environment) => void;
  readonly ask: (typed: { readonly roundId: string } | { readonly date: string }) => void;
  /** Asks for the round; a second call while one is under way does nothing. */
  readonly lookUp: () => Promise<void>;
  readonly cancel: () => Promise<void>;
  /** Shows a recent result again, with its question. */
  readonly open: (key: string) => void;
}

export type RoundsStore = StoreApi<RoundsState>;

export interface RoundsDeps {
  readonly now: () => number;
  /** Returns a fresh ID for tickets. */
  readonly newId: () => string;
}

const kept = 50;

/** Creates the store that looks rounds up by ID and date, and keeps the results of this session. */
export function createRoundsStore(client: Client, deps: RoundsDeps): RoundsStore {
  return createStore<RoundsState>()((set, get, store) => {
    const { state, attempt } = createAsking(store);
    let ticket = '';

    return {
      ...state,
      environmentId: null,
      roundId: '',
      date: '',
      recent: [],
      openKey: null,

      enter(environment) {
        const { environmentId, date } = get();
        if (environment.id === environmentId) return;
        set({
          environmentId: environment.id,
          date: date === '' ? todayIn(monthZoneOf(environment), deps.now()) : date,
          asking: state.asking,
          openKey: null,
        });
      },
      ask(typed) {
        set(typed);
        // A refusal was about the values before.
        get().dismiss();
      },
      lookUp: () =>
        attempt(async (confirmed) => {
          const { environmentId, roundId, date } = get();
          if (environmentId === null) return;
          const key = (ticket = deps.newId());
          const input = { environmentId, roundId: roundId.trim(), date, ticket, confirmed };
          const lookup = await client.call('rounds.lookup', input);
          const entry: RecentLookup = { key, environmentId, date, at: deps.now(), lookup };
          set(({ recent }) => ({ recent: [entry, ...recent].slice(0, kept) }));
          if (environmentId === get().environmentId) set({ openKey: key });
        }),
      async cancel() {
        if (get().asking.state === 'busy') await client.call('calls.cancel', { ticket });
      },
      open(key) {
        const entry = get().recent.find((recent) => recent.key === key);
        if (entry !== undefined) set({ openKey: key, roundId: entry.lookup.roundId, date: entry.date });
      },
    };
  });
}
