import type { CallSummary } from '#shared/ipc/index.ts';

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
