import type { Call } from '../ipc/outputs/calls.ts';
import type { Environment } from '../model/environment.ts';
import { parseJson } from '../json/parse.ts';

/** `platform 7, partner 31`: what tells environments at one base URL apart (spec, general rule 3). */
export function identityText({ platform, partnerId }: Pick<Environment, 'platform' | 'partnerId'>): string {
  return `platform ${platform}, partner ${partnerId}`;
}

/** The identity that a call was sent with, from its own body; null where that has none, as with wallet methods. */
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

const namesOfLists = new WeakMap<readonly Environment[], readonly string[]>();

/** The names of environments, the same list for the same environments. */
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

/** What became of the environment of a recorded call, whose name may be another one's now: ` (removed)`, ` (now live)`, or nothing. */
export function sinceCall(
  { environmentId, environmentName }: Pick<Call, 'environmentId' | 'environmentName'>,
  { environments, broken }: KnownEnvironments,
): string {
  const found = environments.find(({ id }) => id === environmentId);
  if (found !== undefined) return found.name === environmentName ? '' : ` (now ${found.name})`;
  // One whose file cannot be read is still there.
  return broken.some(({ file }) => /[^/\\]*$/.exec(file)?.[0] === `${environmentId}.json`) ? '' : ' (removed)';
}

/**
 * Divides a name before the word in which it differs from the other that begins most like it, so that a place without room cuts off the
 * first part. That part is empty where the beginnings differ enough to tell the names apart. Give the same list for all of its names.
 */
export function divideName(name: string, others: readonly string[]): readonly [start: string, rest: string] {
  const [letters, longest] = [Array.from(name), longestStart(name, others)];
  if (longest < shortEnough) return ['', name];
  let at = Math.min(longest, letters.length - 1);
  while (at > 0 && /[\p{L}\p{N}\p{M}]/u.test(letters[at - 1] ?? '')) at -= 1;
  // In a word that is as long as a name, the difference itself has to be in sight.
  if (longest - at > shortEnough) at = Math.min(longest, letters.length - 1);
  return at < minStart ? ['', name] : [letters.slice(0, at).join(''), letters.slice(at).join('')];
}

/** A name for a list of choices, which cannot divide it: with a sign in the place of most of what another name begins with, too. */
export function shortName(name: string, others: readonly string[]): string {
  const [start, rest] = divideName(name, others);
  const letters = Array.from(start);
  return letters.length > 2 * shortEnough ? `${letters.slice(0, shortEnough).join('')}…${rest}` : name;
}

/** A first part that is shorter than this saves no room. */
const minStart = 4;

/** Characters that are in sight wherever a name stands. */
const shortEnough = 8;

/** Lists of names in order, each once: they are asked for each of their names. */
const ordered = new WeakMap<readonly string[], readonly string[]>();

/** How many characters a name begins with in common with another one: in order, that stands right before or behind it. */
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

/** How many characters two different names begin with in common. */
function commonStart(one: string, other: string): number {
  if (one === other) return 0;
  const [left, right] = [Array.from(one), Array.from(other)];
  const found = left.findIndex((letter, at) => letter !== right[at]);
  return found === -1 ? left.length : found;
}

/** For a tooltip at the name of the environment of a recorded call, which may have had another identity then. */
export function identityNow(environment: Environment | undefined): string | undefined {
  if (environment === undefined) return undefined;
  return `${environment.name}, now ${identityText(environment)}${environment.production ? ', production' : ''}`;
}
