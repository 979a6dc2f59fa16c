import { createStore, type StoreApi } from 'zustand/vanilla';
import { startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { Client, Environment } from '#shared/ipc/index.ts';
import { createApart, type ApartState } from './environment-apart.ts';
import { createEnvironmentChanges, type EnvironmentChangesState } from './environment-changes.ts';
import { createForms, type FormsState } from './environment-forms.ts';
import { createKeys, type KeysState } from './environment-keys.ts';
import { createKnownEnvironments, type EnvironmentListState } from './environment-list.ts';

/** The environments: the sum of the parts, each in a file of its own. */
export interface EnvironmentsState extends EnvironmentListState, KeysState, FormsState, EnvironmentChangesState, ApartState {}

export type EnvironmentsStore = StoreApi<EnvironmentsState>;

/** Creates the store of the environments, of the forms that are open over them, and of the state of their keys (never a key). */
export function createEnvironmentsStore(
  client: Client,
  { notify, initialId }: { notify: Notify; initialId: string | null },
): EnvironmentsStore {
  return createStore<EnvironmentsState>()((_set, get, store) => {
    client.on('environments.changed', () => startWork(get().load()));
    for (const event of ['keys.changed', 'keys.proven'] as const)
      client.on(event, ({ environmentId }) => {
        if (get().keys[environmentId] !== undefined) startWork(get().loadKey(environmentId));
      });
    const known = createKnownEnvironments(client, store, initialId);
    const forms = createForms(client, notify, store, known);
    return {
      ...known.state,
      ...createKeys(client, notify, store, known.find),
      ...forms.state,
      ...createApart(client, store),
      ...createEnvironmentChanges(client, notify, store, known, forms),
    };
  });
}

/** Returns the environment that requests are sent to; null while none is known. */
export function currentEnvironment(state: Pick<EnvironmentListState, 'list' | 'currentId'>): Environment | null {
  if (state.list.state !== 'ready') return null;
  return state.list.environments.find((environment) => environment.id === state.currentId) ?? null;
}

/** Returns the names of the other environments that have the same recorded answers as one. */
export function sharersOf({ list }: Pick<EnvironmentListState, 'list'>, environment: Environment): readonly string[] {
  if (list.state !== 'ready') return [];
  const owner = (one: Environment) => one.sameProviderAs ?? one.id;
  return list.environments
    .filter((one) => one.id !== environment.id && owner(one) === owner(environment))
    .map(({ name }) => name);
}

/** Returns whether a form holds something that was typed and not saved. */
export function hasUnsaved(state: Pick<FormsState, 'editing'>): boolean {
  return Object.keys(state.editing).length > 0;
}
