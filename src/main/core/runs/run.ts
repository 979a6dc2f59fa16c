import type { ReportedRequest, RunTotals } from '#shared/collections/reported-request.ts';
import { countRequest, noRequests } from '#shared/collections/run-totals.ts';
import type { Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { FinishedRequest, RunOptions } from '#shared/ipc/index.ts';
import type { InTurn } from '../calls/send.ts';
import type { Iteration, Iterations } from './iterations.ts';
import { withDependencies, type Plan, type PlannedRequest } from './plan.ts';
import { createQueue, type Queue } from './queue.ts';
import { readyRequest, without, type ReadyRequest, type RequestDeps, type RequestOutcome } from './request.ts';

export interface RunDeps extends Omit<RequestDeps, 'stopped'> {
  /** Stops the call with the ticket, if it is under way. */
  readonly cancelCall: (ticket: string) => void;
  /** Calls back after so many milliseconds; gives back what prevents it. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Each planned request once, when it is done; `index` is its place in the plan. */
  readonly onDone: (finished: FinishedRequest, index: number) => void;
  readonly onFault: (error: unknown) => void;
}

export interface RunJob {
  readonly plan: Plan;
  readonly iterations: Iterations;
  readonly options: Pick<RunOptions, 'delayMs' | 'parallel' | 'bail'>;
  /** Only these requests of these iterations, with what they depend on, by the iteration's number; null for all. */
  readonly only: ReadonlyMap<number, readonly number[]> | null;
}

/** What a run comes to at this moment. `totals.requests` + `underWay` + `waiting` = `planned`. */
export interface RunProgress {
  readonly planned: number;
  readonly underWay: number;
  readonly waiting: number;
  readonly totals: RunTotals;
  readonly current: string;
}

export interface Run {
  readonly planned: number;
  /** Settles when every planned request is done, one way or another. Never rejects. To be called once. */
  begin(): Promise<void>;
  progress(): RunProgress;
  cancel(): void;
  readonly cancelled: boolean;
}

/** An iteration that was begun and has requests left. */
interface Active {
  readonly iteration: Iteration;
  readonly queue: Queue;
  readonly namedIds: Map<string, string>;
  /** By the index of the request whose answer they were in. */
  readonly taken: Map<number, Variables>;
}

/** A request of an iteration. */
interface Place {
  readonly one: Active;
  readonly index: number;
}

/** A request that waits for nothing and is made ready, or is ready. */
interface Task extends Place {
  readonly ticket: string;
  readonly ready: Promise<ReadyRequest>;
}

/**
 * Requests that leave within so many milliseconds are made ready together, so that one flush to the disk does for all their rows. Calls that
 * take as long are made ready one by one.
 */
const aheadMs = 10;
const mostAhead = 32;
const cancelledWords = 'The run was cancelled.';

/** Makes a run ready; nothing is sent before `begin`. */
export function createRun(job: RunJob, deps: RunDeps): Run {
  const { plan, iterations, options } = job;
  const all = plan.requests.map((_, index) => index);
  const numbers = () => (job.only === null ? upTo(iterations.count) : job.only.keys());
  const indexesOf = (number: number) => (job.only === null ? all : withDependencies(plan, job.only.get(number) ?? []));
  const planned =
    job.only === null
      ? all.length * iterations.count
      : [...job.only.keys()].reduce((sum, number) => sum + indexesOf(number).length, 0);

  const totals: RunTotals = noRequests();
  const active = new Set<Active>();
  const tickets = new Map<string, string>();
  /** In the order in which they are to leave. */
  const ahead: Task[] = [];
  /** Were ready and are to be made again, in their order, before any other. */
  const returned: Place[] = [];
  /** Settles when the row of the last request that was begun is on its way into the history. */
  let lastRow: Promise<void> = Promise.resolve();
  let filling: Promise<boolean> | null = null;
  /** Of the call that was done last, in milliseconds. */
  let lastMs = Number.POSITIVE_INFINITY;
  /** Lanes that wait for an answer that others are getting. */
  let idle: (() => void)[] = [];
  /** Grows with everything that may give an idle lane something to do. */
  let changes = 0;
  const pauses = new Set<() => void>();
  /** Settles when everything that is done was told. */
  let allTold: Promise<void> = Promise.resolve();
  const numbersLeft = numbers()[Symbol.iterator]();
  /** The iteration that is being opened. */
  let opened: number | null = null;
  // Without `return`: those that are never opened are skipped, each by its number.
  const source = iterations.open({
    [Symbol.iterator]: () => ({
      next() {
        const next = numbersLeft.next();
        opened = next.done === true ? null : next.value;
        return next;
      },
    }),
  });
  let exhausted = false;
  /** Why nothing is started any more; null while it is. */
  let stopped: string | null = null;
  let cancelled = false;
  /** Ends the reading of responses. */
  const reading = new AbortController();
  let made = 0;

  function wake(): void {
    changes += 1;
    const waiting = idle;
    idle = [];
    for (const go of waiting) go();
  }

  function stop(reason: string): void {
    stopped ??= reason;
    for (const end of pauses) end();
    wake();
  }

  /**
   * Counted at once; told when it is known whether the outcome is in the history, which nothing else waits for, and in the order in which
   * requests were done: one that never left has no outcome to wait for.
   */
  function report(
    { number, row }: Pick<Iteration, 'number' | 'row'>,
    index: number,
    { reported, recorded }: RequestOutcome,
  ): void {
    countRequest(totals, reported);
    allTold = Promise.all([recorded, allTold]).then(([problem]) => {
      if (problem !== null) totals.unrecorded += 1;
      const unrecorded = problem === null ? '' : `${outcomeOf(reported)} could not be written to the history. ${problem}`;
      deps.onDone({ iteration: number, row, request: { ...reported, unrecorded } }, index);
    });
  }

  async function openNext(): Promise<void> {
    try {
      const next = await source.next();
      if (next.done === true) exhausted = true;
      else {
        const queue = createQueue(indexesOf(next.value.number), plan.needs);
        active.add({ iteration: next.value, queue, namedIds: new Map(), taken: new Map() });
        opened = null;
      }
    } catch (error) {
      if (!(error instanceof AppError)) deps.onFault(error);
      exhausted = true;
      stop(error instanceof Error ? error.message : String(error));
    }
  }

  /** The oldest iteration's next request that waits for nothing; null where all are given out. Where one waits, those behind it stay behind `inOrder`. */
  function nextOf(inOrder: boolean): Place | 'waits' | null {
    const again = returned.shift();
    if (again !== undefined) return again;
    for (const one of active) {
      const index = one.queue.next(inOrder);
      if (index !== null) return { one, index };
      if (inOrder && one.queue.waiting > 0) return 'waits';
    }
    return null;
  }

  /** Makes the next request ready, and with it those that leave soon after it and wait for nothing either; false where there is none. */
  async function fill(): Promise<boolean> {
    const more = options.delayMs > 0 ? 0 : Math.min(mostAhead, Math.floor((aheadMs * options.parallel) / lastMs));
    let found = 0;
    while (stopped === null && found <= more) {
      const next = nextOf(found > 0);
      if (next === 'waits' || (next === null && exhausted)) break;
      if (next === null) await openNext();
      else {
        ahead.push(begin(next.one, next.index));
        found += 1;
      }
    }
    return found > 0;
  }

  async function take(): Promise<Task | null> {
    while (stopped === null) {
      const task = ahead.shift();
      if (task !== undefined) return task;
      const seen = changes;
      filling ??= fill().finally(() => (filling = null));
      if (await filling) continue;
      if (exhausted && active.size === 0) return null;
      if (changes === seen) await new Promise<void>((resolve) => idle.push(resolve));
    }
    return null;
  }

  function begin(one: Active, index: number): Task {
    const ticket = `${deps.runId}:${(made += 1)}`;
    const ready = makeReady(one, index, ticket);
    // Told when its turn comes.
    ready.catch(() => undefined);
    return { one, index, ticket, ready };
  }

  /** Calls are numbered when their rows are written. One that needs no key is signed sooner, and must not be numbered before those that leave first. */
  function makeReady(one: Active, index: number, ticket: string): Promise<ReadyRequest> {
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
    const ready = readyInTurn(one, index, ticket, inTurn);
    void ready
      .catch(() => undefined)
      .then(() => before)
      .then(next);
    return ready;
  }

  async function readyInTurn(
    { iteration, namedIds, taken }: Active,
    index: number,
    ticket: string,
    inTurn: InTurn,
  ): Promise<ReadyRequest> {
    const planned = requestAt(index);
    const answers = Object.create(null) as Variables;
    const missing = new Map<string, string>();
    for (const [name, setter] of plan.needs[index] ?? []) {
      const value = taken.get(setter)?.[name];
      if (value === undefined) missing.set(name, plan.requests[setter]?.path ?? '');
      else answers[name] = value;
    }
    const { variables } = iteration;
    return readyRequest(
      { ...deps, stopped: reading.signal },
      { planned, collection: plan.collection, variables, answers, missing, namedIds, ticket, inTurn },
    );
  }

  /** Takes back what is ready behind a request that is made anew: it would have an earlier number and an earlier time. */
  async function giveBack(): Promise<void> {
    const behind = ahead.splice(0);
    returned.unshift(...behind.map(({ one, index }) => ({ one, index })));
    await Promise.all(behind.map(({ ready }) => ready.then((request) => request.withdraw()).catch(deps.onFault)));
  }

  function requestAt(index: number): PlannedRequest {
    const planned = plan.requests[index];
    if (planned === undefined) throw new RangeError(`There is no request ${index} in the plan`);
    return planned;
  }

  async function send({ one, index, ticket, ready }: Task): Promise<RequestOutcome> {
    let request = await ready;
    if (!request.isFresh()) {
      await Promise.all([request.withdraw(), giveBack()]);
      request = await makeReady(one, index, ticket);
    }
    if (!cancelled) return request.send();
    await request.withdraw();
    return without(requestAt(index), 'skipped', cancelledWords);
  }

  async function work(task: Task): Promise<RequestOutcome> {
    const planned = requestAt(task.index);
    tickets.set(task.ticket, planned.path);
    try {
      return await send(task);
    } catch (error) {
      deps.onFault(error);
      return without(planned, 'error', `A fault of the program: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      tickets.delete(task.ticket);
    }
  }

  async function lane(): Promise<void> {
    for (let task = await take(); task !== null; task = await take()) {
      const { one, index } = task;
      const outcome = await work(task);
      const { reported, taken } = outcome;
      if (Object.keys(taken).length > 0) one.taken.set(index, taken);
      one.queue.done(index);
      lastMs = reported.durationMs ?? lastMs;
      report(one.iteration, index, outcome);
      if (one.queue.waiting + one.queue.underWay === 0) active.delete(one);
      if (options.bail && reported.state !== 'passed') stop(`The run was stopped: ${reported.path} did not pass.`);
      else wake();
      if (options.delayMs > 0 && stopped === null) await pause(options.delayMs);
    }
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        pauses.delete(end);
        prevent();
        resolve();
      };
      const prevent = deps.later(end, milliseconds);
      pauses.add(end);
    });
  }

  function skip(iteration: Pick<Iteration, 'number' | 'row'>, indexes: readonly number[], reason: string): void {
    for (const index of indexes) report(iteration, index, without(requestAt(index), 'skipped', reason));
  }

  function skipPass(number: number, reason: string): void {
    skip({ number, row: iterations.rowOf(number) }, indexesOf(number), reason);
  }

  async function go(): Promise<void> {
    await Promise.all(Array.from({ length: Math.min(options.parallel, planned) }, lane));
    await source.return();
    const reason = stopped;
    if (reason === null) return;
    for (const { one, index, ready } of ahead) {
      await ready.then((request) => request.withdraw()).catch(deps.onFault);
      skip(one.iteration, [index], reason);
    }
    for (const { one, index } of returned) skip(one.iteration, [index], reason);
    for (const { iteration, queue } of active) skip(iteration, queue.rest(), reason);
    active.clear();
    if (opened !== null) skipPass(opened, reason);
    for (let next = numbersLeft.next(); next.done !== true; next = numbersLeft.next()) {
      skipPass(next.value, reason);
    }
  }

  return {
    planned,
    async begin() {
      await go().catch(deps.onFault);
      await allTold;
    },
    progress() {
      const underWay = tickets.size;
      const current = tickets.values().next().value ?? '';
      return { planned, underWay, waiting: planned - totals.requests - underWay, totals: { ...totals }, current };
    },
    cancel() {
      if (cancelled) return;
      cancelled = true;
      stop(cancelledWords);
      reading.abort();
      for (const ticket of [...tickets.keys(), ...ahead.map((task) => task.ticket)]) deps.cancelCall(ticket);
    },
    get cancelled() {
      return cancelled;
    },
  };
}

function outcomeOf({ callId }: ReportedRequest): string {
  return callId === null ? 'The outcome' : `The outcome of call ${callId}`;
}

function* upTo(count: number): Generator<number, void> {
  for (let number = 1; number <= count; number += 1) yield number;
}
