import { useEffect, useState } from 'react';

/** A value once it has been still for a moment, for work that need not be done at every key press; another `key` takes over at once. */
export function useSettled<V>(value: V, milliseconds: number, key: string): V {
  const [settled, setSettled] = useState({ value, key });
  useEffect(() => {
    if (settled.value === value && settled.key === key) return undefined;
    const timer = setTimeout(() => setSettled({ value, key }), milliseconds);
    return () => clearTimeout(timer);
  }, [value, key, milliseconds, settled]);
  return settled.key === key ? settled.value : value;
}

/** Milliseconds since the epoch, new at each full second while the page is in sight; still while `running` is false. */
export function useSecond(now: () => number, running: boolean): number {
  const [second, setSecond] = useState(now);
  useEffect(() => {
    if (!running) return undefined;
    let timer = 0;
    const tick = () => {
      const at = now();
      if (!document.hidden) setSecond(at);
      timer = window.setTimeout(tick, 1000 - (at % 1000));
    };
    tick();
    return () => clearTimeout(timer);
  }, [now, running]);
  return second;
}
