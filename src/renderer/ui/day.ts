import { createContext, use, useSyncExternalStore } from 'react';

/** The user's local day: its start, in milliseconds since the epoch, and news of each new day. */
export type Day = ReturnType<typeof createDay>;

/**
 * Follows the midnights of the user's own zone with one timer, which runs late by as long as the machine slept. `onUse` reports
 * when somebody comes back to the page or does anything in it.
 */
export function createDay(deps: {
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly onUse: (listener: () => void) => void;
}) {
  const listeners = new Set<() => void>();
  let began = midnightBefore(deps.now());

  function turn(): void {
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
        turn();
        wait();
      },
      Math.max(next.getTime() - now, 1),
    );
  }

  deps.onUse(turn);
  wait();
  return {
    get: (): number => began,
    /** Returns the function that stops listening. */
    watch(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the start of the local day of a time; both in milliseconds since the epoch. */
function midnightBefore(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

const still: Day = { get: () => midnightBefore(Date.now()), watch: () => () => undefined };

/** Provides the day to everything below. */
export const DayContext = createContext(still);

/** Returns the start of today, in milliseconds since the epoch. A component that uses it is drawn again at midnight. */
export function useToday(): number {
  const day = use(DayContext);
  return useSyncExternalStore(day.watch, day.get);
}
