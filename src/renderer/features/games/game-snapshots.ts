import type { CatalogueSnapshot, Client } from '#shared/ipc/index.ts';
import { loaded, type Loaded } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { CompareSnapshotsState } from './compare-snapshots.ts';
import type { GameChoiceState } from './game-choice.ts';
import { listGames, type ListedGame } from './listed-games.ts';

/** The snapshots of the environment, newest first. */
type SnapshotList = Loaded<{ snapshots: readonly CatalogueSnapshot[] }>;

/** The games of one snapshot; `none` if there is no snapshot. */
type ShownGames =
  | { readonly state: 'none' }
  | ({ readonly id: number } & Loaded<{ snapshot: CatalogueSnapshot; games: readonly ListedGame[] }>);

/** The snapshots of an environment and the games of the one that is shown. */
export interface GameSnapshotsState {
  /** The environment whose games are shown; null before the first. */
  readonly environmentId: string | null;
  readonly snapshots: SnapshotList;
  readonly shown: ShownGames;
  /** Reads the snapshots again, and the games if none are shown. */
  readonly load: () => Promise<void>;
  readonly showSnapshot: (id: number) => Promise<void>;
}

/** The part of the store that holds the snapshots, and its functions for the other parts. */
export interface GameSnapshots {
  readonly state: GameSnapshotsState;
  /** Reads the list of snapshots; null if it could not be read or is of no use any more. */
  readonly read: () => Promise<readonly CatalogueSnapshot[] | null>;
  /** Reads it because another call brought a list. The new one is shown if the newest was shown and nothing is compared. */
  readonly follow: () => Promise<void>;
}

/** The state of an environment's snapshots before they are read. */
export const noSnapshots: Pick<GameSnapshotsState, 'snapshots' | 'shown'> = {
  snapshots: { state: 'loading' },
  shown: { state: 'none' },
};

/** Creates the part of the store that holds the snapshots. */
export function createGameSnapshots(
  client: Client,
  {
    getState,
    setState,
  }: StorePart<GameSnapshotsState & Pick<CompareSnapshotsState, 'comparing'> & Pick<GameChoiceState, 'chosen' | 'status'>>,
  isFetching: () => boolean,
): GameSnapshots {
  let reading = 0;

  async function read(): Promise<readonly CatalogueSnapshot[] | null> {
    const { environmentId } = getState();
    if (environmentId === null) return null;
    reading += 1;
    const mine = reading;
    const snapshots = await loaded(client.call('catalogue.snapshots', { environmentId }));
    const { environmentId: now, shown } = getState();
    if (mine !== reading || now !== environmentId) return null;
    setState({ snapshots });
    if (snapshots.state === 'failed') return null;
    // The same list that came again has a newer time and call.
    const snapshot = shown.state === 'ready' ? snapshots.snapshots.find(({ id }) => id === shown.id) : undefined;
    if (shown.state === 'ready' && snapshot !== undefined) setState({ shown: { ...shown, snapshot } });
    return snapshots.snapshots;
  }

  return {
    state: {
      environmentId: null,
      ...noSnapshots,
      async load() {
        const newest = (await read())?.[0];
        const { shown, showSnapshot } = getState();
        if (newest !== undefined && (shown.state === 'none' || shown.state === 'failed')) await showSnapshot(newest.id);
      },
      async showSnapshot(id) {
        const before = getState().shown;
        setState({ comparing: null });
        if (before.state === 'ready' && before.id === id) return;
        setState({ shown: { state: 'loading', id } });
        const read = await loaded(client.call('catalogue.games', { snapshotId: id }));
        const { shown, chosen, status } = getState();
        if (shown.state !== 'loading' || shown.id !== id) return;
        if (read.state === 'failed') return setState({ shown: { ...read, id } });
        const games = listGames(read.games);
        const occurs = status === 'any' || games.some(({ game }) => game.status === status.only);
        setState({
          shown: { ...read, id, games },
          chosen: games.find(({ game }) => game.id === chosen?.game.id) ?? null,
          status: occurs ? status : 'any',
        });
      },
    },
    read,
    async follow() {
      const before = getState().snapshots;
      const newest = (await read())?.[0];
      const { shown, comparing, showSnapshot } = getState();
      if (newest === undefined || comparing !== null || isFetching()) return;
      const isNew = before.state !== 'ready' || !before.snapshots.some(({ id }) => id === newest.id);
      const atNewest = before.state === 'ready' && shown.state === 'ready' && shown.id === before.snapshots[0]?.id;
      if (shown.state === 'none' || (isNew && atNewest)) await showSnapshot(newest.id);
    },
  };
}
