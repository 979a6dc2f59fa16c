import { randomUUID } from 'node:crypto';
import type { KeySearch, Secrets, SecretStatus } from '#core/host/host.ts';
import type { Subject } from '#shared/doctor/model.ts';
import type { AppError } from '#shared/errors.ts';
import type { EventName, KeyStatus, Payload } from '#shared/ipc/index.ts';
import { compareFingerprints } from '#shared/calls/compare-keys.ts';
import { faultOf } from './key-faults.ts';
import type { KeyIndex, KeyIndexEntry } from './key-index.ts';
import { createKeyUse, type KeyUse } from './key-use.ts';
import { accountOf, environmentIdOf, isOfEnvironment, type HeldKey } from './keys-in-text.ts';

const heldMessage = 'The key is held for this session only.';
const heldWhileLockedMessage =
  'The keychain is locked or has no keyring yet, so the key is held for this session only. Unlock it and set the key again to keep it.';
const givenMessage = 'The key was given for this session only and is not stored.';
const olderMessage = 'The keychain still has an older key, which is used again after this session.';

// Other rooms may import this file only.
export type { HeldKey };

/** The one way to private keys for everybody else in core: they are set and used, never read. */
export interface Keys extends KeyUse {
  /** Stores the key; if no keychain can, holds it for this session and says so in the status. Fails with `key_unavailable`. */
  setKey(environmentId: string, key: string): Promise<KeyStatus>;
  /** Holds a key for this session only, whatever the keychain has (`--key-env`). */
  useKey(environmentId: string, key: string): Promise<KeyStatus>;
  /**
   * As `useKey`, for a key that this program made and knows anyway: whatever process holds the keys next asks for it again, the
   * first one, too.
   */
  lendKey(environmentId: string, key: () => string): Promise<void>;
  /** Fails with `key_unavailable` if the keychain has a key and does not release it now. */
  removeKey(environmentId: string): Promise<KeyStatus>;
  /**
   * Begins a search for the mistake in a hash, in a process of its own. Of the other environments' keys those take part that are open in this
   * session. Fails as `digest` does.
   */
  search(
    environmentId: string,
    others: readonly { readonly id: string; readonly name: string }[],
    subject: Subject,
  ): Promise<KeySearch>;
  /** Asks the keychain; the message names a keychain that does not reply. */
  status(environmentId: string): Promise<KeyStatus>;
  /** Returns the fingerprint for the record of a call, without asking the keychain; null if it is not known. */
  fingerprint(environmentId: string): string | null;
  /** Returns whether two environments have the same key, by their fingerprints; false if these cannot be compared. */
  isSame(one: string, other: string): boolean;
  /** Returns null if the OS keychain works; else a sentence for the user. */
  keychainMessage(): Promise<string | null>;
  /**
   * Removes the keys of environments that no longer exist; a key that the keychain does not release now is tried at the next start.
   * `environmentIds` must also name environments whose file cannot be read. It is called after the index was read, so that an
   * environment that another program is just creating is not taken for a removed one.
   */
  sweep(environmentIds: () => Promise<readonly string[]>): Promise<void>;
}

