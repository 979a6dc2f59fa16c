import type { Call } from '../ipc/outputs/calls.ts';
import type { Environment } from '../model/environment.ts';
import { isPackEnvironment } from '../model/pack-environment.ts';
import { parseJson } from '../json/parse.ts';

/** Writes `platform 7, partner 31`, the identity that separates environments at one base URL (spec, general rule 3). */
export function identityText({ platform, partnerId }: Pick<Environment, 'platform' | 'partnerId'>): string {
  return `platform ${platform}, partner ${partnerId}`;
}

/** Returns the identity that a call was sent with, from its own body; null if it carries none, as with wallet methods. */
export function identitySent({ request }: Pick<Call, 'request'>): string | null {
  if (request.hashInput === null) return null;
  const parsed = parseJson(request.bodyText);
  if (!parsed.ok || parsed.root.kind !== 'object') return null;
  const { members } = parsed.root;
  const valueOf = (name: string) => {
    const value = members.findLast(({ key }) => key === name)?.value;
    return value === undefined ? 'left out' : request.bodyText.slice(value.start, value.end);
  };
  return `platform ${valueOf('platform')}, partner ${valueOf('partnerId')}`;
}

/**
 * Says of an environment that shares recorded answers with whom it does, and why that cannot be, if it cannot: only a hand-edited file, or one whose
 * other was removed, says so.
 */
export function sharingWords(
  { id, sameProviderAs }: Pick<Environment, 'id' | 'sameProviderAs'>,
  all: readonly Environment[],
): { readonly words: string; readonly possible: boolean } {
  const other = all.find((one) => one.id === sameProviderAs);
  if (other === undefined) return { words: `${sameProviderAs ?? ''}, which no longer exists`, possible: false };
  const { name } = other;
  if (other.id === id) return { words: `${name}, which is this one`, possible: false };
  if (other.kind === 'sandbox') return { words: `${name}, the built-in provider`, possible: false };
  if (other.sameProviderAs === undefined) return { words: name, possible: true };
  const third = all.find((one) => one.id === other.sameProviderAs)?.name ?? other.sameProviderAs;
  return { words: `${name}, which itself uses the recorded answers of ${third}`, possible: false };
}

const namesOfLists = new WeakMap<readonly Environment[], readonly string[]>();

/** Returns the names of environments, the same list for the same environments. */
export function namesOf(environments: readonly Environment[]): readonly string[] {
  const names = namesOfLists.get(environments) ?? environments.map(({ name }) => name);
  namesOfLists.set(environments, names);
  return names;
}

/** The environments that there are, as `environments.list` gives them. */
export interface KnownEnvironments {
  readonly environments: readonly Environment[];
  readonly broken: readonly { readonly file: string }[];
}

/**
 * Returns ` (removed)` or ` (now live)` if the environment of a recorded call was removed or renamed, and ` (in the pack)` for one of a
 * support pack; otherwise an empty string.
 */
export function sinceCall(
  { environmentId, environmentName }: Pick<Call, 'environmentId' | 'environmentName'>,
  { environments, broken }: KnownEnvironments,
): string {
  if (isPackEnvironment(environmentId)) return ' (in the pack)';
  const found = environments.find(({ id }) => id === environmentId);
  if (found !== undefined) return found.name === environmentName ? '' : ` (now ${found.name})`;
  // An environment whose file cannot be read still exists.
  return broken.some(({ file }) => /[^/\\]*$/.exec(file)?.[0] === `${environmentId}.json`) ? '' : ' (removed)';
}

/**
 * Divides a name before the word in which it differs from the other that begins most like it, so that a narrow place cuts off the
 * first part. That part is empty if the beginnings already distinguish the names. Pass the same list for all of its names.
 */
export function divideName(name: string, others: readonly string[]): readonly [start: string, rest: string] {
  const [letters, longest] = [Array.from(name), longestStart(name, others)];
  if (longest < shortEnough) return ['', name];
  let at = Math.min(longest, letters.length - 1);
  while (at > 0 && /[\p{L}\p{N}\p{M}]/u.test(letters[at - 1] ?? '')) at -= 1;
  // If one word is as long as a name, divide it just before the difference.
  if (longest - at > shortEnough) at = Math.min(longest, letters.length - 1);
  return at < minStart ? ['', name] : [letters.slice(0, at).join(''), letters.slice(at).join('')];
}

/** Returns a name for a list of choices, which cannot divide it: `…` replaces most of a beginning that it shares with another name. */
export function shortName(name: string, others: readonly string[]): string {
  const [start, rest] = divideName(name, others);
  const letters = Array.from(start);
  return letters.length > 2 * shortEnough ? `${letters.slice(0, shortEnough).join('')}…${rest}` : name;
}

/** A first part that is shorter than this saves no room. */
const minStart = 4;

/** Characters that are in sight wherever a name stands. */
const shortEnough = 8;

/** Sorted lists by the list that was given, because each list is used once per name. */
const ordered = new WeakMap<readonly string[], readonly string[]>();

/** Counts the characters that a name shares with the beginning of another one, which is its neighbour in the sorted list. */
function longestStart(name: string, others: readonly string[]): number {
  const names = ordered.get(others) ?? [...new Set(others)].toSorted();
  ordered.set(others, names);
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  const behind = names[low] === name ? low + 1 : low;
  return Math.max(...[names[low - 1], names[behind]].map((other) => (other === undefined ? 0 : commonStart(name, other))));
}

/** Counts the characters at the beginning that two different names share. */
function commonStart(one: string, other: string): number {
  if (one === other) return 0;
  const [left, right] = [Array.from(one), Array.from(other)];
  const found = left.findIndex((letter, at) => letter !== right[at]);
  return found === -1 ? left.length : found;
}

/** Returns the environment's present identity, for a tooltip beside a recorded call, which may have had another. */
export function identityNow(environment: Environment | undefined): string | undefined {
  if (environment === undefined) return undefined;
  return `${environment.name}, now ${identityText(environment)}${environment.production ? ', production' : ''}`;
}
