import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import { knownGames, type KnownGames } from '#shared/provider/index.ts';
import { reportIfFault, startWork } from '#renderer/faults/faults.ts';

/** The newest game list of each environment that a request used. */
interface GameListsState {
  /** By the ID of the environment; one without a list, or whose lists cannot be read, is missing. */
  readonly lists: ReadonlyMap<string, KnownGames>;
  /** Reads the environment's newest list, and again whenever there is a newer one. */
  readonly want: (environmentId: string) => void;
}

export type GameListsStore = StoreApi<GameListsState>;

/** Creates the store. Lists come from core, which keeps them, so that names and bets outlive the page. */
export function createGameLists(client: Client): GameListsStore {
  return createStore<GameListsState>()((set) => {
    /** ID of the snapshot that is held, by environment; 0 while there is none. */
    const held = new Map<string, number>();
    let reading = 0;
    const last = new Map<string, number>();

    function put(environmentId: string, id: number, list: KnownGames | null): void {
      held.set(environmentId, id);
      set(({ lists }) => {
        const next = new Map(lists);
        if (list === null) next.delete(environmentId);
        else next.set(environmentId, list);
        return { lists: next };
      });
    }

    async function read(environmentId: string): Promise<void> {
      reading += 1;
      const mine = reading;
      last.set(environmentId, mine);
      const current = () => last.get(environmentId) === mine;
      try {
        const { snapshots } = await client.call('catalogue.snapshots', { environmentId });
        const [newest] = snapshots;
        if (!current() || newest?.id === held.get(environmentId)) return;
        if (newest === undefined) return put(environmentId, 0, null);
        const { games } = await client.call('catalogue.games', { snapshotId: newest.id });
        if (current()) put(environmentId, newest.id, knownGames(newest.currency, games));
      } catch (error) {
        reportIfFault(error);
        // Without a list nothing names games; the screen of the games explains why there is none.
        if (current()) put(environmentId, 0, null);
      }
    }

    client.on('catalogue.changed', () => {
      for (const environmentId of last.keys()) startWork(read(environmentId));
    });
    return {
      lists: new Map(),
      want(environmentId) {
        if (!last.has(environmentId)) startWork(read(environmentId));
      },
    };
  });
}
