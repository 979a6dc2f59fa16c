import type { Client, SandboxPlayer } from '#shared/ipc/index.ts';
import { orNull, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';

/** Names of an environment's games, from its newest game list. */
export interface KnownGames {
  readonly environmentId: string;
  readonly state: 'loading' | 'none' | 'ready' | 'failed';
  readonly fetchedAt: number | null;
  /** Names by the text of the game's number. */
  readonly names: ReadonlyMap<string, string>;
}

/** Lists to choose from for a launch: games by name, players of the built-in provider. */
export interface LaunchChoiceState {
  readonly players: readonly SandboxPlayer[];
  readonly games: KnownGames | null;

  readonly loadGames: (environmentId: string) => Promise<void>;
}

/** The part of the launcher that fetches these lists, and again when they change. */
export interface LaunchChoices {
  readonly state: LaunchChoiceState;
  readonly loadPlayers: () => Promise<void>;
}

/** Milliseconds after a burst of events until the list is fetched. */
const settle = 300;

/** Creates the part that fetches the lists; `later` calls back once, and returns what cancels that. */
export function createLaunchChoices(
  client: Client,
  later: (run: () => void, milliseconds: number) => () => void,
  { getState: get, setState: set }: StorePart<LaunchChoiceState>,
): LaunchChoices {
  let gamesRound = 0;
  let counting: (() => void) | null = null;
  client.on('catalogue.changed', () => {
    const { games } = get();
    if (games !== null) startWork(loadGames(games.environmentId));
  });
  client.on('sandbox.judged', ({ path }) => {
    if (get().players.length === 0 || path === '/serviceApi.php') return;
    counting ??= later(() => {
      counting = null;
      startWork(loadPlayers());
    }, settle);
  });

  async function loadPlayers(): Promise<void> {
    const status = await orNull(client.call('sandbox.status', {}));
    if (status !== null) set({ players: status.players });
  }

  async function loadGames(environmentId: string): Promise<void> {
    gamesRound += 1;
    const mine = gamesRound;
    const before = get().games;
    const none = { environmentId, fetchedAt: null, names: new Map<string, string>() };
    if (before?.environmentId !== environmentId) set({ games: { ...none, state: 'loading' } });
    try {
      const { snapshots } = await client.call('catalogue.snapshots', { environmentId });
      const [newest] = snapshots;
      const got = newest === undefined ? null : await client.call('catalogue.games', { snapshotId: newest.id });
      if (mine !== gamesRound) return;
      if (got === null) return set({ games: { ...none, state: 'none' } });
      const names = new Map(got.games.map((game) => [game.id, game.name]));
      set({ games: { environmentId, state: 'ready', fetchedAt: got.snapshot.fetchedAt, names } });
    } catch (error) {
      reportIfFault(error);
      if (mine === gamesRound) set({ games: { ...none, state: 'failed' } });
    }
  }

  return {
    state: { players: [], games: null, loadGames },
    loadPlayers,
  };
}
