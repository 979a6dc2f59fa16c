import { asAppError, type Loaded } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { Client, Environment } from '#shared/ipc/index.ts';
import type { KeysState } from './environment-keys.ts';

/** Key of the environment that is being created and has no ID yet. */
export const newId = '';

/** The environments as core has them. */
type EnvironmentList = Loaded<{
  environments: readonly Environment[];
  broken: readonly { readonly file: string; readonly message: string }[];
}>;

export interface EnvironmentListState {
  readonly list: EnvironmentList;
  /** The environment that requests are sent to. */
  readonly currentId: string | null;
  /** The environment whose form is open; `newId` for one being created. */
  readonly openId: string | null;
  /** Fetches them; shows them once `after` is settled. */
  readonly load: (after?: Promise<unknown>) => Promise<void>;
  /** Makes it the one that requests are sent to. */
  readonly select: (id: string) => void;
}

/** The part of the store that holds the environments, and its functions for the other parts. */
export interface KnownEnvironments {
  readonly state: EnvironmentListState;
  readonly find: (id: string) => Environment | undefined;
  /** Puts a saved environment into the list at once, before the event about it arrives. */
  readonly adopt: (environment: Environment) => void;
  /** Takes a removed environment out of the list at once. */
  readonly drop: (id: string) => void;
}

/** Creates the part of the store that holds the environments. */
export function createKnownEnvironments(
  client: Client,
  { getState, setState }: StorePart<EnvironmentListState & Pick<KeysState, 'keys' | 'loadKey' | 'seeKey'>>,
  initialId: string | null,
): KnownEnvironments {
  function find(id: string): Environment | undefined {
    const { list } = getState();
    return list.state === 'ready' ? list.environments.find((environment) => environment.id === id) : undefined;
  }

  return {
    state: {
      list: { state: 'loading' },
      currentId: initialId,
      openId: null,
      async load(after) {
        try {
          const [{ environments, broken }] = await Promise.all([client.call('environments.list', {}), after]);
          setState((state) => {
            const has = (id: string | null) => environments.some((environment) => environment.id === id);
            const first = environments[0]?.id ?? null;
            const currentId = has(state.currentId) ? state.currentId : first;
            const openId = state.openId === newId || has(state.openId) ? state.openId : currentId;
            return { list: { state: 'ready', environments, broken }, currentId, openId };
          });
          const { currentId, openId, keys, loadKey } = getState();
          // The keys of the others are read when they are seen: there may be thousands.
          const wanted = environments.filter(({ id }) => (id === currentId || id === openId) && keys[id] === undefined);
          await Promise.all(wanted.map(({ id }) => loadKey(id)));
        } catch (error) {
          const message = asAppError(error).message;
          // A list that is shown stays; it is only older than it could be.
          setState((state) => (state.list.state === 'ready' ? {} : { list: { state: 'failed', message } }));
        }
      },
      select(id) {
        if (find(id) === undefined) return;
        setState({ currentId: id });
        getState().seeKey(id);
      },
    },
    find,
    adopt(environment) {
      setState((state) => {
        if (state.list.state !== 'ready') return {};
        const { environments } = state.list;
        const known = environments.some(({ id }) => id === environment.id);
        const next = known
          ? environments.map((old) => (old.id === environment.id ? environment : old))
          : [...environments, environment];
        return { list: { ...state.list, environments: next } };
      });
    },
    drop(id) {
      setState((state) => {
        if (state.list.state !== 'ready') return {};
        const environments = state.list.environments.filter((other) => other.id !== id);
        const first = environments[0]?.id ?? null;
        return {
          list: { ...state.list, environments },
          currentId: state.currentId === id ? first : state.currentId,
          openId: state.openId === id ? first : state.openId,
        };
      });
      const { currentId, openId, seeKey } = getState();
      for (const shown of [currentId, openId]) if (shown !== null && shown !== newId) seeKey(shown);
    },
  };
}