/** Creates the keys over the host's secrets and the index of those that should be in the keychain. */
export function createKeys(deps: {
  secrets: Secrets;
  index: KeyIndex;
  emit: <E extends EventName>(name: E, payload: Payload<E>) => void;
  newVersion?: () => string;
}): Keys {
  const { secrets, index, emit, newVersion = randomUUID } = deps;
  /** Environments whose key is held for this session, with the message about it. */
  const forRun = new Map<string, { fingerprint: string | null; message: string }>();
  /**
   * Fingerprints of the keychain's keys as they are now, by the version of the entry: an older program wrote entries without their
   * kind.
   */
  const seen = new Map<string, { version: string; fingerprint: string }>();

  secrets.onLost((accounts) => {
    const environmentIds = accounts.filter(isOfEnvironment).map(environmentIdOf);
    for (const environmentId of environmentIds) emit('keys.changed', { environmentId });
    if (environmentIds.length > 0) emit('keys.lost', { environmentIds });
  });

  async function holdForRun(environmentId: string, key: string, message: string): Promise<KeyStatus> {
    const status = await secrets.set(accountOf(environmentId), key, 'session');
    return remember(environmentId, status, message);
  }

  function remember(environmentId: string, status: SecretStatus, message: string): KeyStatus {
    forRun.set(environmentId, { fingerprint: status.fingerprint, message });
    emit('keys.changed', { environmentId });
    return { environmentId, ...facts(status), message };
  }

  async function setKey(environmentId: string, key: string): Promise<KeyStatus> {
    const account = accountOf(environmentId);
    // Not after the call: the message of the fallback must not depend on a file that became unreadable meanwhile.
    const older = index.entry(account) === null ? '' : ` ${olderMessage}`;
    let status: SecretStatus;
    try {
      status = await secrets.set(account, key, 'keychain');
    } catch (error) {
      const fault = faultOf(error);
      // After any other fault it is open what the keychain has now, so the user has to decide.
      if (fault !== 'no_keychain' && fault !== 'locked') throw error;
      const message = fault === 'locked' ? heldWhileLockedMessage : (error as AppError).message;
      return holdForRun(environmentId, key, `${message}${older}`);
    }
    if (status.storage === 'session') return remember(environmentId, status, `${status.message ?? heldMessage}${older}`);
    forRun.delete(environmentId);
    try {
      await index.put(account, { fingerprint: status.fingerprint, bytes: status.bytes ?? 0, version: newVersion() });
    } finally {
      emit('keys.changed', { environmentId });
    }
    return { environmentId, ...facts(status), message: status.message ?? null };
  }

  async function removeKey(environmentId: string): Promise<KeyStatus> {
    await removeAccount(accountOf(environmentId));
    forRun.delete(environmentId);
    emit('keys.changed', { environmentId });
    return { environmentId, state: 'absent', storage: null, fingerprint: null, bytes: null, message: null };
  }

  async function removeAccount(account: string): Promise<void> {
    const expected = index.entry(account) !== null;
    try {
      await secrets.remove(account);
    } catch (error) {
      const fault = faultOf(error);
      if (expected || (fault !== 'no_keychain' && fault !== 'locked')) throw error;
    }
    if (expected) await index.remove(account);
  }

  async function status(environmentId: string): Promise<KeyStatus> {
    const account = accountOf(environmentId);
    const entry = index.entry(account);
    let found: SecretStatus;
    try {
      found = await secrets.status(account, entry !== null);
    } catch (error) {
      if (faultOf(error) === null) throw error;
      return { environmentId, ...unreadable(entry), message: (error as AppError).message };
    }
    if (found.state === 'absent') forRun.delete(environmentId);
    const held = forRun.get(environmentId);
    if (held?.fingerprint === null && found.fingerprint !== null) {
      // A key of this program that no process took when it was made: its status was another one until now.
      forRun.set(environmentId, { ...held, fingerprint: found.fingerprint });
      emit('keys.changed', { environmentId });
    }
    if (found.storage === 'keychain' && found.fingerprint !== null && entry !== null)
      seen.set(account, { version: entry.version, fingerprint: found.fingerprint });
    const known = found.state === 'locked' && entry !== null ? unreadable(entry) : facts(found);
    const message = found.storage === 'session' ? (forRun.get(environmentId)?.message ?? found.message) : found.message;
    return { environmentId, ...known, message: message ?? null };
  }

  function fingerprint(environmentId: string): string | null {
    const held = forRun.get(environmentId);
    if (held !== undefined) return held.fingerprint;
    const account = accountOf(environmentId);
    const entry = index.entry(account);
    const newer = seen.get(account);
    return newer !== undefined && newer.version === entry?.version ? newer.fingerprint : (entry?.fingerprint ?? null);
  }

  async function sweep(environmentIds: () => Promise<readonly string[]>): Promise<void> {
    const stored = index.accounts().filter(isOfEnvironment);
    if (stored.length === 0) return;
    const existing = new Set((await environmentIds()).map(accountOf));
    for (const account of stored) {
      if (existing.has(account)) continue;
      try {
        await removeAccount(account);
      } catch (error) {
        if (faultOf(error) === null) throw error;
        return;
      }
    }
  }

  const { withVersion, ...use } = createKeyUse({
    secrets,
    index,
    held: forRun,
    onGone(environmentId) {
      forRun.delete(environmentId);
      emit('keys.changed', { environmentId });
    },
    learn: status,
  });

  return {
    ...use,
    setKey,
    useKey: (environmentId, key) => holdForRun(environmentId, key, givenMessage),
    async lendKey(environmentId, key) {
      const status = await secrets.lend(accountOf(environmentId), key);
      forRun.set(environmentId, { fingerprint: status?.fingerprint ?? null, message: givenMessage });
      emit('keys.changed', { environmentId });
    },
    removeKey,
    status,
    fingerprint,
    isSame: (one, other) => compareFingerprints(fingerprint(one), fingerprint(other)).verdict === 'same',
    keychainMessage: () => secrets.keychainMessage(),
    sweep,
    search(environmentId, others, subject) {
      const keyOf = (id: string, name: string | null) => {
        const account = accountOf(id);
        return { account, version: index.entry(account)?.version ?? '', name };
      };
      return withVersion(environmentId, () =>
        secrets.search([keyOf(environmentId, null), ...others.map(({ id, name }) => keyOf(id, name))], subject),
      );
    },
  };
}

function facts(status: SecretStatus): Pick<KeyStatus, 'state' | 'storage' | 'fingerprint' | 'bytes'> {
  return { state: status.state, storage: status.storage, fingerprint: status.fingerprint, bytes: status.bytes };
}

/** Returns the status of a key that the keychain does not release and only the index lists. */
function unreadable(entry: KeyIndexEntry | null): Pick<KeyStatus, 'state' | 'storage' | 'fingerprint' | 'bytes'> {
  if (entry === null) return { state: 'absent', storage: null, fingerprint: null, bytes: null };
  return { state: 'locked', storage: 'keychain', fingerprint: entry.fingerprint, bytes: entry.bytes };
}
