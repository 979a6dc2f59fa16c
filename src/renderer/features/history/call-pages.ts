import type { CallPage, CallSummary } from '#shared/ipc/index.ts';

/** The rows that were fetched so far, newest first. */
export type HistoryList = { readonly state: 'loading' } | { readonly state: 'failed'; readonly message: string } | ReadyList;

export interface ReadyList {
  readonly state: 'ready';
  readonly calls: readonly CallSummary[];
  readonly total: number;
  /** False if there are at least that many. */
  readonly totalIsExact: boolean;
  /** True for a text of one or two characters, for which only the newest calls were searched. */
  readonly newestOnly: boolean;
  /** State of the rows below the last one. */
  readonly more: 'idle' | 'loading' | 'end' | 'failed';
  /** Null if the search came to its end, or found as many as were asked for. */
  readonly search: HistorySearch | null;
}

/** A search that has not come to its end; the rows show what it found so far. */
export interface HistorySearch {
  /** False if the user stopped it. */
  readonly going: boolean;
  /**
   * Number of calls that it searched, of `of` in all. A search that goes on below the rows that are shown counts from there, and
   * `of` is null.
   */
  readonly looked: number;
  readonly of: number | null;
  /** Calls older than this one were not searched. */
  readonly before: number;
}

/**
 * Puts the newest page over the rows that are shown (both newest first). If the two do not touch, rows between them would be
 * missing: then the page alone is the list, and reading down fetches the rest again. `from`: the position at which the step that
 * found the page stopped, if it came to no end; the rows below it stay.
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
