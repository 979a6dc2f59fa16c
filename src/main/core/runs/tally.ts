import type { ReportedRequest, RunTotals } from '#shared/collections/reported-request.ts';
import { countRequest, noRequests } from '#shared/collections/run-totals.ts';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import type { Iteration } from './iterations.ts';
import type { RequestOutcome } from './request.ts';

/** Number of characters of all calls in one report. */
const mostCallCharacters = 4_000_000;

/** Counts the requests that are done, and passes each on when the history has it. */
export interface Tally {
  readonly totals: Readonly<RunTotals>;
  add(iteration: Pick<Iteration, 'number' | 'row'>, index: number, outcome: RequestOutcome): void;
  /** Settles when everything that was added was passed on. */
  passedOn(): Promise<void>;
}

/**
 * Counts a request at once. `onDone` hears of it when it is known whether its outcome is in the history, in the order in which requests
 * were done; nothing else waits for that.
 */
export function createTally(onDone: (finished: FinishedRequest) => void): Tally {
  const totals: RunTotals = noRequests();
  let callCharacters = 0;
  let passedOn: Promise<void> = Promise.resolve();
  return {
    totals,
    add({ number, row }, index, { reported, recorded }) {
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
    passedOn: () => passedOn,
  };
}

function outcomeOf({ callId }: ReportedRequest): string {
  return callId === null ? 'The outcome' : `The outcome of call ${callId}`;
}
