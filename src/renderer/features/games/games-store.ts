import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CallSummary, CatalogueComparison, CatalogueSnapshot, Client, Confirmed, Environment } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { refusalFrom, type Unconfirmed } from '#renderer/calls/refusal.ts';
import type { ChangeKind } from './comparison-rows.ts';
import { listGames, type GameOrder, type ListedGame, type StatusFilter } from './listed-games.ts';

export type GamesView = 'grid' | 'table';

/** What the fetch button is doing. */
type Fetching =
  | { readonly state: 'idle' }
  | { readonly state: 'fetching'; readonly ticket: string; readonly startedAt: number }
  | Unconfirmed
  | { readonly state: 'refused'; readonly message: string };

/** The snapshots of the environment, newest first. */
type SnapshotList =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly snapshots: readonly CatalogueSnapshot[] };

/** The games of one snapshot; `none` where there is no snapshot. */
type ShownGames =
  | { readonly state: 'none' }
  | { readonly state: 'loading'; readonly id: number }
  | { readonly state: 'failed'; readonly id: number; readonly message: string }
  | { readonly state: 'ready'; readonly id: number; readonly snapshot: CatalogueSnapshot; readonly games: readonly ListedGame[] };

/** Two snapshots side by side. */
export interface Comparing {
  readonly from: number;
  readonly to: number;
  readonly result:
    | { readonly state: 'loading' }
    | { readonly state: 'failed'; readonly message: string }
    | { readonly state: 'ready'; readonly comparison: CatalogueComparison };
  readonly kind: ChangeKind | 'all';
  readonly text: string;
  /** Key of the line whose details are open. */
  readonly openKey: string | null;
}

interface GamesState {
  /** The environment whose games are shown; null before the first. */
  readonly environmentId: string | null;
  /** As typed. */
  readonly currency: string;
  readonly fetching: Fetching;
  /** The last call that brought no list. */
  readonly problem: CallSummary | null;
  readonly snapshots: SnapshotList;
  readonly shown: ShownGames;
  readonly view: GamesView;
  readonly order: GameOrder;
  readonly text: string;
  readonly status: StatusFilter;
  /** The game whose details are open. */
  readonly chosen: ListedGame | null;
  /** The bet level picked in the details. */
  readonly betLevel: number;
  readonly comparing: Comparing | null;

  /** Shows the environment's newest snapshot, unless it is shown already. */
  readonly enter: (environment: Environment) => void;
  /** Reads the snapshots again, and the games where none are shown. */
  readonly load: () => Promise<void>;
  readonly setCurrency: (currency: string) => void;
  /** Asks the provider for its games; a second call while one is under way does nothing. */
  readonly fetch: () => Promise<void>;
  readonly confirmFetch: (confirmed: Confirmed) => Promise<void>;
  readonly cancel: () => Promise<void>;
  /** Closes the question, the refusal or the problem. */
  readonly dismiss: () => void;
  readonly showSnapshot: (id: number) => Promise<void>;
  readonly setView: (view: GamesView) => void;
  readonly setOrder: (order: GameOrder) => void;
  readonly setText: (text: string) => void;
  readonly setStatus: (status: StatusFilter) => void;
  readonly choose: (game: ListedGame | null) => void;
  readonly setBetLevel: (level: number) => void;
  readonly compare: (from: number, to: number) => Promise<void>;
  readonly setComparison: (change: Partial<Pick<Comparing, 'kind' | 'text' | 'openKey'>>) => void;
  readonly endComparison: () => void;
  /** Shows one game with its details among all of them, whatever is searched for or compared now. */
  readonly showGame: (game: ListedGame) => void;
  readonly close: () => void;
}

export type GamesStore = StoreApi<GamesState>;

export interface GamesDeps {
  readonly now: () => number;
  /** A fresh id for tickets. */
  readonly newId: () => string;
}

const idle: Fetching = { state: 'idle' };
const none: ShownGames = { state: 'none' };

