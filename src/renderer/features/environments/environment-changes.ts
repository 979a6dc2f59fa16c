import { asAppError } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { Client, Environment, Serialization } from '#shared/ipc/index.ts';
import { copyName } from './environment-draft.ts';
import type { Forms, FormsState } from './environment-forms.ts';
import type { KeysState } from './environment-keys.ts';
import type { EnvironmentListState, KnownEnvironments } from './environment-list.ts';

/** The part of the store that changes environments without their forms. */
export interface EnvironmentChangesState {
  /**
   * Saves another serialization, which a notice undoes. If the environment has a form with changes, the form gets it instead, to be
   * saved with them.
   */
  readonly setSerialization: (id: string, serialization: Serialization) => Promise<void>;
  readonly duplicate: (id: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/** Creates the part of the store that changes environments without their forms. */
export function createEnvironmentChanges(
  client: Client,
  notify: Notify,
  {
    getState,
    setState,
  }: StorePart<
    EnvironmentChangesState &
      Pick<FormsState, 'editing' | 'change'> &
      Pick<KeysState, 'loadKey'> &
      Pick<EnvironmentListState, 'list' | 'openId'>
  >,
  { find, adopt, drop }: Pick<KnownEnvironments, 'find' | 'adopt' | 'drop'>,
  forms: Pick<Forms, 'close'>,
): EnvironmentChangesState {
  /** Shows an environment that is new in the list, with the state of its key. */
  async function show(environment: Environment): Promise<void> {
    adopt(environment);
    setState({ openId: environment.id });
    await getState().loadKey(environment.id);
  }

  async function restore(environment: Environment): Promise<boolean> {
    const failed = (why: string) => notify({ tone: 'bad', text: `${environment.name} could not be restored. ${why}` });
    if (find(environment.id) !== undefined) {
      // Saving it would undo what was changed in it since.
      failed('Another window has already restored it.');
      return false;
    }
    try {
      await show(await client.call('environments.save', { environment }));
      return true;
    } catch (error) {
      failed(asAppError(error).message);
      return false;
    }
  }

  /** Takes back a serialization, unless another was saved since. */
  async function revert(id: string, from: Serialization, to: Serialization): Promise<boolean> {
    const now = find(id);
    const failed = (why: string) => notify({ tone: 'bad', text: `The change to serialization ${from} was not undone. ${why}` });
    if (now === undefined) failed('The environment was removed.');
    else if (now.serialization !== from) failed(`${now.name} now uses ${now.serialization}.`);
    else {
      await getState().setSerialization(id, to);
      return find(id)?.serialization === to;
    }
    return false;
  }

  return {
    async setSerialization(id, serialization) {
      const environment = find(id);
      if (environment === undefined || environment.serialization === serialization) return;
      const { editing, change } = getState();
      if (editing[id] !== undefined) {
        change(id, { serialization });
        notify({ tone: 'note', text: `Changed in the open form of ${environment.name}. Save it there.` });
        return;
      }
      try {
        adopt(await client.call('environments.save', { environment: { ...environment, serialization } }));
        notify({
          tone: 'good',
          text: `${environment.name} now uses serialization ${serialization}. Send again to see if it's accepted.`,
          undo: {
            what: `changed the serialization of ${environment.name}`,
            run: () => revert(id, serialization, environment.serialization),
          },
        });
      } catch (error) {
        notify({ tone: 'bad', text: `The serialization was not saved. ${asAppError(error).message}` });
      }
    },
    async duplicate(id) {
      const environment = find(id);
      const { list } = getState();
      if (environment === undefined || list.state !== 'ready') return;
      const name = copyName(
        environment.name,
        list.environments.map((other) => other.name),
      );
      const { id: _id, kind: _kind, ...draft } = environment;
      try {
        const saved = await client.call('environments.create', { environment: { ...draft, name } });
        await show(saved);
        notify({ tone: 'note', text: `Created ${saved.name} without a key. Set one before you sign with it.` });
      } catch (error) {
        notify({ tone: 'bad', text: `${environment.name} was not duplicated. ${asAppError(error).message}` });
      }
    },
    async remove(id) {
      const environment = find(id);
      if (environment === undefined) return;
      try {
        const removed = await client.call('environments.remove', { id });
        forms.close(id);
        drop(id);
        notify({
          tone: 'note',
          text: `Removed ${removed.name}. Its key is deleted at the next start.`,
          undo: { what: `removed ${removed.name}`, run: () => restore(removed) },
        });
      } catch (error) {
        notify({ tone: 'bad', text: `${environment.name} was not removed. ${asAppError(error).message}` });
      }
    },
  };
}
