import type { Variables } from '#shared/collections/model.ts';
import type { Iteration, Iterations } from './iterations.ts';
import type { Plan } from './plan.ts';
import { withDependencies } from './tags.ts';
import { createQueue, type Queue } from './queue.ts';

/** An iteration that was begun and has requests left. */
interface Begun {
  readonly iteration: Iteration;
  readonly queue: Queue;
  readonly namedIds: Map<string, string>;
  /** By the index of the request that took them from its response. */
  readonly taken: Map<number, Variables>;
}

/** A request of an iteration. */
export interface Place {
  readonly begun: Begun;
  /** Index of the request in the plan. */
  readonly index: number;
}

/** Requests of one iteration that never left. */
interface Rest {
  readonly iteration: Pick<Iteration, 'number' | 'row'>;
  readonly indexes: readonly number[];
}

/** Order of the requests of all iterations. Each planned request is given out once, unless it was given back. */
export type Order = ReturnType<typeof createOrder>;

/**
 * Creates the order. `only`: these requests of these iterations, with those they depend on, by the iteration's number; null for
 * all.
 */
export function createOrder(
  plan: Pick<Plan, 'requests' | 'needs'>,
  iterations: Iterations,
  only: ReadonlyMap<number, readonly number[]> | null,
) {
  const all = plan.requests.map((_, index) => index);
  const indexesOf = (number: number) => (only === null ? all : withDependencies(plan, only.get(number) ?? []));
  const numbersLeft = (only === null ? upTo(iterations.count) : only.keys())[Symbol.iterator]();
  const active = new Set<Begun>();
  const returned: Place[] = [];
  /** The iteration that is being opened. */
  let opened: number | null = null;
  let exhausted = false;
  // Without `return`: iterations that are never opened are skipped, each by its number.
  const source = iterations.open({
    [Symbol.iterator]: () => ({
      next() {
        const next = numbersLeft.next();
        opened = next.done === true ? null : next.value;
        return next;
      },
    }),
  });
  const restOf = (number: number): Rest => ({
    iteration: { number, row: iterations.rowOf(number) },
    indexes: indexesOf(number),
  });

  return {
    planned:
      only === null ? all.length * iterations.count : [...only.keys()].reduce((sum, number) => sum + indexesOf(number).length, 0),
    /**
     * Returns the oldest iteration's next request that waits for nothing; null if all of those that were begun are given out. With
     * `inOrder`, a request that waits holds back those behind it: that is `waits`.
     */
    next(inOrder: boolean): Place | 'waits' | null {
      const again = returned.shift();
      if (again !== undefined) return again;
      for (const begun of active) {
        const index = begun.queue.next(inOrder);
        if (index !== null) return { begun, index };
        if (inOrder && begun.queue.waiting > 0) return 'waits';
      }
      return null;
    },
    /** Begins the next iteration. Fails as its data does. */
    async beginNext(): Promise<void> {
      try {
        const next = await source.next();
        if (next.done === true) exhausted = true;
        else {
          const queue = createQueue(indexesOf(next.value.number), plan.needs);
          active.add({ iteration: next.value, queue, namedIds: new Map(), taken: new Map() });
          opened = null;
        }
      } catch (error) {
        exhausted = true;
        throw error;
      }
    },
    /** True if no iteration is left to begin. */
    get exhausted(): boolean {
      return exhausted;
    },
    /** True if no request of a begun iteration is given out or left. */
    get empty(): boolean {
      return active.size === 0;
    },
    /** Takes requests back; they come again, in their order, before any other. */
    giveBack: (places: readonly Place[]): void => void returned.unshift(...places),
    /** Returns the values that the request takes from earlier responses, and the paths of the requests that did not give theirs. */
    valuesFor({ begun, index }: Place): { readonly answers: Variables; readonly missing: ReadonlyMap<string, string> } {
      const answers = Object.create(null) as Variables;
      const missing = new Map<string, string>();
      for (const [name, setter] of plan.needs[index] ?? []) {
        const value = begun.taken.get(setter)?.[name];
        if (value === undefined) missing.set(name, plan.requests[setter]?.path ?? '');
        else answers[name] = value;
      }
      return { answers, missing };
    },
    /** Reports that the request is done and gave these values. */
    done({ begun, index }: Place, taken: Variables): void {
      begun.taken.set(index, taken);
      begun.queue.done(index);
      if (begun.queue.waiting + begun.queue.underWay === 0) active.delete(begun);
    },
    /** Ends the reading of data. */
    close: (): Promise<unknown> => source.return(),
    /** Yields everything that was not given out, each once, after the run was stopped. */
    *rest(): Generator<Rest, void> {
      for (const { begun, index } of returned) yield { iteration: begun.iteration, indexes: [index] };
      for (const { iteration, queue } of active) yield { iteration, indexes: queue.rest() };
      active.clear();
      if (opened !== null) yield restOf(opened);
      for (let next = numbersLeft.next(); next.done !== true; next = numbersLeft.next()) yield restOf(next.value);
    },
  };
}

function* upTo(count: number): Generator<number, void> {
  for (let number = 1; number <= count; number += 1) yield number;
}
