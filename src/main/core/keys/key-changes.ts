import type { KeyRelation, Secrets, SecretStatus } from '#core/host/host.ts';
import { AppError } from '#shared/errors.ts';
import type { EventName, KeyStatus, Payload } from '#shared/ipc/index.ts';
import { accountOf, environmentIdOf, isOfEnvironment, newAccountOf } from './accounts.ts';
import { faultOf } from './key-faults.ts';
import type { KeyIndex } from './key-index.ts';
import { hasKey, type KeyPair, type KeySlot, type KeySlots, type SessionKey } from './key-slots.ts';

const heldMessage = 'The key is held for this session only.';
const heldWhileLockedMessage =
  'The keychain is locked or has no keyring yet, so the key is held for this session only. Unlock it and set the key again to keep it.';
const olderMessage = 'The keychain still has an older key, which is used again after this session.';

type WhichKey = KeyPair['signs'];

/**
 * Changes which keys an environment has. While nothing else says otherwise, a key that another one follows is kept beside it: under the
 * environment's own account, with the new one under an account for itself. A program that is killed between two steps leaves both keys
 * as they were named, or the new one alone where the older was to go.
 *
 * Two rules make that so. The list of keys says which keys there are, and each change of it is one write. The keychain's key of an account
 * changes only while the list does not name the account: so what the list says of a key was always said of that very key.
 */
export type KeyChanges = ReturnType<typeof createKeyChanges>;