/** The games of the current environment as they were fetched, and what differs between two fetches. */
export function createGamesStore(client: Client, deps: GamesDeps): GamesStore {
  return createStore<GamesState>()((set, get) => {
    const stop = client.on('catalogue.changed', () => {
      if (get().environmentId !== null) startWork(follow());
    });
    let reading = 0;

    async function loadSnapshots(): Promise<readonly CatalogueSnapshot[] | null> {
      const { environmentId } = get();
      if (environmentId === null) return null;
      reading += 1;
      const mine = reading;
      const current = () => mine === reading && get().environmentId === environmentId;
      try {
        const { snapshots } = await client.call('catalogue.snapshots', { environmentId });
        if (!current()) return null;
        const { shown } = get();
        // The same list that came again has a newer time and call.
        const snapshot = shown.state === 'ready' ? snapshots.find(({ id }) => id === shown.id) : undefined;
        set({
          snapshots: { state: 'ready', snapshots },
          ...(shown.state === 'ready' && snapshot !== undefined ? { shown: { ...shown, snapshot } } : {}),
        });
        return snapshots;
      } catch (error) {
        if (current()) set({ snapshots: { state: 'failed', message: asAppError(error).message } });
        return null;
      }
    }

    /** A list that another call brought is shown where the newest one was, and nobody compares. */
    async function follow(): Promise<void> {
      const before = get().snapshots;
      const snapshots = await loadSnapshots();
      const newest = snapshots?.[0];
      const { shown, comparing, fetching } = get();
      if (newest === undefined || comparing !== null || fetching.state === 'fetching') return;
      const isNew = before.state !== 'ready' || !before.snapshots.some(({ id }) => id === newest.id);
      const atNewest = before.state === 'ready' && shown.state === 'ready' && shown.id === before.snapshots[0]?.id;
      if (shown.state === 'none' || (isNew && atNewest)) await get().showSnapshot(newest.id);
    }

    async function transmit(confirmed: Confirmed): Promise<void> {
      const { environmentId, currency, fetching } = get();
      if (environmentId === null || fetching.state === 'fetching') return;
      const ticket = deps.newId();
      const mine = () => {
        const now = get().fetching;
        return now.state === 'fetching' && now.ticket === ticket;
      };
      set({ fetching: { state: 'fetching', ticket, startedAt: deps.now() }, problem: null });
      try {
        const { call, snapshot } = await client.call('catalogue.fetch', { environmentId, currency, ticket, confirmed });
        if (!mine()) return;
        set({ fetching: idle, problem: snapshot === null ? call : null });
        if (snapshot !== null) await Promise.all([get().showSnapshot(snapshot.id), loadSnapshots()]);
      } catch (error) {
        if (mine()) set({ fetching: refusalFrom(error) });
      }
    }

    return {
      environmentId: null,
      currency: '',
      fetching: idle,
      problem: null,
      snapshots: { state: 'loading' },
      shown: none,
      view: 'grid',
      order: 'received',
      text: '',
      status: 'any',
      chosen: null,
      betLevel: 0,
      comparing: null,

      enter(environment) {
        if (environment.id === get().environmentId) return;
        const { fetching } = get();
        // What is under way goes on and is kept as a snapshot; it is no longer waited for here.
        if (fetching.state === 'fetching') set({ fetching: idle });
        set({
          environmentId: environment.id,
          currency: environment.defaults.currency,
          fetching: idle,
          problem: null,
          snapshots: { state: 'loading' },
          shown: none,
          status: 'any',
          chosen: null,
          betLevel: 0,
          comparing: null,
        });
        startWork(get().load());
      },
      async load() {
        const snapshots = await loadSnapshots();
        const newest = snapshots?.[0];
        const { shown } = get();
        if (newest !== undefined && (shown.state === 'none' || shown.state === 'failed')) await get().showSnapshot(newest.id);
      },
      setCurrency: (currency) => set({ currency }),
      fetch: () => transmit(false),
      async confirmFetch(confirmed) {
        if (get().fetching.state === 'unconfirmed') await transmit(confirmed);
      },
      async cancel() {
        const { fetching } = get();
        if (fetching.state === 'fetching') await client.call('calls.cancel', { ticket: fetching.ticket });
      },
      dismiss() {
        set((state) => ({ problem: null, fetching: state.fetching.state === 'fetching' ? state.fetching : idle }));
      },
      async showSnapshot(id) {
        const before = get().shown;
        set({ comparing: null });
        if (before.state === 'ready' && before.id === id) return;
        set({ shown: { state: 'loading', id } });
        const current = () => {
          const { shown } = get();
          return shown.state === 'loading' && shown.id === id;
        };
        try {
          const { snapshot, games } = await client.call('catalogue.games', { snapshotId: id });
          if (!current()) return;
          const listed = listGames(games);
          const { chosen, status } = get();
          const still = chosen === null ? undefined : listed.find(({ game }) => game.id === chosen.game.id);
          const occurs = status === 'any' || listed.some(({ game }) => game.status === status.only);
          set({
            shown: { state: 'ready', id, snapshot, games: listed },
            chosen: still ?? null,
            status: occurs ? status : 'any',
          });
        } catch (error) {
          if (current()) set({ shown: { state: 'failed', id, message: asAppError(error).message } });
        }
      },
      setView: (view) => set({ view }),
      setOrder: (order) => set({ order }),
      setText: (text) => set({ text }),
      setStatus: (status) => set({ status }),
      choose(chosen) {
        const sameGame = chosen !== null && chosen.game.id === get().chosen?.game.id;
        set({ chosen, ...(sameGame ? {} : { betLevel: 0 }) });
      },
      setBetLevel: (betLevel) => set({ betLevel }),
      async compare(from, to) {
        const { kind = 'all', text = '' } = get().comparing ?? {};
        set({ comparing: { from, to, kind, text, openKey: null, result: { state: 'loading' } } });
        const finish = (result: Comparing['result']) => {
          const { comparing } = get();
          if (comparing?.from === from && comparing.to === to) set({ comparing: { ...comparing, result } });
        };
        try {
          finish({ state: 'ready', comparison: await client.call('catalogue.compare', { from, to }) });
        } catch (error) {
          finish({ state: 'failed', message: asAppError(error).message });
        }
      },
      setComparison(change) {
        const { comparing } = get();
        if (comparing !== null) set({ comparing: { ...comparing, ...change } });
      },
      endComparison: () => set({ comparing: null }),
      showGame(game) {
        set({ comparing: null, text: '', status: 'any' });
        get().choose(game);
      },
      close: stop,
    };
  });
}
