import { countRequest, noRequests } from '#shared/collections/run-totals.ts';
import type { RunTotals, ReportedRequest } from '#shared/collections/reported-request.ts';
import { AppError } from '#shared/errors.ts';
import type { FinishedRequest, Payload, RunOptions } from '#shared/ipc/index.ts';
import type { InTurn } from '../calls/send.ts';
import type { Iteration, Iterations } from './iterations.ts';
import { createOrder, type Place } from './order.ts';
import type { Plan, PlannedRequest } from './plan.ts';
import type { Turn } from './turn.ts';
import { createReadiness, type Task } from './readiness.ts';
import { without, type ReadyRequest, type RequestOutcome } from './request.ts';
import type { RunEnd } from './report-lines.ts';

export interface RunDeps {
  readonly runId: string;
  /** Makes an entry of the plan ready to be sent. */
  readonly ready: (turn: Turn) => Promise<ReadyRequest>;
  /** Stops the call with the ticket, if it is under way. */
  readonly cancelCall: (ticket: string) => void;
  /** Calls back after so many milliseconds; returns the function that prevents it. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Called for each planned request once, when it is done. */
  readonly onDone: (finished: FinishedRequest) => void;
  readonly onFault: (error: unknown) => void;
}

export interface RunJob {
  readonly plan: Pick<Plan, 'requests' | 'needs'>;
  readonly iterations: Iterations;
  readonly options: Pick<RunOptions, 'delayMs' | 'parallel' | 'bail'>;
  /** Only these requests of these iterations, with those they depend on, by the iteration's number; null for all. */
  readonly only: ReadonlyMap<number, readonly number[]> | null;
}

export type Run = ReturnType<typeof createRun>;

const cancelledWords = 'The run was cancelled.';

