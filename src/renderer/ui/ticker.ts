/** Milliseconds without a sign of the user after which a page rests. */
export const restAfter = 10_000;

/** Parts of the page that a ticker needs. */
export interface TickerPage {
  readonly hidden: () => boolean;
  /** Calls back when the page goes out of sight or comes back; returns a function that ends this. */
  readonly onSight: (listener: () => void) => () => void;
  /** Calls back once after a number of milliseconds; returns a function that cancels this. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

/**
 * Ticks at once and at each full `every` milliseconds of the clock, so that several tick together. It wakes nobody while the page
 * is out of sight, and ticks when the page comes back. Returns the function that ends it.
 */
export function startTicker(page: TickerPage, now: () => number, every: number, onTick: (at: number) => void): () => void {
  let callOff: (() => void) | null = null;
  let stopped = false;

  function plan(): void {
    callOff = page.later(tick, every - (now() % every));
  }

  function tick(): void {
    // The listener may end the ticker.
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

/** Tells when nobody has touched the page for a while, and when somebody does again. Returns the function that ends it. */
export function watchUse(
  page: Pick<TickerPage, 'later'> & { readonly onSign: (listener: () => void) => () => void },
  now: () => number,
  onChange: (inUse: boolean) => void,
): () => void {
  let last = now();
  let callOff: (() => void) | null = null;

  function rest(): void {
    const left = last + restAfter - now();
    callOff = left > 0 ? page.later(rest, left) : null;
    if (callOff === null) onChange(false);
  }

  rest();
  const stop = page.onSign(() => {
    last = now();
    if (callOff !== null) return;
    rest();
    onChange(true);
  });
  return () => {
    callOff?.();
    stop();
  };
}
