import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Environment } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { createCompareSnapshots, type CompareSnapshotsDeps, type CompareSnapshotsState } from './compare-snapshots.ts';
import { createFetchGames, nothingFetched, type FetchGamesDeps, type FetchGamesState } from './fetch-games.ts';
import { createGameChoice, noChoice, type GameChoiceState } from './game-choice.ts';
import { createGameSnapshots, noSnapshots, type GameSnapshotsState } from './game-snapshots.ts';

/** The games of an environment: the sum of the parts, each in a file of its own. */
interface GamesState extends GameSnapshotsState, FetchGamesState, GameChoiceState, CompareSnapshotsState {
  /** Shows the environment's newest snapshot, unless it is shown already. */
  readonly enter: (environment: Environment) => void;
}

export type GamesStore = StoreApi<GamesState>;

/** Creates the store of the fetched games of the current environment, and of the differences between two fetches. */
export function createGamesStore(client: Client, deps: FetchGamesDeps & CompareSnapshotsDeps): GamesStore {
  return createStore<GamesState>()((set, get, store) => {
    const snapshots = createGameSnapshots(client, store, () => get().asking.state === 'busy');
    client.on('catalogue.changed', () => {
      if (get().environmentId !== null) startWork(snapshots.follow());
    });
    return {
      ...snapshots.state,
      ...createFetchGames(client, deps, store, snapshots),
      ...createGameChoice(store),
      ...createCompareSnapshots(client, deps, store),
      enter({ id, defaults }) {
        if (id === get().environmentId) return;
        set({
          environmentId: id,
          currency: defaults.currency,
          ...nothingFetched,
          ...noSnapshots,
          ...noChoice,
          comparing: null,
        });
        startWork(get().load());
      },
    };
  });
}
