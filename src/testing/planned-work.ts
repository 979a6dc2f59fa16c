/** A clock that a test moves, and the work that is planned by it. */
export interface PlannedWork {
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Plans work in so many milliseconds and returns the function that cancels it. */
  later(run: () => void, milliseconds: number): () => void;
  /** Moves the clock forward, and does what is due by then, in its order. */
  pass(milliseconds: number): void;
  /** Returns the number of works that wait. */
  waiting(): number;
}

export function createPlannedWork(): PlannedWork {
  let clock = 1_000_000;
  const planned = new Map<() => void, number>();
  return {
    now: () => clock,
    later(run, milliseconds) {
      const work = () => run();
      planned.set(work, clock + milliseconds);
      return () => void planned.delete(work);
    },
    pass(milliseconds) {
      for (const end = clock + milliseconds; ;) {
        const [next] = [...planned].sort(([, one], [, other]) => one - other);
        if (next === undefined || next[1] > end) return void (clock = end);
        planned.delete(next[0]);
        clock = next[1];
        next[0]();
      }
    },
    waiting: () => planned.size,
  };
}
