import type { InTurn } from '../calls/send.ts';
import type { Order, Place } from './order.ts';
import type { ReadyRequest } from './request.ts';

/** A request that waits for nothing and is made ready, or is ready. */
export interface Task extends Place {
  readonly ticket: string;
  readonly ready: Promise<ReadyRequest>;
}

interface ReadinessDeps {
  readonly order: Order;
  readonly runId: string;
  /** Milliseconds between a request that is done and the next one of its lane. */
  readonly delayMs: number;
  readonly parallel: number;
  /** Makes a request ready. `inTurn` writes its row after those of the requests before it. */
  readonly make: (place: Place, ticket: string, inTurn: InTurn) => Promise<ReadyRequest>;
  readonly isStopped: () => boolean;
  /** The data of an iteration could not be read. */
  readonly onUnreadable: (error: unknown) => void;
  readonly onFault: (error: unknown) => void;
}

/** Makes requests ready in their order, those that leave soon after each other together. */
export type Readiness = ReturnType<typeof createReadiness>;

/**
 * Milliseconds: requests that leave within them are prepared together, so that one flush to the disk does for all their rows. Calls
 * that take as long are prepared one by one.
 */
const aheadMs = 10;
const mostAhead = 32;

export function createReadiness(deps: ReadinessDeps) {
  const { order, delayMs, parallel, isStopped } = deps;
  /** In the order in which they are to leave. */
  const ahead: Task[] = [];
  /** Settles when the row of the last request that was begun is on its way into the history. */
  let lastRow: Promise<void> = Promise.resolve();
  let filling: Promise<boolean> | null = null;
  let lastMs = Number.POSITIVE_INFINITY;
  /** Lanes that wait for a response that others are getting. */
  let idle: (() => void)[] = [];
  /** Grows with everything that may give an idle lane something to do. */
  let changes = 0;
  let made = 0;

  /** Calls are numbered when their rows are written. One that needs no key is signed sooner, and must not be numbered before those that leave first. */
  function makeReady(place: Place, ticket: string): Promise<ReadyRequest> {
    const before = lastRow;
    const { promise: written, resolve: next } = Promise.withResolvers<void>();
    lastRow = written;
    const inTurn: InTurn = async (write) => {
      await before;
      const writing = write();
      next();
      return writing;
    };
    // One without a call has no row.
    const ready = deps.make(place, ticket, inTurn);
    void ready
      .catch(() => undefined)
      .then(() => before)
      .then(next);
    return ready;
  }

  function begin({ begun, index }: Place): Task {
    const ticket = `${deps.runId}:${(made += 1)}`;
    const ready = makeReady({ begun, index }, ticket);
    // Whoever takes it hears of its fault.
    ready.catch(() => undefined);
    return { begun, index, ticket, ready };
  }

  /**
   * Prepares the next request, and with it those that leave soon after it and wait for nothing either; returns false if there is
   * none.
   */
  async function fill(): Promise<boolean> {
    const more = delayMs > 0 ? 0 : Math.min(mostAhead, Math.floor((aheadMs * parallel) / lastMs));
    let found = 0;
    while (!isStopped() && found <= more) {
      const next = order.next(found > 0);
      if (next === 'waits' || (next === null && order.exhausted)) break;
      if (next === null) await order.beginNext().catch(deps.onUnreadable);
      else {
        ahead.push(begin(next));
        found += 1;
      }
    }
    return found > 0;
  }

  return {
    /** The next request for a lane; null if there is none any more. */
    async take(): Promise<Task | null> {
      while (!isStopped()) {
        const task = ahead.shift();
        if (task !== undefined) return task;
        const seen = changes;
        filling ??= fill().finally(() => (filling = null));
        if (await filling) continue;
        if (order.exhausted && order.empty) return null;
        if (changes === seen) await new Promise<void>((resolve) => idle.push(resolve));
      }
      return null;
    },
    /** Makes one that has waited too long again, after giving back those behind it: they would have an earlier number and an earlier time. */
    async renew({ begun, index, ticket }: Task, request: ReadyRequest): Promise<ReadyRequest> {
      const behind = ahead.splice(0);
      order.giveBack(behind.map((task) => ({ begun: task.begun, index: task.index })));
      const withdrawn = behind.map((task) => task.ready.then((ready) => ready.withdraw()).catch(deps.onFault));
      await Promise.all([request.withdraw(), ...withdrawn]);
      return makeReady({ begun, index }, ticket);
    },
    /** Something changed that may give a lane that waits something to do. */
    wake(): void {
      changes += 1;
      const waiting = idle;
      idle = [];
      for (const go of waiting) go();
    },
    /** Notes the duration of the last call. */
    took(milliseconds: number): void {
      lastMs = milliseconds;
    },
    get tickets(): readonly string[] {
      return ahead.map(({ ticket }) => ticket);
    },
    /** Withdraws requests that are ready and have not left, after the run was stopped; returns their places. */
    async withdraw(): Promise<readonly Place[]> {
      const left = ahead.splice(0);
      for (const { ready } of left) await ready.then((request) => request.withdraw()).catch(deps.onFault);
      return left;
    },
  };
}
