/** What one request of an ordered list uses (`namesUsed`) and which variables its answer sets (the names of `take`). */
export interface RequestNames {
  readonly uses: Iterable<string>;
  readonly sets: Iterable<string>;
}

/**
 * For each request, by the name of each variable that it takes from an answer: the index of the latest request before it that sets it.
 * The values of a map are what the request has to wait for. A runner that runs others at once must give each request the values of
 * exactly these answers: a later request that sets the same name may be done before.
 */
export function dependenciesOf(requests: readonly RequestNames[]): ReadonlyMap<string, number>[] {
  const latest = new Map<string, number>();
  return requests.map(({ uses, sets }, index) => {
    const needs = new Map<string, number>();
    for (const name of uses) {
      const setter = latest.get(name);
      if (setter !== undefined) needs.set(name, setter);
    }
    for (const name of sets) latest.set(name, index);
    return needs;
  });
}
