import { accountOf, newAccountOf } from './accounts.ts';
import type { KeyIndex, KeyIndexEntry } from './key-index.ts';

/** Facts about a key that is held for this session. */
export interface SessionKey {
  /** Another one each time a key is given. */
  readonly serial: number;
  /** Null until it is known, and again if the key is lost. */
  readonly fingerprint: string | null;
  /** Milliseconds since the epoch. */
  readonly setAt: number;
  readonly message: string;
  /** True if it was given for this session beside whatever is stored; another key then takes its place and nothing is kept. */
  readonly given: boolean;
  /** As in `KeyIndexEntry`. */
  readonly rests: boolean;
}

/** An account, with the key that the list has for it and the one held for this session, which goes before. */
export interface KeySlot {
  readonly account: string;
  readonly entry: KeyIndexEntry | null;
  readonly held: SessionKey | null;
}

/** Two keys of one environment, until the new one has got code 0 or the user discards one. */
export interface KeyPair {
  readonly older: KeySlot;
  readonly newer: KeySlot;
  readonly signs: 'new' | 'older';
}

/** The keys of an environment. */
interface EnvironmentKeys {
  /** The key that signs; it may be missing. */
  readonly signer: KeySlot;
  readonly pair: KeyPair | null;
}

/** Says which keys an environment has, from the list and from what is held, without asking the keychain. */
export type KeySlots = ReturnType<typeof createKeySlots>;

/** Creates them over the list and the keys held for this session, by account. */
export function createKeySlots(index: Pick<KeyIndex, 'entry'>, held: ReadonlyMap<string, SessionKey>) {
  /** By account, each for the version of the entry. */
  const seen = new Map<string, { version: string; fingerprint: string }>();
  const slot = (account: string): KeySlot => ({ account, entry: index.entry(account), held: held.get(account) ?? null });

  return {
    slot,
    of(environmentId: string): EnvironmentKeys {
      const older = slot(accountOf(environmentId));
      const newer = slot(newAccountOf(environmentId));
      if (older.held?.given === true || !hasKey(newer)) return { signer: older, pair: null };
      if (!hasKey(older)) return { signer: newer, pair: null };
      const signs = (newer.held ?? newer.entry)?.rests === true ? 'older' : 'new';
      return { signer: signs === 'new' ? newer : older, pair: { older, newer, signs } };
    },
    /** Returns the fingerprint of a slot's key, as far as it is known. */
    fingerprint({ account, entry, held: mine }: KeySlot): string | null {
      if (mine !== null) return mine.fingerprint;
      const newest = seen.get(account);
      return newest !== undefined && newest.version === entry?.version ? newest.fingerprint : (entry?.fingerprint ?? null);
    },
    /** Remembers the fingerprint that the keychain's key has now: an older program wrote entries without their kind. */
    saw(account: string, { version }: KeyIndexEntry, fingerprint: string): void {
      seen.set(account, { version, fingerprint });
    },
  };
}

/** Returns whether a key is listed or held for the account. */
export function hasKey({ entry, held }: KeySlot): boolean {
  return entry !== null || held !== null;
}
