import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Variables } from '#shared/collections/model.ts';
import type { CheckResult } from '#shared/collections/reported-request.ts';
import type { Call, Client, TakenValue } from '#shared/ipc/index.ts';
import type { FilledChecks } from '#shared/variables/substitute-request.ts';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import type { ShownChecks } from '#renderer/calls/shown-checks.ts';
import type { TabFile } from './tabs/tab-file.ts';

export interface ResultsState {
  /** Results by call ID, of calls that requests of a collection sent since the page was opened. */
  readonly checked: ReadonlyMap<number, ShownChecks>;
  /** Values by collection and environment; a key that is missing was not requested yet. */
  readonly taken: ReadonlyMap<string, readonly TakenValue[]>;
  /** Checks the response of a call, and keeps the values that it takes. */
  readonly check: (file: Pick<TabFile, 'collectionId' | 'path'>, call: Call, checks: FilledChecks) => Promise<void>;
  /** Shows the results that a run has of a call. */
  readonly show: (callId: number, checks: readonly CheckResult[]) => void;
  /** Fetches the taken values, unless they are known. */
  readonly want: (collectionId: string, environmentId: string) => Promise<void>;
  /** Forgets one value, or all of them for null. Resolves to null, or to the reason of a failure. */
  readonly forget: (collectionId: string, environmentId: string, name: string | null) => Promise<string | null>;
  /** Fetches again what is known: events may have been missed. */
  readonly refresh: () => void;
}

export type ResultsStore = StoreApi<ResultsState>;

/** Number of calls whose results stay; the oldest go first. */
const mostChecked = 200;

/** Keeps the results of single requests of collections: of their checks, and the values they give to later requests. */
export function createResultsStore(client: Client): ResultsStore {
  return createStore<ResultsState>()((set, get) => {
    const rounds = new Map<string, number>();

    client.on('answers.changed', ({ collectionId, environmentId }) => {
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
        // The next tab that wants them asks again.
        if (rounds.get(key) === round && !get().taken.has(key)) rounds.delete(key);
      }
    }

    return {
      checked: new Map(),
      taken: new Map(),
      async check({ collectionId, path }, call, checks) {
        put(call.id, { state: 'evaluating' });
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
      show: (callId, checks) => put(callId, { state: 'ready', checks, taken: [] }),
      async want(collectionId, environmentId) {
        if (!rounds.has(takenKey(collectionId, environmentId))) await load(collectionId, environmentId);
      },
      async forget(collectionId, environmentId, name) {
        try {
          await client.call('answers.forget', { collectionId, environmentId, ...(name === null ? {} : { name }) });
          await load(collectionId, environmentId);
          return null;
        } catch (thrown) {
          return asAppError(thrown).message;
        }
      },
      refresh() {
        for (const key of rounds.keys()) {
          const [collectionId = '', environmentId = ''] = JSON.parse(key) as string[];
          startWork(load(collectionId, environmentId));
        }
      },
    };
  });
}

/** Returns the values taken for a collection in an environment, as far as they are known. */
export function takenFor(
  { taken }: Pick<ResultsState, 'taken'>,
  collectionId: string,
  environmentId: string,
): readonly TakenValue[] {
  return taken.get(takenKey(collectionId, environmentId)) ?? none;
}

/** Returns them as the values of variables. */
export function takenVariables(values: readonly TakenValue[]): Variables {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

function takenKey(collectionId: string, environmentId: string): string {
  return JSON.stringify([collectionId, environmentId]);
}

const none = [] as const;