/** Prepares a run; nothing is sent before `begin`. */
export function createRun({ plan, iterations, options, only }: RunJob, deps: RunDeps) {
  const order = createOrder(plan, iterations, only);
  const tally = createTally(deps.onDone);
  const readiness = createReadiness({
    order,
    runId: deps.runId,
    delayMs: options.delayMs,
    parallel: options.parallel,
    make,
    isStopped: () => stopped !== null,
    onUnreadable(error) {
      if (!(error instanceof AppError)) deps.onFault(error);
      stop(error instanceof Error ? error.message : String(error));
    },
    onFault: deps.onFault,
  });
  /** Paths of the requests under way, by their tickets. */
  const underWay = new Map<string, string>();
  const pauses = new Set<() => void>();
  /** The reason why nothing is started any more; null while it is. */
  let stopped: string | null = null;
  let cancelled = false;
  let interrupted = false;
  /** Ends the reading of responses. */
  const reading = new AbortController();

  function stop(reason: string): void {
    stopped ??= reason;
    for (const end of pauses) end();
    readiness.wake();
  }

  function interrupt(reason: string): void {
    interrupted = true;
    stop(`The run was stopped: ${reason}`);
  }

  function requestAt(index: number): PlannedRequest {
    const planned = plan.requests[index];
    if (planned === undefined) throw new RangeError(`There is no request ${index} in the plan`);
    return planned;
  }

  async function make(place: Place, ticket: string, inTurn: InTurn): Promise<ReadyRequest> {
    const { iteration, namedIds } = place.begun;
    return deps.ready({
      index: place.index,
      iteration,
      namedIds,
      ...order.valuesFor(place),
      ticket,
      inTurn,
      stopped: reading.signal,
    });
  }

  async function send(task: Task): Promise<RequestOutcome> {
    let request = await task.ready;
    if (!request.isFresh()) request = await readiness.renew(task, request);
    if (!cancelled) return request.send();
    await request.withdraw();
    return without(requestAt(task.index), 'skipped', cancelledWords);
  }

  async function work(task: Task): Promise<RequestOutcome> {
    const planned = requestAt(task.index);
    underWay.set(task.ticket, planned.path);
    try {
      return await send(task);
    } catch (error) {
      deps.onFault(error);
      return without(planned, 'error', `An error in Croupier: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      underWay.delete(task.ticket);
    }
  }

  async function lane(): Promise<void> {
    for (let task = await readiness.take(); task !== null; task = await readiness.take()) {
      const outcome = await work(task);
      const { reported, taken, ends, stops } = outcome;
      order.done(task, taken);
      if (reported.durationMs !== null) readiness.took(reported.durationMs);
      tally.add(task.begun.iteration, task.index, outcome);
      if (ends !== undefined) interrupt(ends);
      else if (stops !== undefined) stop(`The run was stopped: ${stops}`);
      else if (options.bail && reported.state !== 'passed') stop(`The run was stopped: ${reported.path} did not pass.`);
      else readiness.wake();
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
    for (const index of indexes) tally.add(iteration, index, without(requestAt(index), 'skipped', reason));
  }

  async function go(): Promise<void> {
    await Promise.all(Array.from({ length: Math.min(options.parallel, order.planned) }, lane));
    await order.close();
    if (stopped === null) return;
    for (const { begun, index } of await readiness.withdraw()) skip(begun.iteration, [index], stopped);
    for (const { iteration, indexes } of order.rest()) skip(iteration, indexes, stopped);
  }

  return {
    planned: order.planned,
    /** Settles when every planned request is done, one way or another. Never rejects. To be called once. */
    async begin(): Promise<void> {
      await go().catch(deps.onFault);
      await tally.passedOn();
    },
    /** `totals.requests` + `underWay` + `waiting` = `planned`. */
    progress(): Omit<Payload<'runs.progressed'>, 'runId' | 'state' | 'finished'> {
      const { planned } = order;
      const totals = { ...tally.totals };
      const current = underWay.values().next().value ?? '';
      return { planned, underWay: underWay.size, waiting: planned - totals.requests - underWay.size, totals, current };
    },
    cancel(): void {
      if (cancelled) return;
      cancelled = true;
      stop(cancelledWords);
      reading.abort();
      for (const ticket of [...underWay.keys(), ...readiness.tickets]) deps.cancelCall(ticket);
    },
    get outcome(): RunEnd['state'] {
      if (cancelled) return 'cancelled';
      return interrupted ? 'interrupted' : 'finished';
    },
  };
}

/** Number of characters of all calls in one report. */
const mostCallCharacters = 4_000_000;

/**
 * Counts the requests that are done, and passes each on when the history has it. Counts a request at once. `onDone` hears of it when it
 * is known whether its outcome is in the history, in the order in which requests were done; nothing else waits for that.
 */
export function createTally(onDone: (finished: FinishedRequest) => void) {
  const totals: RunTotals = noRequests();
  let callCharacters = 0;
  let passedOn: Promise<void> = Promise.resolve();
  return {
    totals,
    add({ number, row }: Pick<Iteration, 'number' | 'row'>, index: number, { reported, recorded }: RequestOutcome): void {
      countRequest(totals, reported);
      callCharacters += JSON.stringify(reported.call ?? '').length;
      const { call, ...withoutCall } = reported;
      const kept = call === undefined || callCharacters > mostCallCharacters ? withoutCall : reported;
      passedOn = Promise.all([recorded, passedOn]).then(([problem]) => {
        if (problem !== null) totals.unrecorded += 1;
        const unrecorded = problem === null ? '' : `${outcomeOf(reported)} could not be written to the history. ${problem}`;
        onDone({ index, iteration: number, row, request: { ...kept, unrecorded } });
      });
    },
    /** Settles when everything that was added was passed on. */
    passedOn: (): Promise<void> => passedOn,
  };
}

function outcomeOf({ callId }: ReportedRequest): string {
  return callId === null ? 'The outcome' : `The outcome of call ${callId}`;
}
