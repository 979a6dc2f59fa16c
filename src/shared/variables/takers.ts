/** Finds the requests of a collection whose `take` sets a variable: their paths with `.yaml`, in the order in which they run. */
export type Takers = (name: string) => readonly string[];

/** Most requests that a sentence names. */
const mostNamed = 3;

/** Creates the lookup over the requests of a collection; `own` is the path of the request that asks, which cannot wait for itself. */
export function takersIn(requests: readonly { readonly path: string; readonly takes: readonly string[] }[], own: string): Takers {
  let known: Map<string, string[]> | null = null;
  return (name) => {
    if (known === null) {
      known = new Map();
      for (const { path, takes } of requests) {
        if (path !== own) for (const taken of takes) known.set(taken, [...(known.get(taken) ?? []), path]);
      }
    }
    return known.get(name) ?? [];
  };
}

/** Says which requests would set a variable that has no value. */
export function takersText(paths: readonly string[]): string {
  const named = paths.slice(0, mostNamed).join(', ');
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  if (paths.length === 1) return `${named} sets it from its response. Run it first.`;
  return `These requests set it from their responses: ${named}${more}. Run one of them first.`;
}