export interface KeyChangesDeps {
  readonly secrets: Secrets;
  readonly index: KeyIndex;
  readonly slots: KeySlots;
  readonly held: Map<string, SessionKey>;
  readonly emit: <E extends EventName>(name: E, payload: Payload<E>) => void;
  /** Notes a key that the secrets hold for this session; returns its status. */
  readonly noteHeld: (account: string, status: SecretStatus, message: string) => Omit<KeyStatus, 'pair'>;
  readonly status: (environmentId: string) => Promise<KeyStatus>;
  readonly newVersion: () => string;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

export function createKeyChanges(deps: KeyChangesDeps) {
  const { secrets, index, slots, held, emit, noteHeld, status, newVersion, now } = deps;
  const changed = (environmentId: string) => emit('keys.changed', { environmentId });

  async function setKey(environmentId: string, key: string): Promise<KeyStatus> {
    const [main, added] = [accountOf(environmentId), newAccountOf(environmentId)];
    const given = slots.slot(main);
    if (given.held?.given === true && (given.entry !== null || hasKey(slots.slot(added)))) await release(main);
    for (const account of [main, added]) {
      let slot = slots.slot(account);
      if (slot.held?.given === true) continue;
      let relation = await relationTo(slot, key);
      if (relation === 'none' && slot.held !== null) {
        // Lost with the process that held it. The keychain may have another one.
        await release(account);
        slot = slots.slot(account);
        relation = await relationTo(slot, key);
      }
      // One that is held for the session is set again so that the keychain takes it.
      if (relation === 'same') {
        if (slot.held !== null) await store(environmentId, account, key);
        return await chosen(environmentId, account === main ? 'older' : 'new');
      }
      if (relation === 'none') await forget(account);
    }
    await settle(environmentId);
    const older = slots.slot(main);
    const stored = await store(environmentId, hasKey(older) && older.held?.given !== true ? added : main, key);
    return slots.of(environmentId).pair === null ? { ...stored, pair: null } : status(environmentId);
  }

  /** A key that cannot be read now is another one, as far as anybody can say. */
  async function relationTo(slot: KeySlot, key: string): Promise<KeyRelation> {
    if (!hasKey(slot)) return 'none';
    try {
      return await secrets.compare(slot.account, key, slot.held === null);
    } catch (error) {
      if (!isClosed(error)) throw error;
      return 'other';
    }
  }

  /** Puts a key under an account, in place of any other that is there. */
  async function store(environmentId: string, account: string, key: string): Promise<Omit<KeyStatus, 'pair'>> {
    const entry = index.entry(account);
    const hasStored = [accountOf(environmentId), newAccountOf(environmentId)].some((one) => index.entry(one) !== null);
    const older = hasStored ? ` ${olderMessage}` : '';
    if (entry !== null) await index.remove(account);
    const putBack = async () => (entry === null ? undefined : index.put(account, entry));
    let stored: SecretStatus;
    try {
      stored = await secrets.set(account, key, 'keychain');
    } catch (error) {
      if (isClosed(error)) {
        await putBack();
        const message = faultOf(error) === 'locked' ? heldWhileLockedMessage : (error as AppError).message;
        return noteHeld(account, await secrets.set(account, key, 'session'), `${message}${older}`);
      }
      // After any other fault it is open what the keychain has now, so the user has to decide.
      const isNew = account === newAccountOf(environmentId);
      if (entry !== null)
        await index.put(account, { ...entry, fingerprint: null, version: newVersion(), ...(isNew ? { rests: true } : {}) });
      throw error;
    }
    if (stored.storage === 'session') {
      await putBack();
      return noteHeld(account, stored, `${stored.message ?? heldMessage}${older}`);
    }
    held.delete(account);
    const { state, storage, fingerprint, bytes } = stored;
    const setAt = now();
    try {
      await index.put(account, { fingerprint, bytes: bytes ?? 0, version: newVersion(), setAt });
    } finally {
      changed(environmentId);
    }
    return { environmentId, state, storage, fingerprint, bytes, setAt, message: stored.message ?? null };
  }

  /** Gives a new key that is alone the account of the older one, which is gone. Fails with `key_unavailable`. */
  async function settle(environmentId: string): Promise<void> {
    const [main, added] = [slots.slot(accountOf(environmentId)), slots.slot(newAccountOf(environmentId))];
    if (hasKey(main) || !hasKey(added)) return;
    const copied = await secrets.copy(added.account, main.account);
    if (added.held !== null) {
      held.set(main.account, { ...added.held, fingerprint: copied.fingerprint, rests: false });
      return release(added.account);
    }
    const { fingerprint } = copied;
    await index.change((accounts) => {
      const entry = accounts.get(added.account);
      if (entry !== undefined) accounts.set(main.account, { ...entry, fingerprint, version: newVersion(), rests: false });
      accounts.delete(added.account);
    });
    // What a kill or a fault leaves here is the key in use once more, and the next change of keys overwrites or removes it.
    await secrets.remove(added.account).catch(passFaults);
  }

  async function removeAccount(account: string): Promise<void> {
    const expected = index.entry(account) !== null;
    try {
      await secrets.remove(account);
    } catch (error) {
      if (expected || !isClosed(error)) throw error;
    }
    await forget(account);
  }

  /** Forgets that there is a key. */
  async function forget(account: string): Promise<void> {
    held.delete(account);
    if (index.entry(account) !== null) await index.remove(account);
  }

  async function release(account: string): Promise<void> {
    held.delete(account);
    await secrets.release(account);
  }

  async function removeBoth(environmentId: string): Promise<void> {
    // Also a new key that a killed program stored and did not list.
    const accounts = [newAccountOf(environmentId), accountOf(environmentId)];
    const failed = (await Promise.allSettled(accounts.map(removeAccount))).find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async function choose(environmentId: string, which: WhichKey): Promise<void> {
    if (pairOf(environmentId).signs === which) return;
    const account = newAccountOf(environmentId);
    const mine = held.get(account);
    const rests = which === 'older';
    if (mine !== undefined) held.set(account, { ...mine, rests });
    else
      await index.change((accounts) => {
        const entry = accounts.get(account);
        if (entry !== undefined) accounts.set(account, { ...entry, rests });
      });
    changed(environmentId);
  }

  async function chosen(environmentId: string, which: WhichKey): Promise<KeyStatus> {
    if (slots.of(environmentId).pair !== null) await choose(environmentId, which);
    return status(environmentId);
  }

  async function discard(environmentId: string, which: WhichKey): Promise<void> {
    const pair = pairOf(environmentId);
    await choose(environmentId, which === 'older' ? 'new' : 'older');
    if (which === 'older') await replaceOlder(environmentId, pair);
    else if (pair.newer.held !== null && pair.newer.entry !== null) {
      await release(pair.newer.account);
      await choose(environmentId, 'older');
    } else await removeAccount(pair.newer.account);
  }

  /** Gives the new key the place of the older one. */
  async function replaceOlder(environmentId: string, { older: { account, entry }, newer }: KeyPair): Promise<void> {
    if (entry === null) await release(account);
    else if (newer.held !== null) await removeAccount(account);
    else await index.remove(account);
    try {
      await settle(environmentId);
    } catch (error) {
      // After any other fault the next change of keys, or the next start, goes on here.
      if ((isClosed(error) || faultOf(error) === 'missing') && entry !== null) await index.put(account, entry);
      throw error;
    }
  }

  function pairOf(environmentId: string): KeyPair {
    const { pair } = slots.of(environmentId);
    if (pair !== null) return pair;
    throw new AppError('conflict', "The environment doesn't have two keys. One may have been removed.");
  }

  /** Returns the pair if a code 0 of this key removes the older one. */
  function provenBy(environmentId: string, fingerprint: string): KeyPair | null {
    const { pair } = slots.of(environmentId);
    if (pair === null || slots.fingerprint(pair.newer) !== fingerprint) return null;
    if (slots.fingerprint(pair.older) === fingerprint) return null;
    return pair.newer.held !== null && pair.older.held === null ? null : pair;
  }

  async function prove(environmentId: string, fingerprint: string, callId: number): Promise<void> {
    const pair = provenBy(environmentId, fingerprint);
    if (pair === null) return;
    const removed = slots.fingerprint(pair.older);
    // Where the keychain does not release it now, the next code 0 tries again.
    await discard(environmentId, 'older').catch(passFaults);
    if (slots.of(environmentId).pair === null) emit('keys.proven', { environmentId, callId, removed });
  }

  /**
   * Removes the keys of environments that no longer exist, and ends what a killed program began; a key that the keychain does not release
   * now is tried at the next start. `environmentIds` must also name environments whose file cannot be read. It is called after the index
   * was read, so that an environment that another program is just creating is not taken for a removed one.
   */
  async function sweep(environmentIds: () => Promise<readonly string[]>): Promise<void> {
    const stored = [...new Set(index.accounts().filter(isOfEnvironment).map(environmentIdOf))];
    if (stored.length === 0) return;
    const existing = new Set(await environmentIds());
    for (const environmentId of stored) {
      const isUnsettled = index.entry(accountOf(environmentId)) === null;
      if (existing.has(environmentId) && !isUnsettled) continue;
      try {
        await index.alone(() => (existing.has(environmentId) ? settle(environmentId) : removeBoth(environmentId)));
      } catch (error) {
        return passFaults(error);
      }
    }
  }

  return {
    /** Stores the key; if no keychain can, holds it for this session and says so in the status. Fails with `key_unavailable`. */
    setKey: (environmentId: string, key: string): Promise<KeyStatus> => index.alone(() => setKey(environmentId, key)),
    /** Stores a key that this program made in place of all that the environment has. Fails as `setKey` does. */
    storeMade: (environmentId: string, key: string): Promise<void> =>
      index.alone(async () => {
        if (hasKey(slots.slot(newAccountOf(environmentId)))) await removeAccount(newAccountOf(environmentId));
        await store(environmentId, accountOf(environmentId), key);
      }),
    /** Decides which of two keys signs. Fails with `conflict` if there are not two. */
    choose: (environmentId: string, which: WhichKey): Promise<KeyStatus> =>
      index.alone(async () => {
        await choose(environmentId, which);
        return status(environmentId);
      }),
    /** Removes one of two keys; the other one signs. Fails with `conflict` if there are not two, and as `removeKey` does. */
    discard: (environmentId: string, which: WhichKey): Promise<KeyStatus> =>
      index.alone(async () => {
        await discard(environmentId, which);
        changed(environmentId);
        return status(environmentId);
      }),
    /**
     * Removes the older of two keys if the new one has this fingerprint: a call that was signed with it got code 0. Changes nothing, without a
     * word, if the keychain does not release the older one now, or if the older one is stored and the new one held for this session only.
     */
    async prove(environmentId: string, fingerprint: string, callId: number): Promise<void> {
      // Most calls are signed with the only key: they take no lock.
      if (provenBy(environmentId, fingerprint) !== null) await index.alone(() => prove(environmentId, fingerprint, callId));
    },
    /** Removes every key of the environment. Fails with `key_unavailable` if the keychain has one and does not release it now. */
    removeKey: (environmentId: string): Promise<void> =>
      index.alone(async () => {
        await removeBoth(environmentId);
        changed(environmentId);
      }),
    sweep,
  };
}

/** Returns whether the keychain is locked, or is not there. */
export function isClosed(error: unknown): boolean {
  const fault = faultOf(error);
  return fault === 'no_keychain' || fault === 'locked';
}

/** Throws what is a fault of the program and none of the keychain. */
export function passFaults(error: unknown): void {
  if (faultOf(error) === null) throw error;
}
