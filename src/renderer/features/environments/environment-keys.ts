import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { Client, Environment, KeyStatus } from '#shared/ipc/index.ts';

/** State of an environment's key, as far as it is known. */
export type KeyView =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'known'; readonly status: KeyStatus };

type WhichKey = NonNullable<KeyStatus['pair']>['signs'];

/** The state of the keys; never a key. */
export interface KeysState {
  /** By the ID of the environment. */
  readonly keys: Readonly<Record<string, KeyView>>;
  readonly loadKey: (id: string) => Promise<void>;
  /** Reads the state of a key if it is not known; called when something that shows it comes into sight. */
  readonly seeKey: (id: string) => void;
  /** Resolves to null, or to the reason why the key was not kept. The key is passed on and not held here. */
  readonly setKey: (id: string, key: string) => Promise<string | null>;
  readonly removeKey: (id: string) => Promise<void>;
  /** Decides which of two keys signs. */
  readonly chooseKey: (id: string, which: WhichKey) => Promise<void>;
  /** Removes one of two keys. */
  readonly discardKey: (id: string, which: WhichKey) => Promise<void>;
}

/** Creates the part of the store that holds the state of the keys. */
export function createKeys(
  client: Client,
  notify: Notify,
  { getState, setState }: StorePart<KeysState>,
  find: (id: string) => Environment | undefined,
): KeysState {
  function setView(id: string, view: KeyView): void {
    setState((state) => ({ keys: { ...state.keys, [id]: view } }));
  }

  /** The number of the newest question about each key: responses may overtake each other, and an older one is not shown. */
  const asked = new Map<string, number>();

  /** Returns a function that shows what core says, unless something newer was asked about the key meanwhile. */
  function ask(id: string): (view: KeyView) => void {
    const mine = (asked.get(id) ?? 0) + 1;
    asked.set(id, mine);
    return (view) => {
      if (asked.get(id) === mine) setView(id, view);
    };
  }

  const nameOf = (id: string) => find(id)?.name ?? 'the environment';

  /** Changes the keys of an environment; notices say what was done, or why not. */
  async function change(
    id: string,
    failed: string,
    { act, done }: { readonly act: () => Promise<KeyStatus>; readonly done: (name: string) => string },
  ): Promise<void> {
    const show = ask(id);
    try {
      show({ state: 'known', status: await act() });
      notify({ tone: 'note', text: done(nameOf(id)) });
    } catch (error) {
      notify({ tone: 'bad', text: `${failed} ${asAppError(error).message}` });
      startWork(getState().loadKey(id));
    }
  }

  return {
    keys: {},
    async loadKey(id) {
      if (getState().keys[id] === undefined) setView(id, { state: 'loading' });
      const show = ask(id);
      try {
        show({ state: 'known', status: await client.call('keys.status', { environmentId: id }) });
      } catch (error) {
        show({ state: 'failed', message: asAppError(error).message });
      }
    },
    seeKey(id) {
      if (getState().keys[id] === undefined) startWork(getState().loadKey(id));
    },
    async setKey(id, key) {
      const show = ask(id);
      try {
        show({ state: 'known', status: await client.call('keys.set', { environmentId: id, key }) });
        announcer.say(`The key of ${nameOf(id)} is set.`);
        return null;
      } catch (error) {
        startWork(getState().loadKey(id));
        return asAppError(error).message;
      }
    },
    chooseKey: (id, which) =>
      change(id, 'Nothing was changed.', {
        act: () => client.call('keys.choose', { environmentId: id, key: which }),
        done: (name) => `${name} now signs with the ${which} key.`,
      }),
    discardKey: (id, which) =>
      change(id, 'The key was not removed.', {
        act: () => client.call('keys.discard', { environmentId: id, key: which }),
        done: (name) => `The ${which} key of ${name} was removed. The other one signs.`,
      }),
    removeKey(id) {
      const before = getState().keys[id];
      const both = before?.state === 'known' && before.status.pair !== null;
      return change(id, 'The key was not removed.', {
        act: () => client.call('keys.remove', { environmentId: id }),
        done: (name) => (both ? `Both keys of ${name} were removed.` : `The key of ${name} was removed.`),
      });
    },
  };
}
