import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { Client, Environment, KeyStatus } from '#shared/ipc/index.ts';

/** State of an environment's key, as far as it is known. */
export type KeyView =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'known'; readonly status: KeyStatus };

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

  return {
    keys: {},
    async loadKey(id) {
      if (getState().keys[id] === undefined) setView(id, { state: 'loading' });
      try {
        setView(id, { state: 'known', status: await client.call('keys.status', { environmentId: id }) });
      } catch (error) {
        setView(id, { state: 'failed', message: asAppError(error).message });
      }
    },
    seeKey(id) {
      if (getState().keys[id] === undefined) startWork(getState().loadKey(id));
    },
    async setKey(id, key) {
      try {
        setView(id, { state: 'known', status: await client.call('keys.set', { environmentId: id, key }) });
        return null;
      } catch (error) {
        return asAppError(error).message;
      }
    },
    async removeKey(id) {
      try {
        setView(id, { state: 'known', status: await client.call('keys.remove', { environmentId: id }) });
        notify({ tone: 'note', text: `The key of ${find(id)?.name ?? 'the environment'} was removed.` });
      } catch (error) {
        notify({ tone: 'bad', text: `The key was not removed. ${asAppError(error).message}` });
      }
    },
  };
}
