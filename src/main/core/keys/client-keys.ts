import { X509Certificate } from 'node:crypto';
import type { Secrets } from '#core/host/host.ts';
import { clientAccountOf, clientEnvironmentOf } from './accounts.ts';
import { isClosed, passFaults } from './key-changes.ts';
import type { KeyIndex, KeyIndexEntry } from './key-index.ts';

/** The certificate with which an environment shows who it is. */
export interface ClientCertificate {
  /** PEM, the own one first. */
  readonly certificate: string;
  /** Another one each time it is set. */
  readonly version: string;
  readonly storage: 'keychain' | 'session';
}

/** Number of characters of a part: Windows stores 2,560 bytes, and the key of a certificate may have more. */
const partLength = 2_000;

/**
 * The private keys of client certificates, in the keychain beside the keys that sign. TLS is spoken by this process, so unlike those they
 * come out of the process that holds them, sealed to this one, for the connection that uses them. The certificates are in the list of keys.
 */
export type ClientKeys = ReturnType<typeof createClientKeys>;

export function createClientKeys(deps: {
  secrets: Pick<Secrets, 'set' | 'take' | 'release' | 'remove'>;
  index: KeyIndex;
  changed: (environmentId: string) => void;
  newVersion: () => string;
  now: () => number;
}) {
  const { secrets, index, changed, newVersion, now } = deps;
  /** Those that no keychain took, for this session. */
  const held = new Map<string, KeyIndexEntry>();

  const find = (environmentId: string) => held.get(environmentId) ?? index.entry(clientAccountOf(environmentId));
  const accounts = (environmentId: string, { bytes }: KeyIndexEntry) =>
    Array.from({ length: Math.ceil(bytes / partLength) }, (_, at) => clientAccountOf(environmentId, at));

  function entryOf(certificate: string, key: string): KeyIndexEntry {
    const { fingerprint256: fingerprint } = new X509Certificate(certificate);
    return { fingerprint, bytes: key.length, version: newVersion(), setAt: now(), certificate };
  }

  async function put(environmentId: string, entry: KeyIndexEntry, key: string, storage: 'keychain' | 'session'): Promise<void> {
    for (const [at, account] of accounts(environmentId, entry).entries())
      await secrets.set(account, key.slice(at * partLength, (at + 1) * partLength), storage);
  }

  async function hold(environmentId: string, entry: KeyIndexEntry, key: string): Promise<void> {
    await put(environmentId, entry, key, 'session');
    held.set(environmentId, entry);
  }

  /** From the list first: what it names was always stored whole. */
  async function remove(environmentId: string): Promise<void> {
    const [mine, stored] = [held.get(environmentId), index.entry(clientAccountOf(environmentId))];
    held.delete(environmentId);
    if (mine !== undefined) await Promise.all(accounts(environmentId, mine).map((account) => secrets.release(account)));
    if (stored === null) return;
    for (const account of accounts(environmentId, stored)) await secrets.remove(account);
    await index.remove(clientAccountOf(environmentId));
  }

  return {
    /** Null without one. Asks no keychain. */
    of(environmentId: string): ClientCertificate | null {
      const { certificate, version } = find(environmentId) ?? {};
      if (certificate === undefined || version === undefined) return null;
      return { certificate, version, storage: held.has(environmentId) ? 'session' : 'keychain' };
    },
    /** Returns the private key (PKCS#8, base64) of an environment's certificate. Fails with `key_missing` or `key_unavailable`. */
    async key(environmentId: string): Promise<string> {
      const entry = find(environmentId);
      const parts = entry === null ? [] : accounts(environmentId, entry).map((account) => secrets.take(account, entry.version));
      return (await Promise.all(parts)).join('');
    },
    /** Stores a certificate with its key in place of another one; if no keychain can, for this session. Fails with `key_unavailable`. */
    set: (environmentId: string, certificate: string, key: string): Promise<void> =>
      index.alone(async () => {
        await remove(environmentId);
        const entry = entryOf(certificate, key);
        try {
          await put(environmentId, entry, key, 'keychain');
          await index.put(clientAccountOf(environmentId), entry);
        } catch (error) {
          if (!isClosed(error)) throw error;
          await hold(environmentId, entry, key);
        }
        changed(environmentId);
      }),
    /** Uses a certificate with its key for this session, in place of the one that is stored (`--key-env`). */
    use: (environmentId: string, certificate: string, key: string): Promise<void> =>
      hold(environmentId, entryOf(certificate, key), key),
    /** Fails with `key_unavailable` if the keychain has the key and does not release it now. */
    remove: (environmentId: string): Promise<void> =>
      index.alone(async () => {
        await remove(environmentId);
        changed(environmentId);
      }),
    /** Removes those of environments that no longer exist, as `sweep` of the keys does. */
    async sweep(environmentIds: () => Promise<readonly string[]>): Promise<void> {
      const stored = index.accounts().flatMap((account) => clientEnvironmentOf(account) ?? []);
      const existing = new Set(stored.length === 0 ? [] : await environmentIds());
      for (const gone of stored.filter((id) => !existing.has(id))) {
        await index.alone(() => remove(gone)).catch(passFaults);
      }
    },
  };
}
