import type { CollectionRequest } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { RunOptions } from '#shared/ipc/index.ts';
import { suggestion } from '#shared/suggestion.ts';

/** The parts of a plan that say what waits for what. */
interface Needs {
  /** For each request: the index of the one whose response sets a variable, by the variable's name. */
  readonly needs: readonly ReadonlyMap<string, number>[];
}

/** The tags by which a run selects its requests. */
export type TagChoice = Pick<RunOptions, 'tags' | 'excludeTags'>;

interface Tagged extends Needs {
  readonly requests: readonly { readonly request: Pick<CollectionRequest, 'tags'> | null }[];
}

/** Returns the indexes of the requests and of everything that they wait for, in order. */
export function withDependencies(plan: Needs, wanted: Iterable<number>): number[] {
  const found = new Set(wanted);
  // A set also yields values that are added during the walk.
  for (const index of found) for (const needed of plan.needs[index]?.values() ?? []) found.add(needed);
  return [...found].sort((one, other) => one - other);
}

/**
 * Returns the indexes of the requests with one of `tags` (all, if there are none) and of those whose values they use, without any that has one of
 * `excludeTags`. A file that cannot be read stays, because nobody knows its tags. Fails with `invalid_input` for a tag that no request has, and if
 * nothing is left.
 */
export function chooseTagged(plan: Tagged, { tags, excludeTags }: TagChoice): number[] {
  const all = plan.requests.map((_, index) => index);
  if (tags.length === 0 && excludeTags.length === 0) return all;
  const known = new Set(plan.requests.flatMap(({ request }) => request?.tags ?? []));
  for (const tag of [...tags, ...excludeTags]) {
    if (known.has(tag)) continue;
    const listed = known.size === 0 ? 'None has a tag.' : `Their tags are ${[...known].sort().join(', ')}.`;
    throw new AppError(
      'invalid_input',
      `Nothing was run: no request here has the tag ${tag}.${suggestion(tag, [...known])} ${listed}`,
    );
  }
  const has = (index: number, wanted: readonly string[]) =>
    plan.requests[index]?.request?.tags.some((tag) => wanted.includes(tag)) === true;
  const isUnread = (index: number) => plan.requests[index]?.request === null;
  const wanted =
    tags.length === 0
      ? all
      : withDependencies(
          plan,
          all.filter((index) => has(index, tags) || isUnread(index)),
        );
  const left = wanted.filter((index) => !has(index, excludeTags));
  if (left.length > 0) return left;
  throw new AppError('invalid_input', 'Nothing was run: every request with these tags also has an excluded tag.');
}

/** Writes how a run chose its requests: `, tagged smoke or bet, without slow`; empty if it runs all. */
export function tagsText({ tags, excludeTags }: TagChoice): string {
  const wanted = tags.length === 0 ? '' : `, tagged ${tags.join(' or ')}`;
  return `${wanted}${excludeTags.length === 0 ? '' : `, without ${excludeTags.join(' and ')}`}`;
}
