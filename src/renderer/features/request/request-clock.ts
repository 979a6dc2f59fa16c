import type { RequestView } from './tabs/request-tab.ts';

/** Number of characters up to which the next request is shown for each second. The spec's longest list has 20,000 (Limits). */
export const mostTicking = 100_000;

/**
 * Effect of the clock on a request that is shown. `ticks`: it is prepared for each second. `held` and `rests`: it depends on the
 * time and is shown for one moment, which is named, because it is too long to be hashed each second or nobody uses the page.
 * `still`: nothing in sight depends on the second.
 */
export type RequestClock = 'ticks' | 'held' | 'rests' | 'still';

/**
 * Returns the effect of the clock. `timed`: the request carries a time of its own. `variables`: it has some, which may be times.
 * `length` in UTF-16 units. `inUse`: somebody uses the page.
 */
export function clockOf({
  timed,
  variables,
  hashInputShown,
  view,
  length,
  inUse,
}: {
  readonly timed: boolean;
  readonly variables: boolean;
  readonly hashInputShown: boolean;
  readonly view: RequestView;
  readonly length: number;
  readonly inUse: boolean;
}): RequestClock {
  const shown = hashInputShown || view === 'envelope';
  // In the editor, the value of a variable is shown at its position.
  const inSight = (shown && timed) || (variables && (shown || view === 'data'));
  if (!inSight) return 'still';
  if (length > mostTicking) return 'held';
  return inUse ? 'ticks' : 'rests';
}
