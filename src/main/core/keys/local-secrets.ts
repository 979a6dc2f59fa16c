import { setImmediate } from 'node:timers/promises';
import type { KeyInspection, KeysFound, Secrets, SecretStatus } from '#core/host/host.ts';
import { clientEnvironmentOf } from './accounts.ts';
import { fingerprintOf, newFingerprintKey } from './fingerprint.ts';
import { keyError, missingMessage } from './key-faults.ts';
import { findKeys, isKeyIn } from './find-keys.ts';
import { relationOf } from './kept-keys.ts';
import { piecesOf } from './key-use.ts';
import { copyOf, digestOf, hide } from './secret.ts';
import type { Secret } from './secret.ts';

/** A search of so many bytes is nothing that others wait for. */
const longBytes = 65_536;

const localMessage = 'This session does not use the keychain: keys are held until it ends.';

/**
 * Creates secrets that this process holds for this session: for a key that an environment variable already gave to it
 * (`--key-env`), if starting the key agent would cost more than the call. Keys meant for the keychain are held for this session,
 * too, and their status says so.
 */
export function createLocalSecrets(): Secrets {
  const keys = new Map<string, { key: Secret; status: SecretStatus }>();
  const fingerprintKey = hide(newFingerprintKey());

  function drop(account: string): void {
    keys.get(account)?.key.clear();
    keys.delete(account);
  }

  function find(inspection: KeyInspection): KeysFound {
    const accounts = inspection.accounts.map(({ account }) => account);
    return findKeys(
      accounts,
      inspection.bytes,
      accounts.map((account) => keys.get(account)?.key ?? null),
    );
  }

  function hold(account: string, text: string): SecretStatus {
    drop(account);
    const key = hide(text);
    const status: SecretStatus = {
      state: 'present',
      storage: 'session',
      fingerprint: fingerprintOf(fingerprintKey, key, 'session'),
      bytes: key.length,
      message: localMessage,
    };
    keys.set(account, { key, status });
    return status;
  }

  return {
    set: async (account, text) => hold(account, text),
    lend: async (account, key) => hold(account, key()),
    // What holds them is this process.
    onLost: () => undefined,
    async remove(account) {
      drop(account);
    },
    async release(account) {
      drop(account);
    },
    async compare(account, text) {
      const given = hide(text);
      const relation = relationOf(keys.get(account)?.key ?? null, given);
      given.clear();
      return relation;
    },
    async copy(from, to) {
      const own = keys.get(from);
      if (own === undefined) throw keyError('missing', missingMessage);
      drop(to);
      keys.set(to, { key: copyOf(own.key), status: own.status });
      return own.status;
    },
    async status(account) {
      return keys.get(account)?.status ?? { state: 'absent', storage: null, fingerprint: null, bytes: null };
    },
    async digest(account, _version, parts) {
      const held = keys.get(account);
      if (held === undefined) throw keyError('missing', missingMessage);
      return digestOf(held.key, parts);
    },
    async sign(account, _version, parts, inspection) {
      const held = keys.get(account);
      if (held === undefined) throw keyError('missing', missingMessage);
      return { digest: digestOf(held.key, parts), ...find(inspection) };
    },
    async answer(account, _version, question) {
      const held = keys.get(account);
      if (held === undefined) throw keyError('missing', missingMessage);
      return (await import('./login-answer.ts')).loginAnswer(held.key, question);
    },
    async find(inspection) {
      // Of a long text this is one of many pieces: others have their turn between two.
      if (inspection.bytes.length > longBytes) await setImmediate();
      return find(inspection);
    },
    async contains(account, _version, _expected, bytes) {
      const held = keys.get(account);
      if (held !== undefined) for (const piece of piecesOf(bytes)) if (isKeyIn(held.key, piece)) return true;
      return false;
    },
    async take(account) {
      if (clientEnvironmentOf(account) === null) throw new Error('Only the key of a client certificate comes out.');
      const held = keys.get(account);
      if (held !== undefined) return held.key.use((bytes) => new TextDecoder().decode(bytes));
      throw keyError(
        'no_keychain',
        "This session doesn't use the keychain, which has the key of the client certificate. Name its file in CROUPIER_CERTIFICATE.",
      );
    },
    async search([own, ...others], subject) {
      const opened = [own, ...others].flatMap(({ account, name }) => {
        const key = keys.get(account)?.key;
        return key === undefined ? [] : [{ name, key }];
      });
      if (!keys.has(own.account)) throw keyError('missing', missingMessage);
      // The mistakes of the doctor are loaded for a search alone.
      const { createSearching } = await import('./searching.ts');
      const searching = createSearching(opened, subject);
      return {
        keys: opened.length,
        async next() {
          await setImmediate();
          return searching.next();
        },
        end: () => undefined,
      };
    },
    async keychainMessage() {
      return localMessage;
    },
    async close() {
      for (const account of keys.keys()) drop(account);
    },
  };
}
