/** The requests of one iteration that can start. Indexes are positions in the plan; each is given out once. */
export type Queue = ReturnType<typeof createQueue>;

/**
 * Creates a queue of `indexes` in order, and all that they need among them; one that is needed and not among them is not waited
 * for.
 */
export function createQueue(indexes: readonly number[], needs: readonly ReadonlyMap<string, number>[]) {
  const missing = new Map<number, number>();
  const dependents = new Map<number, number[]>();
  const included = new Set(indexes);
  for (const index of indexes) {
    const wanted = new Set([...(needs[index]?.values() ?? [])].filter((needed) => included.has(needed)));
    if (wanted.size === 0) continue;
    missing.set(index, wanted.size);
    for (const needed of wanted) {
      const list = dependents.get(needed);
      if (list === undefined) dependents.set(needed, [index]);
      else list.push(index);
    }
  }
  // The first one last, from where it is taken.
  const ready = indexes.filter((index) => !missing.has(index)).reverse();
  let underWay = 0;
  let waiting = indexes.length;

  function insert(index: number): void {
    let [low, high] = [0, ready.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ready[middle] as number) > index) low = middle + 1;
      else high = middle;
    }
    ready.splice(low, 0, index);
  }

  return {
    /** Returns the first that waits for nothing; null if there is none now, and with `inOrder` also if one before it still waits. */
    next(inOrder: boolean = false): number | null {
      const index = ready.at(-1);
      if (index === undefined) return null;
      // The lowest is the first: they were put in so.
      const waits = missing.keys().next();
      if (inOrder && waits.done !== true && waits.value < index) return null;
      ready.pop();
      underWay += 1;
      waiting -= 1;
      return index;
    },
    /** Reports that its response is there, or never comes: requests that waited for it may start. */
    done(index: number): void {
      underWay -= 1;
      for (const dependent of dependents.get(index) ?? []) {
        const left = (missing.get(dependent) ?? 0) - 1;
        if (left > 0) missing.set(dependent, left);
        else {
          missing.delete(dependent);
          insert(dependent);
        }
      }
    },
    /** Number of requests under way. */
    get underWay(): number {
      return underWay;
    },
    /** Number of requests that wait. */
    get waiting(): number {
      return waiting;
    },
    /** Returns those that were not given out, in order. */
    rest: (): number[] => [...ready, ...missing.keys()].sort((one, other) => one - other),
  };
}
