import type { CallFilter, CallOutcome } from '#shared/ipc/index.ts';
import type { OperationName } from '#shared/provider/index.ts';

/** Span of time: since this midnight, the last 7 or 30 times 24 hours, or from the first call on. */
export type TimeRange = 'all' | 'today' | '7' | '30';

/** Outcome of a call, or one code of the provider. */
export type OutcomeChoice = 'any' | CallOutcome | `code ${number}`;

/** Contents of the filter bar; null and `any` leave that side open. */
export interface HistoryChoice {
  readonly operation: OperationName | null;
  readonly environmentId: string | null;
  readonly outcome: OutcomeChoice;
  readonly time: TimeRange;
  readonly pinnedOnly: boolean;
  /** Only the calls of one run of a collection. */
  readonly collectionRun: { readonly id: string; readonly title: string } | null;
}

/** Every call. */
export const wholeHistory: HistoryChoice = {
  operation: null,
  environmentId: null,
  outcome: 'any',
  time: 'all',
  pinnedOnly: false,
  collectionRun: null,
};

/** Returns whether it leaves any call out. */
export function narrows({ operation, environmentId, outcome, time, pinnedOnly, collectionRun }: HistoryChoice): boolean {
  if (collectionRun !== null) return true;
  return operation !== null || environmentId !== null || outcome !== 'any' || time !== 'all' || pinnedOnly;
}

const dayMs = 86_400_000;

/** Returns the choice as core takes it; `now` in milliseconds since the epoch. Today begins at the user's midnight. */
export function filterOf(choice: HistoryChoice, now: number): CallFilter {
  const { operation, environmentId, outcome, time, pinnedOnly, collectionRun } = choice;
  return {
    ...(operation === null ? {} : { operations: [operation] }),
    ...(environmentId === null ? {} : { environmentIds: [environmentId] }),
    ...outcomeFilter(outcome),
    ...(time === 'all' ? {} : { since: time === 'today' ? new Date(now).setHours(0, 0, 0, 0) : now - Number(time) * dayMs }),
    ...(pinnedOnly ? { pinned: true } : {}),
    ...(collectionRun === null ? {} : { collectionRun: collectionRun.id }),
  };
}

function outcomeFilter(outcome: OutcomeChoice): CallFilter {
  if (outcome === 'any') return {};
  const code = /^code (-?\d+)$/.exec(outcome)?.[1];
  return code === undefined ? { outcomes: [outcome as CallOutcome] } : { codes: [Number(code)] };
}
