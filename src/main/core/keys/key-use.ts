import type { Secrets } from '#core/host/host.ts';
import type { AppError } from '#shared/errors.ts';
import { faultOf, goneMessage, keyError, missingMessage } from './key-faults.ts';
import type { KeyIndex } from './key-index.ts';
import { accountOf, findInPieces, isInPieces, isOfEnvironment, mostAtOnce, toHeldKey, type HeldKey } from './keys-in-text.ts';

/** Signs with the keys of environments, and looks for them in texts. */
export interface KeyUse {
  /** Returns the lowercase hexadecimal SHA-256 of key + parts. Fails with `key_missing` or `key_unavailable`. */
  digest(environmentId: string, parts: readonly Uint8Array[]): Promise<string>;
  /** Returns the same digest, and the keys in `text`, which is about to leave and be recorded. Fails as `digest` does. */
  sign(environmentId: string, parts: readonly Uint8Array[], text: Uint8Array): Promise<{ digest: string; held: HeldKey[] }>;
  /**
   * Returns the positions of environments' keys in UTF-8 text, in any form that redaction knows. A key that the keychain does not
   * release now is not found: it must not keep anybody from saving.
   */
  find(text: Uint8Array): Promise<HeldKey[]>;
  /**
   * Returns whether UTF-8 text holds the environment's key in any form that redaction knows; false if no key is stored. Fails with
   * `key_missing` or `key_unavailable` if there is a key that cannot be used now.
   */
  contains(environmentId: string, text: Uint8Array): Promise<boolean>;
}

/** The way to a key for whoever uses one. */
interface KeyVersions {
  /** Runs `work` with the version of the environment's key, and explains a missing one. */
  withVersion<T>(environmentId: string, work: (version: string) => Promise<T>): Promise<T>;
}

export interface KeyUseDeps {
  readonly secrets: Pick<Secrets, 'digest' | 'sign' | 'find' | 'contains'>;
  readonly index: Pick<KeyIndex, 'entry' | 'accounts'>;
  /** The keys that are held for this session, by environment. */
  readonly held: ReadonlyMap<string, { readonly fingerprint: string | null }>;
  /** Called when a held key turns out to be gone. */
  readonly onGone: (environmentId: string) => void;
  /** Called after the use of a held key whose fingerprint is not known yet. */
  readonly learn: (environmentId: string) => Promise<unknown>;
}

export function createKeyUse({ secrets, index, held, onGone, learn }: KeyUseDeps): KeyUse & KeyVersions {
  async function digest(environmentId: string, parts: readonly Uint8Array[]): Promise<string> {
    return withVersion(environmentId, (version) => secrets.digest(accountOf(environmentId), version, parts));
  }

  async function withVersion<T>(environmentId: string, work: (version: string) => Promise<T>): Promise<T> {
    const isHeld = held.has(environmentId);
    const entry = index.entry(accountOf(environmentId));
    try {
      const result = await work(entry?.version ?? '');
      if (held.get(environmentId)?.fingerprint === null) await learn(environmentId);
      return result;
    } catch (error) {
      const fault = faultOf(error);
      if (fault === 'missing' && isHeld) onGone(environmentId);
      else if (fault === 'missing' && entry !== null && (error as AppError).message === missingMessage) {
        throw keyError('missing', goneMessage);
      } else if (!isHeld && entry === null && (fault === 'locked' || fault === 'no_keychain')) {
        throw keyError('missing', missingMessage);
      }
      throw error;
    }
  }

  /** Returns every key that may exist, also of removed environments. */
  function accountsToFind(): { account: string; version: string }[] {
    const accounts = new Set([...[...held.keys()].map(accountOf), ...index.accounts().filter(isOfEnvironment)]);
    return Array.from(accounts, (account) => ({ account, version: index.entry(account)?.version ?? '' }));
  }

  return {
    withVersion,
    digest,
    async sign(environmentId, parts, text) {
      const accounts = accountsToFind();
      if (text.length > mostAtOnce || accounts.length === 0) {
        const found = await findInPieces(secrets, accounts, text);
        return { digest: await digest(environmentId, parts), held: found };
      }
      const account = accountOf(environmentId);
      return withVersion(environmentId, async (version) => {
        // A copy: the structured clone of a view would take all of its buffer along.
        const signed = await secrets.sign(account, version, parts, { accounts, bytes: new Uint8Array(text) });
        return { digest: signed.digest, held: signed.found.map(toHeldKey) };
      });
    },
    find: async (text) => findInPieces(secrets, accountsToFind(), text),
    async contains(environmentId, text) {
      const account = accountOf(environmentId);
      const entry = index.entry(account);
      const isHeld = held.has(environmentId);
      const expected = isHeld || entry !== null;
      const version = entry?.version ?? '';
      try {
        return await isInPieces(text, (piece) => secrets.contains(account, version, expected, piece));
      } catch (error) {
        const fault = faultOf(error);
        if (!expected && (fault === 'locked' || fault === 'no_keychain')) return false;
        throw error;
      }
    },
  };
}
