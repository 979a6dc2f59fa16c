import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Confirmed, Environment, RoundLookup } from '#shared/ipc/index.ts';
import { reportIfFault, startWork } from '#renderer/faults/faults.ts';
import { refusalFrom, type Unconfirmed } from '#renderer/calls/refusal.ts';
import { monthZoneOf } from '#shared/rounds/log-month.ts';
import { todayIn } from './round-question.ts';

/** State of the look-up button. */
type Looking =
  | { readonly state: 'idle' }
  | { readonly state: 'looking'; readonly ticket: string; readonly startedAt: number }
  | Unconfirmed
  | { readonly state: 'refused'; readonly message: string };

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

interface RoundsState {
  readonly environmentId: string | null;
  /** Both as typed. */
  readonly roundId: string;
  readonly date: string;
  readonly looking: Looking;
  /** Newest first, of every environment. */
  readonly recent: readonly RecentLookup[];
  /** The look-up whose result is shown. */
  readonly openKey: string | null;
  /** Names by game ID from the environment's newest list of games. */
  readonly gameNames: ReadonlyMap<string, string>;

  readonly enter: (environment: Environment) => void;
  readonly setRoundId: (roundId: string) => void;
  readonly setDate: (date: string) => void;
  /** Asks for the round; a second call while one is under way does nothing. */
  readonly lookUp: () => Promise<void>;
  readonly confirmLookUp: (confirmed: Confirmed) => Promise<void>;
  readonly cancel: () => Promise<void>;
  /** Closes the question or the refusal. */
  readonly dismiss: () => void;
  /** Shows a recent result again, with its question. */
  readonly open: (key: string) => void;
}

export type RoundsStore = StoreApi<RoundsState>;

export interface RoundsDeps {
  readonly now: () => number;
  /** Returns a fresh ID for tickets. */
  readonly newId: () => string;
}

const idle: Looking = { state: 'idle' };
const kept = 50;

/** Creates the store that looks rounds up by ID and date, and keeps the results of this session. */
export function createRoundsStore(client: Client, deps: RoundsDeps): RoundsStore {
  return createStore<RoundsState>()((set, get) => {
    client.on('catalogue.changed', () => startWork(loadNames()));

    /** Loads the names, which are only a help: without them the IDs stand alone. */
    async function loadNames(): Promise<void> {
      const { environmentId } = get();
      if (environmentId === null) return;
      try {
        const { snapshots } = await client.call('catalogue.snapshots', { environmentId });
        const newest = snapshots[0];
        const games = newest === undefined ? [] : (await client.call('catalogue.games', { snapshotId: newest.id })).games;
        if (get().environmentId === environmentId) set({ gameNames: new Map(games.map(({ id, name }) => [id, name])) });
      } catch (error) {
        reportIfFault(error);
      }
    }

    async function transmit(confirmed: Confirmed): Promise<void> {
      const { environmentId, roundId, date, looking } = get();
      if (environmentId === null || looking.state === 'looking') return;
      const ticket = deps.newId();
      const mine = () => {
        const now = get().looking;
        return now.state === 'looking' && now.ticket === ticket;
      };
      set({ looking: { state: 'looking', ticket, startedAt: deps.now() } });
      try {
        const lookup = await client.call('rounds.lookup', { environmentId, roundId: roundId.trim(), date, ticket, confirmed });
        const entry: RecentLookup = { key: ticket, environmentId, date, at: deps.now(), lookup };
        set((state) => ({ recent: [entry, ...state.recent].slice(0, kept) }));
        if (mine()) set({ looking: idle, openKey: ticket });
      } catch (error) {
        if (mine()) set({ looking: refusalFrom(error) });
      }
    }

    return {
      environmentId: null,
      roundId: '',
      date: '',
      looking: idle,
      recent: [],
      openKey: null,
      gameNames: new Map(),

      enter(environment) {
        const { environmentId, date } = get();
        if (environment.id === environmentId) return;
        set({
          environmentId: environment.id,
          date: date === '' ? todayIn(monthZoneOf(environment), deps.now()) : date,
          looking: idle,
          openKey: null,
          gameNames: new Map(),
        });
        startWork(loadNames());
      },
      setRoundId: (roundId) => set((state) => ({ roundId, looking: settled(state.looking) })),
      setDate: (date) => set((state) => ({ date, looking: settled(state.looking) })),
      lookUp: () => transmit(false),
      async confirmLookUp(confirmed) {
        if (get().looking.state === 'unconfirmed') await transmit(confirmed);
      },
      async cancel() {
        const { looking } = get();
        if (looking.state === 'looking') await client.call('calls.cancel', { ticket: looking.ticket });
      },
      dismiss: () => set((state) => ({ looking: settled(state.looking) })),
      open(key) {
        const entry = get().recent.find((recent) => recent.key === key);
        if (entry !== undefined) set({ openKey: key, roundId: entry.lookup.roundId, date: entry.date });
      },
    };
  });
}

/** Drops a refusal, which was about the values before. */
function settled(looking: Looking): Looking {
  return looking.state === 'looking' ? looking : idle;
}
