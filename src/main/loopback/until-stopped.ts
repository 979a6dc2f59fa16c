import { once } from 'node:events';

/**
 * Waits for what is built; null as soon as `stop` is aborted, because a disk may never answer. What is built all the same goes to
 * `late`.
 */
export async function untilStopped<T>(building: Promise<T>, stop: AbortSignal, late: (built: T) => unknown): Promise<T | null> {
  const heard = new AbortController();
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort', { signal: heard.signal });
  try {
    const first = await Promise.race([building.then((built) => ({ built })), stopped.then(() => null)]);
    if (first !== null) return first.built;
    building.then(late).catch(() => undefined);
    return null;
  } finally {
    stopped.catch(() => undefined);
    heard.abort();
  }
}
