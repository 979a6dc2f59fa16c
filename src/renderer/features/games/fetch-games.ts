import type { CallSummary, Client } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { createAsking, type AskingState } from '#renderer/calls/refusal.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { GameSnapshots, GameSnapshotsState } from './game-snapshots.ts';

/** The part of the store that asks the provider for its games. */
export interface FetchGamesState extends AskingState {
  /** As typed. */
  readonly currency: string;
  /** The last call that brought no list. */
  readonly problem: CallSummary | null;
  readonly setCurrency: (currency: string) => void;
  /** Asks the provider for its games; a second call while one is under way does nothing. */
  readonly fetch: () => Promise<void>;
  readonly cancel: () => Promise<void>;
}

export interface FetchGamesDeps {
  /** Returns a fresh ID for tickets. */
  readonly newId: () => string;
}

/** State of fetching in an environment that was just entered: a call under way goes on, and nobody waits for it any more. */
export const nothingFetched = { asking: { state: 'idle' }, problem: null } as const;

/** Creates the part of the store that asks the provider for its games. */
export function createFetchGames(
  client: Client,
  deps: FetchGamesDeps,
  store: StorePart<FetchGamesState & Pick<GameSnapshotsState, 'environmentId' | 'showSnapshot'>>,
  snapshots: Pick<GameSnapshots, 'read'>,
): FetchGamesState {
  const { getState, setState } = store;
  const { state, attempt } = createAsking(store);
  let ticket = '';
  return {
    ...state,
    currency: '',
    problem: null,
    setCurrency: (currency) => setState({ currency }),
    fetch: () =>
      attempt(async (confirmed) => {
        const { environmentId, currency } = getState();
        if (environmentId === null) return;
        ticket = deps.newId();
        setState({ problem: null });
        const { call, snapshot } = await client.call('catalogue.fetch', { environmentId, currency, ticket, confirmed });
        if (getState().environmentId !== environmentId) return;
        if (snapshot === null) return setState({ problem: call });
        startWork(Promise.all([getState().showSnapshot(snapshot.id), snapshots.read()]));
      }),
    async cancel() {
      if (getState().asking.state === 'busy') await client.call('calls.cancel', { ticket });
    },
    dismiss() {
      setState({ problem: null });
      state.dismiss();
    },
  };
}
