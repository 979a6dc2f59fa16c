import { createContext, use, useSyncExternalStore } from 'react';

/** The day on which the user is: when it began, in milliseconds since the epoch, and word of each new one. */
export interface Day {
  readonly get: () => number;
  /** Gives back the function that stops listening. */
  readonly watch: (listener: () => void) => () => void;
}

/**
 * Follows the midnights of the user's own zone with one timer. It runs late by as long as the machine slept: `onLook` tells when somebody comes
 * back to the page, or does anything in it.
 */
export function createDay(deps: {
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly onLook: (look: () => void) => void;
}): Day {
  const listeners = new Set<() => void>();
  let began = midnightBefore(deps.now());

  function look(): void {
    const today = midnightBefore(deps.now());
    if (today === began) return;
    began = today;
    for (const listener of listeners) listener();
  }

  function wait(): void {
    const now = deps.now();
    const next = new Date(now);
    next.setHours(24, 0, 0, 0);
    deps.later(
      () => {
        look();
        wait();
      },
      Math.max(next.getTime() - now, 1),
    );
  }

  deps.onLook(look);
  wait();
  return {
    get: () => began,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** When the local day of a time began. */
function midnightBefore(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

const still: Day = { get: () => midnightBefore(Date.now()), watch: () => () => undefined };

/** The day for everything below. */
export const DayContext = createContext(still);

/** When today began; what uses it is drawn again at midnight. */
export function useToday(): number {
  const day = use(DayContext);
  return useSyncExternalStore(day.watch, day.get);
}
