import type { KeyLook, KeysFound, Secrets } from '#core/host/host.ts';
import { merged } from '#core/masking/mask-places.ts';
import type { Place } from '#core/masking/secret-places.ts';
import { environmentIdOf } from './accounts.ts';

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
export function toHeldKeys(found: KeysFound['found']): HeldKey[] {
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
