/** Milliseconds between two strokes. */
const strokeMs = 200;

/**
 * Counts the time in which this process could not run: a game did nothing wrong in it that Croupier could have seen. `now` returns
 * milliseconds of a monotonic clock.
 */
export function measureLag(now: () => number) {
  let last = now();
  let lost = 0;
  const timer = setInterval(() => {
    const late = now() - last - strokeMs;
    // A timer is a little late also on an idle computer.
    if (late > strokeMs / 4) lost += late;
    last = now();
  }, strokeMs);
  timer.unref();
  return {
    /** Milliseconds since the start. */
    ms: (): number => Math.round(lost),
    stop: (): void => clearInterval(timer),
  };
}
