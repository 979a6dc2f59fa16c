import type { CallSummary, Client, Confirmed } from '#shared/ipc/index.ts';
import { refusalFrom, type Unconfirmed } from '#renderer/calls/refusal.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { GameSnapshots, GameSnapshotsState } from './game-snapshots.ts';

/** State of the fetch button. */
type Fetching =
  | { readonly state: 'idle' }
  | { readonly state: 'fetching'; readonly ticket: string; readonly startedAt: number }
  | Unconfirmed
  | { readonly state: 'refused'; readonly message: string };

/** The part of the store that asks the provider for its games. */
export interface FetchGamesState {
  /** As typed. */
  readonly currency: string;
  readonly fetching: Fetching;
  /** The last call that brought no list. */
  readonly problem: CallSummary | null;
  readonly setCurrency: (currency: string) => void;
  /** Asks the provider for its games; a second call while one is under way does nothing. */
  readonly fetch: () => Promise<void>;
  readonly confirmFetch: (confirmed: Confirmed) => Promise<void>;
  readonly cancel: () => Promise<void>;
  /** Closes the question, the refusal or the problem. */
  readonly dismiss: () => void;
}

export interface FetchGamesDeps {
  readonly now: () => number;
  /** Returns a fresh ID for tickets. */
  readonly newId: () => string;
}

const idle: Fetching = { state: 'idle' };

/** State of fetching in an environment that was just entered: a call under way goes on, and nobody waits for it any more. */
export const nothingFetched = { fetching: idle, problem: null };

/** Creates the part of the store that asks the provider for its games. */
export function createFetchGames(
  client: Client,
  deps: FetchGamesDeps,
  { getState, setState }: StorePart<FetchGamesState & Pick<GameSnapshotsState, 'environmentId' | 'showSnapshot'>>,
  snapshots: Pick<GameSnapshots, 'read'>,
): FetchGamesState {
  async function transmit(confirmed: Confirmed): Promise<void> {
    const { environmentId, currency, fetching } = getState();
    if (environmentId === null || fetching.state === 'fetching') return;
    const ticket = deps.newId();
    const mine = () => {
      const now = getState().fetching;
      return now.state === 'fetching' && now.ticket === ticket;
    };
    setState({ fetching: { state: 'fetching', ticket, startedAt: deps.now() }, problem: null });
    try {
      const { call, snapshot } = await client.call('catalogue.fetch', { environmentId, currency, ticket, confirmed });
      if (!mine()) return;
      setState({ fetching: idle, problem: snapshot === null ? call : null });
      if (snapshot !== null) await Promise.all([getState().showSnapshot(snapshot.id), snapshots.read()]);
    } catch (error) {
      if (mine()) setState({ fetching: refusalFrom(error) });
    }
  }

  return {
    currency: '',
    ...nothingFetched,
    setCurrency: (currency) => setState({ currency }),
    fetch: () => transmit(false),
    async confirmFetch(confirmed) {
      if (getState().fetching.state === 'unconfirmed') await transmit(confirmed);
    },
    async cancel() {
      const { fetching } = getState();
      if (fetching.state === 'fetching') await client.call('calls.cancel', { ticket: fetching.ticket });
    },
    dismiss() {
      setState((state) => ({ problem: null, fetching: state.fetching.state === 'fetching' ? state.fetching : idle }));
    },
  };
}
