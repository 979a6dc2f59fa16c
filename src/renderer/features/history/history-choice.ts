import type { CallFilter, CallOrigin, CallOutcome } from '#shared/ipc/index.ts';
import type { OperationName } from '#shared/provider/index.ts';

/** Span of time: this day or the one before, the last 7 or 30 times 24 hours, days that the user names, or from the first call on. */
export type TimeRange = 'all' | 'today' | 'yesterday' | '7' | '30' | 'days';

/** The first and the last day of a span, such as `2026-11-26`; an empty one leaves that side open. */
interface Days {
  readonly from: string;
  readonly to: string;
}

/** Outcome of a call, or one code of the provider. */
export type OutcomeChoice = 'any' | CallOutcome | `code ${number}`;

/** Contents of the filter bar; null and `any` leave that side open. */
export interface HistoryChoice {
  readonly operation: OperationName | null;
  readonly environmentId: string | null;
  readonly outcome: OutcomeChoice;
  readonly origin: CallOrigin | null;
  readonly time: TimeRange;
  /** Of the span `days`. */
  readonly days: Days;
  readonly pinnedOnly: boolean;
  /** Only the calls of one run of a collection, or of one request of it. */
  readonly collectionRun: { readonly id: string; readonly title: string; readonly path?: string } | null;
  /** ID of the support pack whose calls are listed; null for one's own. */
  readonly pack: string | null;
}

/** Every call of one's own. */
export const wholeHistory: HistoryChoice = {
  operation: null,
  environmentId: null,
  outcome: 'any',
  origin: null,
  time: 'all',
  days: { from: '', to: '' },
  pinnedOnly: false,
  collectionRun: null,
  pack: null,
};

/** Returns whether it leaves any call out. */
export function narrows({ operation, environmentId, outcome, origin, time, pinnedOnly, collectionRun }: HistoryChoice): boolean {
  if (collectionRun !== null || origin !== null) return true;
  return operation !== null || environmentId !== null || outcome !== 'any' || time !== 'all' || pinnedOnly;
}

const dayMs = 86_400_000;

/** Returns the choice as core takes it; `now` in milliseconds since the epoch. Days begin at the user's midnight. */
export function filterOf(choice: HistoryChoice, now: number): CallFilter {
  const { operation, environmentId, outcome, origin, pinnedOnly, collectionRun } = choice;
  return {
    ...(operation === null ? {} : { operations: [operation] }),
    ...(environmentId === null ? {} : { environmentIds: [environmentId] }),
    ...outcomeFilter(outcome),
    ...(origin === null ? {} : { origins: [origin] }),
    ...spanOf(choice, now),
    ...(pinnedOnly ? { pinned: true } : {}),
    ...(collectionRun === null ? {} : { collectionRun: collectionRun.id }),
    ...(collectionRun?.path === undefined ? {} : { requestPath: collectionRun.path }),
  };
}

function spanOf({ time, days }: HistoryChoice, now: number): Pick<CallFilter, 'since' | 'until'> {
  switch (time) {
    case 'all':
      return {};
    case 'today':
      return { since: midnight(now, 0) };
    case 'yesterday':
      return { since: midnight(now, -1), until: midnight(now, 0) };
    case 'days': {
      const [first, last] = [startOf(days.from), startOf(days.to)];
      return { ...(first === null ? {} : { since: first }), ...(last === null ? {} : { until: midnight(last, 1) }) };
    }
    case '7':
    case '30':
      return { since: now - Number(time) * dayMs };
  }
}

/** Returns the midnight that begins a day, so many days after that of a moment: not all days have 24 hours. */
function midnight(moment: number, later: number): number {
  const day = new Date(moment);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).getTime();
}

/** Returns the midnight that begins a day; null for a text that names none. */
function startOf(day: string): number | null {
  const [year, month, date] = day.split('-').map(Number);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || year === undefined || month === undefined || date === undefined) return null;
  return new Date(year, month - 1, date).getTime();
}

function outcomeFilter(outcome: OutcomeChoice): CallFilter {
  if (outcome === 'any') return {};
  const code = /^code (-?\d+)$/.exec(outcome)?.[1];
  return code === undefined ? { outcomes: [outcome as CallOutcome] } : { codes: [Number(code)] };
}
