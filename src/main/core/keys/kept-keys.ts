import type { KeyRelation, SecretStatus } from '#core/host/host.ts';
import { fingerprintAccount } from './accounts.ts';
import type { FetchedKey } from './agent-messages.ts';
import { fingerprintOf, newFingerprintKey } from './fingerprint.ts';
import { faultOf, goneMessage, keyError, lockedMessage, missingMessage } from './key-faults.ts';
import type { Keychain } from './keychain.ts';
import type { KnownKeys } from './known-keys.ts';
import { sealKey } from './sealed-key.ts';
import { hide, type Secret } from './secret.ts';

/** The keys in the keychain. With `expected`, there should be a key, so that its absence may mean a locked keychain. */
export function createKeptKeys({ keychain, known }: { keychain: Keychain; known: KnownKeys }) {
  let fingerprintKey = hide(newFingerprintKey());
  let fingerprintKeyIsKept = false;

  /**
   * Runs `work` with the keychain's key, or null if there is none; `expected`: then it must be certain that the keychain is open.
   */
  async function withKept<T>(account: string, expected: boolean, work: (key: Secret | null) => T | Promise<T>): Promise<T> {
    const key = await keychain.read(account);
    if (key === null) {
      if (expected) await open();
      return work(null);
    }
    known.add(key);
    try {
      return await work(key);
    } finally {
      known.forget(key);
    }
  }

  /**
   * Fails with `locked` if the keychain is locked. Reads the key for fingerprints, and creates it if there is none. Reading or
   * creating it is also the proof that the keychain is open, which a missing private key does not give: a locked keyring replies
   * as if it were empty.
   */
  async function open(): Promise<void> {
    let kept = await keychain.read(fingerprintAccount);
    if (kept === null) {
      const made = hide(newFingerprintKey());
      await keychain.write(fingerprintAccount, made).finally(() => made.clear());
      // Read again rather than remembered: another process may have created one at the same time, and the last one counts.
      kept = await keychain.read(fingerprintAccount);
      if (kept === null) throw keyError('locked', lockedMessage);
    }
    fingerprintKey.clear();
    fingerprintKey = kept;
    fingerprintKeyIsKept = true;
  }

  async function keptFingerprint(key: Secret): Promise<string> {
    if (!fingerprintKeyIsKept) await open();
    return fingerprintOf(fingerprintKey, key, 'keychain');
  }

  async function keptStatus(key: Secret): Promise<SecretStatus> {
    return { state: 'present', storage: 'keychain', fingerprint: await keptFingerprint(key), bytes: key.length };
  }

  async function write(account: string, key: Secret): Promise<SecretStatus> {
    await keychain.write(account, key);
    // A keychain may truncate a text (at a NUL, or at its own limit) and call it done.
    if (!(await withKept(account, false, (kept) => kept !== null && kept.equals(key)))) {
      await keychain.erase(account);
      throw keyError(
        'refused',
        "The keychain didn't store the key exactly, so Croupier removed it. Check the key for a NUL character.",
      );
    }
    return keptStatus(key);
  }

  return {
    /** Then forgets the given key. Fails with `refused` if the keychain holds another one. */
    store: (account: string, key: Secret): Promise<SecretStatus> => write(account, key).finally(() => known.forget(key)),
    /** Returns the key, sealed to the agent that holds it; null if there is none. */
    fetch(account: string, expected: boolean, sealTo: Uint8Array): Promise<FetchedKey | null> {
      return withKept(account, expected, async (key) => {
        if (key === null) return null;
        const fingerprint = await keptFingerprint(key);
        return { key: key.use((bytes) => sealKey(sealTo, bytes)), fingerprint };
      });
    },
    /** Compares the given key with the keychain's, then forgets it. */
    compare: (account: string, key: Secret, expected: boolean): Promise<KeyRelation> =>
      withKept(account, expected, (kept) => relationOf(kept, key)).finally(() => known.forget(key)),
    /** Writes the key of `from` to `to` as well. Fails with `missing` if there is none. */
    copy: (from: string, to: string): Promise<SecretStatus> =>
      withKept(from, true, (key) => {
        if (key === null) throw keyError('missing', missingMessage);
        return write(to, key);
      }),
    async remove(account: string): Promise<null> {
      // A locked keyring reports that there was nothing to erase, and keeps it.
      if (!(await keychain.erase(account))) await open();
      return null;
    },
    async status(account: string, expected: boolean): Promise<SecretStatus> {
      const absent: SecretStatus = { state: 'absent', storage: null, fingerprint: null, bytes: null };
      try {
        return await withKept(account, expected, (key) => {
          if (key !== null) return keptStatus(key);
          return expected ? { ...absent, message: goneMessage } : absent;
        });
      } catch (error) {
        if (faultOf(error) !== 'locked') throw error;
        return { state: 'locked', storage: 'keychain', fingerprint: null, bytes: null, message: lockedMessage };
      }
    },
    open,
    /** Returns the fingerprint of a key that is not in the keychain. */
    sessionFingerprint: (key: Secret): string => fingerprintOf(fingerprintKey, key, 'session'),
  };
}

/** Compares a key with the one of an account, null for none. */
export function relationOf(own: Secret | null, key: Secret): KeyRelation {
  if (own === null) return 'none';
  return own.equals(key) ? 'same' : 'other';
}
