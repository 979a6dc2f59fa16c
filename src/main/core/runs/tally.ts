import type { ReportedRequest, RunTotals } from '#shared/collections/reported-request.ts';
import { countRequest, noRequests } from '#shared/collections/run-totals.ts';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import type { Iteration } from './iterations.ts';
import type { RequestOutcome } from './request.ts';

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
