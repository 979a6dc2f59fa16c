import type { Call, CatalogueComparison, CatalogueSnapshot, CallSummary } from '#shared/ipc/index.ts';
import { readAnswer, summaryOf } from '../calls/answer.ts';
import type { SendRequest } from '../calls/calls.ts';
import { compareSnapshots, type SnapshotGames } from './compare.ts';
import { readGames } from './read-games.ts';
import type { SnapshotStore } from './store.ts';

export interface FetchRequest {
  readonly environmentId: string;
  readonly currency: string;
  readonly ticket: string;
  readonly confirmed: boolean;
}

export interface Catalogue {
  /** Sends gameList and keeps what a code 0 brought. Fails as `calls.send` does. */
  fetch(request: FetchRequest): Promise<{ call: CallSummary; snapshot: CatalogueSnapshot | null }>;
  snapshots(environmentId?: string): CatalogueSnapshot[];
  /** Fails with `not_found`. */
  games(snapshotId: number): SnapshotGames;
  /** Fails with `not_found`. */
  compare(from: number, to: number): CatalogueComparison;
}

/** The games of the providers: fetched by the one sender, kept as snapshots. */
export function createCatalogue(deps: {
  send: (request: SendRequest) => Promise<Call>;
  body: (callId: number) => Uint8Array;
  store: SnapshotStore;
  onChange: () => void;
}): Catalogue {
  const { send, body, store, onChange } = deps;
  return {
    async fetch({ environmentId, currency, ticket, confirmed }) {
      const text = JSON.stringify({ currency });
      const call = await send({
        draft: { environmentId, operation: 'gameList', form: 'main', text, overrides: {} },
        ticket,
        confirmed,
      });
      const list = call.code === 0 && call.state === 'answered' ? readGames(readAnswer(body(call.id))) : null;
      if (list === null) return { call: summaryOf(call), snapshot: null };
      const snapshot = store.add(
        {
          environmentId: call.environmentId,
          environmentName: call.environmentName,
          currency,
          callId: call.id,
          fetchedAt: call.sentAt,
          problems: [...list.problems],
        },
        list.games,
      );
      onChange();
      return { call: summaryOf(call), snapshot };
    },
    snapshots: (environmentId) => store.list(environmentId),
    games: (snapshotId) => store.get(snapshotId),
    compare: (from, to) => compareSnapshots(store.get(from), store.get(to)),
  };
}
