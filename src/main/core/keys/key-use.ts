import type { KeyInspection, KeysFound, Secrets } from '#core/host/host.ts';
import { merged } from '#core/masking/mask-places.ts';
import type { Place } from '#core/masking/secret-places.ts';
import type { AppError } from '#shared/errors.ts';
import { accountOf, environmentIdOf, isOfEnvironment, newAccountOf } from './accounts.ts';
import { faultOf, goneMessage, keyError, missingMessage } from './key-faults.ts';
import type { KeyIndex } from './key-index.ts';
import { hasKey, type KeySlot, type KeySlots } from './key-slots.ts';

/** Number of bytes of a piece: a long text is searched in pieces, so that each gets its reply well within the agent's deadline. */
const stride = 131_072;
/** Overlap of neighbouring pieces: the longest key with each character written as thirteen. */
const longestForm = 65_536;
/** Longest text in bytes that is searched in one piece. */
export const mostAtOnce = stride + longestForm;

/** The keys of an environment that are in a text. */
export interface HeldKey {
  readonly environmentId: string;
  /** In bytes, in the order of the text. */
  readonly places: readonly Place[];
}

/** A digest of a call, with the keys that stand in its text. */
interface SignedText {
  readonly digest: string;
  readonly held: HeldKey[];
  /** That of the key that made the digest; null if it is not known. */
  readonly fingerprint: string | null;
}

/** Signs with the keys of environments, and looks for them in texts. */
export interface KeyUse {
  /** Returns the lowercase hexadecimal SHA-256 of key + parts. Fails with `key_missing` or `key_unavailable`. */
  digest(environmentId: string, parts: readonly Uint8Array[]): Promise<string>;
  /** Returns the same digest, and the keys in `text`, which is about to leave and be recorded. Fails as `digest` does. */
  sign(environmentId: string, parts: readonly Uint8Array[], text: Uint8Array): Promise<SignedText>;
  /**
   * Returns the positions of environments' keys in UTF-8 text, in any form that redaction knows. A key that the keychain does not
   * release now is not found: it must not keep anybody from saving.
   */
  find(text: Uint8Array): Promise<HeldKey[]>;
  /**
   * Returns whether UTF-8 text holds a key of the environment in any form that redaction knows; false if no key is stored. Fails with
   * `key_missing` or `key_unavailable` if there is a key that cannot be used now.
   */
  contains(environmentId: string, text: Uint8Array): Promise<boolean>;
}

/** The way to a key for whoever uses one. */
interface KeySigning {
  /** Runs `work` with the key that signs, and explains a missing one. */
  withSigner<T>(environmentId: string, work: (signer: KeySlot) => Promise<T>): Promise<T>;
}

export interface KeyUseDeps {
  readonly secrets: Pick<Secrets, 'digest' | 'sign' | 'find' | 'contains'>;
  readonly index: Pick<KeyIndex, 'entry' | 'accounts'>;
  readonly slots: KeySlots;
  /** The accounts of keys that are held for this session. */
  readonly held: () => Iterable<string>;
  /** Called when a held key turns out to be gone. */
  readonly onGone: (environmentId: string, account: string) => void;
  /** Called after the use of a held key whose fingerprint is not known yet. */
  readonly learn: (environmentId: string) => Promise<unknown>;
}

