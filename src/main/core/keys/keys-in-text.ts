import type { KeyLook, KeysFound, Secrets } from '#core/host/host.ts';
import type { Place } from '#core/masking/secret-places.ts';

const prefix = 'croupier/';
/** Number of bytes of a piece: a long text is searched in pieces, so that each gets its reply well within the agent's deadline. */
const stride = 131_072;
/** Overlap of neighbouring pieces: the longest key with each character written as thirteen. */
const longestForm = 65_536;
/** Longest text in bytes that is searched in one piece. */
export const mostAtOnce = stride + longestForm;

/** A key that is in a text. */
export interface HeldKey {
  readonly environmentId: string;
  /** In bytes, in the order of the text. */
  readonly places: readonly Place[];
}

/** Returns the account of an environment's key in the keychain. */
export function accountOf(environmentId: string): string {
  return `${prefix}${environmentId}`;
}

/** Returns whether the account is that of an environment's key. */
export function isOfEnvironment(account: string): boolean {
  return account.startsWith(prefix);
}

/** Returns the environment of an account. */
export function environmentIdOf(account: string): string {
  return account.slice(prefix.length);
}

/** Finds which keys of these accounts are in UTF-8 text, and where. */
export async function findInPieces(
  secrets: Pick<Secrets, 'find'>,
  accounts: KeyLook['accounts'],
  text: Uint8Array,
): Promise<HeldKey[]> {
  const held = new Map<string, Place[]>();
  if (accounts.length === 0) return [];
  for (let at = 0; at < text.length; at += stride) {
    const from = atCharacter(text, at);
    const bytes = new Uint8Array(text.subarray(from, atCharacter(text, at + stride + longestForm)));
    for (const { environmentId, places } of (await secrets.find({ accounts, bytes })).found.map(toHeldKey)) {
      const known = held.get(environmentId) ?? [];
      // What neighbouring pieces share is found twice.
      const after = known.at(-1)?.end ?? 0;
      const more = places
        .map(({ start, end }) => ({ start: start + from, end: end + from }))
        .filter(({ start }) => start >= after);
      held.set(environmentId, [...known, ...more]);
    }
  }
  return Array.from(held, ([environmentId, places]) => ({ environmentId, places }));
}

/** Asks for each piece of a text, until one holds the key. */
export async function isInPieces(text: Uint8Array, holdsKey: (piece: Uint8Array) => Promise<boolean>): Promise<boolean> {
  for (let at = 0; at < text.length; at += stride) {
    // A copy: the structured clone of a view would take all of its buffer along.
    if (await holdsKey(new Uint8Array(text.subarray(at, at + mostAtOnce)))) return true;
  }
  return false;
}

/** Returns the start of the UTF-8 character at an offset, up to three bytes before it. */
function atCharacter(text: Uint8Array, at: number): number {
  let from = Math.min(at, text.length);
  while (from > Math.max(0, at - 3) && ((text[from] ?? 0) & 0xc0) === 0x80) from--;
  return from;
}

/** Reads the key that an agent found. */
export function toHeldKey({ account, places }: KeysFound['found'][number]): HeldKey {
  const pairs: Place[] = [];
  for (let index = 0; index + 1 < places.length; index += 2)
    pairs.push({ start: places[index] ?? 0, end: places[index + 1] ?? 0 });
  return { environmentId: environmentIdOf(account), places: pairs };
}
