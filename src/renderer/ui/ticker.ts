/** What a ticker needs of the page. */
export interface TickerPage {
  readonly hidden: () => boolean;
  /** Calls back when the page goes out of sight or comes back; gives back what ends that. */
  readonly onSight: (listener: () => void) => () => void;
  /** Calls back once after some milliseconds; gives back what calls it off. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

/**
 * Ticks at once and at each full `every` milliseconds of the clock, so that several tick together. It wakes nobody while the page is out
 * of sight, and ticks when that comes back. Gives back what ends it.
 */
export function startTicker(page: TickerPage, now: () => number, every: number, onTick: (at: number) => void): () => void {
  let callOff: (() => void) | null = null;
  let stopped = false;

  function plan(): void {
    callOff = page.later(tick, every - (now() % every));
  }

  function tick(): void {
    // It may be ended by what it tells.
    if (!stopped) onTick(now());
    if (!stopped) plan();
  }

  const stop = page.onSight(() => {
    if (page.hidden()) {
      callOff?.();
      callOff = null;
    } else if (callOff === null) tick();
  });
  if (!page.hidden()) tick();
  return () => {
    stopped = true;
    callOff?.();
    stop();
  };
}
