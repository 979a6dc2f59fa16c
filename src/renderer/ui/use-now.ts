import { useEffect, useState } from 'react';

/** The time, renewed now and then, for words such as “5 min ago”. `every` in milliseconds. */
export function useNow(now: () => number, every = 20_000): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), every);
    return () => clearInterval(timer);
  }, [now, every]);
  return time;
}
