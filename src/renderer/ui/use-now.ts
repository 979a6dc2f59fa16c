import { useEffect, useEffectEvent, useState } from 'react';
import { startTicker, watchUse, type TickerPage } from './ticker.ts';

const page: TickerPage = {
  hidden: () => document.hidden,
  onSight(listener) {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
  later(run, milliseconds) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Returns milliseconds since the epoch, by the clock of this machine. */
export const now = () => Date.now();

/** Calls back at each full `every` milliseconds while the page is in sight and `running` holds. */
export function useTick(now: () => number, every: number, running: boolean, onTick: (at: number) => void): void {
  const tell = useEffectEvent(onTick);
  useEffect(() => (running ? startTicker(page, now, every, (at) => tell(at)) : undefined), [now, every, running]);
}

/** Returns the time, renewed at intervals, for words such as `5 min ago`. `every` in milliseconds. */
export function useNow(now: () => number, every = 20_000, running = true): number {
  const [time, setTime] = useState(now);
  useTick(now, every, running, setTime);
  return time;
}

const signs = ['keydown', 'pointermove', 'pointerdown', 'wheel', 'focusin', 'visibilitychange'];

/** Returns whether somebody uses the page: false once nobody has touched it for a while. */
export function useInUse(): boolean {
  const [inUse, setInUse] = useState(true);
  useEffect(() => {
    const onSign = (listener: () => void) => {
      for (const sign of signs) document.addEventListener(sign, listener, { capture: true, passive: true });
      return () => {
        for (const sign of signs) document.removeEventListener(sign, listener, { capture: true });
      };
    };
    return watchUse({ ...page, onSign }, () => performance.now(), setInUse);
  }, []);
  return inUse;
}
