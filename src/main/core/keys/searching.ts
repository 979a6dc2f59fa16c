import type { KeyName, NamedKey, Subject } from '#shared/doctor/model.ts';
import { search } from '#shared/doctor/search.ts';
import { takeTurn, type SearchNews } from '#shared/doctor/turn.ts';
import { digests } from './digests.ts';
import type { Secret } from './secret.ts';

/** Longest that a search goes on without reporting. */
const turnMs = 100;

/** A search in this process. */
export type Searching = ReturnType<typeof createSearching>;

/**
 * Prepares a search for the mistake in a hash. It has the keys as texts, which nobody can overwrite, so its process ends with it. The first key is the
 * environment's own.
 */
export function createSearching(keys: readonly { readonly name: KeyName; readonly key: Secret }[], subject: Subject) {
  const [own, ...others] = keys.map(({ name, key }): NamedKey => ({
    name,
    key: key.use((bytes) => new TextDecoder().decode(bytes)),
  }));
  const steps = own === undefined ? [].values() : search(subject, [own, ...others], digests);
  return {
    /** Searches on for a tenth of a second at most. */
    next(): SearchNews {
      const until = performance.now() + turnMs;
      return takeTurn(steps, () => performance.now() >= until);
    },
  };
}
