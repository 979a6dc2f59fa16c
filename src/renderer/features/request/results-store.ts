import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Variables } from '#shared/collections/model.ts';
import type { Call, Client, TakenValue } from '#shared/ipc/index.ts';
import type { FilledChecks } from '#shared/variables/substitute-request.ts';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import type { ShownChecks } from '#renderer/calls/shown-checks.ts';
import type { TabFile } from './tab-file.ts';

export interface ResultsState {
  /** By the call's id, of calls that a request of a collection was sent with since the page was opened. */
  readonly checked: ReadonlyMap<number, ShownChecks>;
  /** By the collection and the environment; one that is not here was not asked for yet. */
  readonly taken: ReadonlyMap<string, readonly TakenValue[]>;
  /** Looks at the answer of a call, and keeps what it takes. */
  readonly check: (file: Pick<TabFile, 'collectionId' | 'path'>, call: Call, checks: FilledChecks) => Promise<void>;
  /** Fetches what was taken, unless it is known. */
  readonly want: (collectionId: string, environmentId: string) => Promise<void>;
  /** Forgets one value, or all of them for null; gives a sentence where that could not be done, else null. */
  readonly forget: (collectionId: string, environmentId: string, name: string | null) => Promise<string | null>;
  /** Events may have been missed: what is known is fetched again. */
  readonly refresh: () => void;
  readonly close: () => void;
}

export type ResultsStore = StoreApi<ResultsState>;

/** Whose results stay, newest last. */
const mostChecked = 200;

/** What answers of single requests of collections gave: the results of their checks, and values for the requests after them. */
export function createResultsStore(client: Client): ResultsStore {
  return createStore<ResultsState>()((set, get) => {
    const rounds = new Map<string, number>();

    const stop = client.on('answers.changed', ({ collectionId, environmentId }) => {
      if (rounds.has(takenKey(collectionId, environmentId))) startWork(load(collectionId, environmentId));
    });

    function put(callId: number, shown: ShownChecks): void {
      const checked = new Map(get().checked);
      checked.delete(callId);
      checked.set(callId, shown);
      for (const oldest of checked.keys()) {
        if (checked.size <= mostChecked) break;
        checked.delete(oldest);
      }
      set({ checked });
    }

    async function load(collectionId: string, environmentId: string): Promise<void> {
      const key = takenKey(collectionId, environmentId);
      const round = (rounds.get(key) ?? 0) + 1;
      rounds.set(key, round);
      try {
        const { values } = await client.call('answers.taken', { collectionId, environmentId });
        if (rounds.get(key) === round) set(({ taken }) => ({ taken: new Map(taken).set(key, values) }));
      } catch (error) {
        reportIfFault(error);
        // Asked again with the next tab that wants them.
        if (rounds.get(key) === round && !get().taken.has(key)) rounds.delete(key);
      }
    }

    return {
      checked: new Map(),
      taken: new Map(),
      async check({ collectionId, path }, call, checks) {
        put(call.id, { state: 'looking' });
        try {
          const { take, expect, unresolved } = checks;
          const found = await client.call('answers.check', {
            collectionId,
            path,
            callId: call.id,
            take,
            expect,
            unresolved: [...unresolved],
          });
          if (found.taken.length > 0) await load(collectionId, call.environmentId);
          put(call.id, { state: 'ready', ...found });
        } catch (error) {
          put(call.id, { state: 'failed', message: asAppError(error).message });
        }
      },
      async want(collectionId, environmentId) {
        if (!rounds.has(takenKey(collectionId, environmentId))) await load(collectionId, environmentId);
      },
      async forget(collectionId, environmentId, name) {
        try {
          await client.call('answers.forget', { collectionId, environmentId, ...(name === null ? {} : { name }) });
          await load(collectionId, environmentId);
          return null;
        } catch (thrown) {
          const error = asAppError(thrown);
          return error.message;
        }
      },
      refresh() {
        for (const key of rounds.keys()) {
          const [collectionId = '', environmentId = ''] = JSON.parse(key) as string[];
          startWork(load(collectionId, environmentId));
        }
      },
      close: stop,
    };
  });
}

/** What was taken for a collection in an environment, as far as it is known. */
export function takenFor(
  { taken }: Pick<ResultsState, 'taken'>,
  collectionId: string,
  environmentId: string,
): readonly TakenValue[] {
  return taken.get(takenKey(collectionId, environmentId)) ?? none;
}

/** The same as the values of variables. */
export function takenVariables(values: readonly TakenValue[]): Variables {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

function takenKey(collectionId: string, environmentId: string): string {
  return JSON.stringify([collectionId, environmentId]);
}

const none = [] as const;
