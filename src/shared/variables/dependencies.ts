/** The variables that a request uses (`namesUsed`), and those that its response sets (the names of `take`). */
export interface RequestNames {
  readonly uses: Iterable<string>;
  readonly sets: Iterable<string>;
}

/**
 * Returns a map for each request: by the name of each variable that a response sets, the index of the latest earlier request that sets it.
 * The request must wait for these. A runner that sends requests in parallel must give each request the values of exactly these
 * responses, because a later request that sets the same name may finish first.
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
