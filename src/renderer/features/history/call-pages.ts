import type { CallPage, CallSummary } from '#shared/ipc/index.ts';

/** The rows that were fetched so far, newest first. */
export type HistoryList = { readonly state: 'loading' } | { readonly state: 'failed'; readonly message: string } | ReadyList;

export interface ReadyList {
  readonly state: 'ready';
  readonly calls: readonly CallSummary[];
  readonly total: number;
  /** False where there are at least that many. */
  readonly totalIsExact: boolean;
  /** Of a text of one or two characters: only the newest calls were looked through. */
  readonly newestOnly: boolean;
  /** What is below the last row. */
  readonly more: 'idle' | 'loading' | 'end' | 'failed';
  /** Null where the search came to its end, or found as much as it was asked for. */
  readonly search: HistorySearch | null;
}

/** A search that has not come to its end: what is shown is what it found so far. */
export interface HistorySearch {
  /** False where the user stopped it. */
  readonly going: boolean;
  /** Calls that it went through, of so many that there are. One that goes on below rows which are shown counts from there, and `of` is null. */
  readonly looked: number;
  readonly of: number | null;
  /** Calls below were not looked at. */
  readonly before: number;
}

/**
 * Puts the newest page over the rows that are shown (both newest first). Rows between the page and the rows would be missing
 * where the two do not touch; the page alone is then the list, and reading down fetches the rest again. `from`: where the look ended that found the
 * page, if it came to no end; the rows below it stay.
 */
export function mergeHead(
  shown: readonly CallSummary[],
  head: readonly CallSummary[],
  from: number | null = null,
): readonly CallSummary[] {
  if (from !== null) return [...head, ...shown.filter((call) => call.id < from)];
  const oldest = head.at(-1);
  const newest = shown[0];
  if (oldest === undefined || newest === undefined) return head;
  if (oldest.id > newest.id) return head;
  return [...head, ...shown.filter((call) => call.id < oldest.id)];
}

/** Adds the next older page below the rows that are shown. */
export function mergeTail(shown: readonly CallSummary[], tail: readonly CallSummary[]): readonly CallSummary[] {
  const last = shown.at(-1);
  return last === undefined ? tail : [...shown, ...tail.filter((call) => call.id < last.id)];
}

/** Returns the numbers of a page as the list shows them. */
export function totalOf({
  total,
  totalIsExact,
  searchedFrom,
}: Pick<CallPage, 'total' | 'totalIsExact' | 'searchedFrom'>): Pick<ReadyList, 'total' | 'totalIsExact' | 'newestOnly'> {
  return { total, totalIsExact, newestOnly: searchedFrom !== null };
}