export function createKeyUse({ secrets, index, slots, held, onGone, learn }: KeyUseDeps): KeyUse & KeySigning {
  const digestWith = (signer: KeySlot, parts: readonly Uint8Array[]) => secrets.digest(signer.account, versionOf(signer), parts);

  async function withSigner<T>(environmentId: string, work: (signer: KeySlot) => Promise<T>): Promise<T> {
    for (;;) {
      const { signer } = slots.of(environmentId);
      try {
        const result = await work(signer);
        if (slots.slot(signer.account).held?.fingerprint === null) await learn(environmentId);
        return result;
      } catch (error) {
        // A new key took the place of the older one meanwhile, under that one's account.
        const isMoved = !isSame(slots.of(environmentId).signer, signer);
        if (faultOf(error) !== 'missing' || !isMoved) throw explained(environmentId, signer, error);
      }
    }
  }

  function explained(environmentId: string, { account, entry, held: mine }: KeySlot, error: unknown): unknown {
    const fault = faultOf(error);
    if (fault === 'missing' && mine !== null) onGone(environmentId, account);
    else if (fault === 'missing' && entry !== null && (error as AppError).message === missingMessage) {
      return keyError('missing', goneMessage);
    } else if (mine === null && entry === null && (fault === 'locked' || fault === 'no_keychain')) {
      return keyError('missing', missingMessage);
    }
    return error;
  }

  /** Returns the fingerprint of the key that was used; null if its account may have got another one meanwhile. */
  function fingerprintOf(environmentId: string, used: KeySlot): string | null {
    const now = slots.slot(used.account);
    if (isSame(now, used)) return slots.fingerprint(now);
    const fingerprint = slots.fingerprint(used);
    return slots.fingerprint(slots.of(environmentId).signer) === fingerprint ? fingerprint : null;
  }

  /** Returns every key that may exist, also of removed environments. Read anew for each text: another program may have set one. */
  function accountsToFind(): { account: string; version: string }[] {
    const accounts = new Set([...held(), ...index.accounts().filter(isOfEnvironment)]);
    return Array.from(accounts, (account) => ({ account, version: index.entry(account)?.version ?? '' }));
  }

  return {
    withSigner,
    digest: (environmentId, parts) => withSigner(environmentId, (signer) => digestWith(signer, parts)),
    async sign(environmentId, parts, text) {
      const accounts = accountsToFind();
      const inPieces = text.length > mostAtOnce || accounts.length === 0;
      const found = inPieces ? await findInPieces(secrets, accounts, text) : null;
      const { used, ...signed } = await withSigner(environmentId, async (signer) => {
        if (found !== null) return { used: signer, digest: await digestWith(signer, parts), held: found };
        // A copy: the structured clone of a view would take all of its buffer along.
        const inspection = { accounts, bytes: new Uint8Array(text) };
        const one = await secrets.sign(signer.account, versionOf(signer), parts, inspection);
        return { used: signer, digest: one.digest, held: toHeldKeys(one.found) };
      });
      return { ...signed, fingerprint: fingerprintOf(environmentId, used) };
    },
    find: async (text) => findInPieces(secrets, accountsToFind(), text),
    async contains(environmentId, text) {
      const own = [accountOf(environmentId), newAccountOf(environmentId)].map(slots.slot);
      const [older, newer] = own as [KeySlot, KeySlot];
      for (const slot of hasKey(newer) ? [newer, older] : [older]) if (await isInText(slot, text)) return true;
      return false;
    },
  };

  function isInText(slot: KeySlot, text: Uint8Array): Promise<boolean> {
    return secrets.contains(slot.account, versionOf(slot), hasKey(slot), text);
  }
}

function versionOf({ entry }: KeySlot): string {
  return entry?.version ?? '';
}

/** Returns whether two readings of the keys saw the same one. */
function isSame(one: KeySlot, other: KeySlot): boolean {
  if (one.account !== other.account || (one.held === null) !== (other.held === null)) return false;
  return one.held !== null ? one.held.serial === other.held?.serial : versionOf(one) === versionOf(other);
}

/** Finds which keys of these accounts are in UTF-8 text, and where. */
export async function findInPieces(
  secrets: Pick<Secrets, 'find'>,
  accounts: KeyInspection['accounts'],
  text: Uint8Array,
): Promise<HeldKey[]> {
  const held = new Map<string, Place[]>();
  if (accounts.length === 0) return [];
  for (let at = 0; at < text.length; at += stride) {
    const from = atCharacter(text, at);
    const bytes = new Uint8Array(text.subarray(from, atCharacter(text, at + stride + longestForm)));
    for (const { account, places } of (await secrets.find({ accounts, bytes })).found) {
      const known = held.get(account) ?? [];
      // What neighbouring pieces share is found twice.
      const after = known.at(-1)?.end ?? 0;
      const more = toPlaces(places)
        .map(({ start, end }) => ({ start: start + from, end: end + from }))
        .filter(({ start }) => start >= after);
      held.set(account, [...known, ...more]);
    }
  }
  return byEnvironment(held);
}

/** Yields the pieces of a text of which one holds a key that is in it. */
export function* piecesOf(text: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < text.length; at += stride) yield text.subarray(at, at + mostAtOnce);
}

/** Returns the start of the UTF-8 character at an offset, up to three bytes before it. */
function atCharacter(text: Uint8Array, at: number): number {
  let from = Math.min(at, text.length);
  while (from > Math.max(0, at - 3) && ((text[from] ?? 0) & 0xc0) === 0x80) from--;
  return from;
}

/** Reads the keys that an agent found. */
function toHeldKeys(found: KeysFound['found']): HeldKey[] {
  return byEnvironment(found.map(({ account, places }) => [account, toPlaces(places)] as const));
}

function toPlaces(ends: readonly number[]): Place[] {
  const places: Place[] = [];
  for (let index = 0; index + 1 < ends.length; index += 2) places.push({ start: ends[index] ?? 0, end: ends[index + 1] ?? 0 });
  return places;
}

/** Joins the places of an environment's two keys, in order; those that share bytes become one. */
function byEnvironment(held: Iterable<readonly [account: string, places: readonly Place[]]>): HeldKey[] {
  const joined = new Map<string, Place[]>();
  for (const [account, places] of held) {
    const environmentId = environmentIdOf(account);
    joined.set(environmentId, [...(joined.get(environmentId) ?? []), ...places]);
  }
  return Array.from(joined, ([environmentId, places]) => ({ environmentId, places: merged(places) }));
}
