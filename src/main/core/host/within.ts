import { startDeadline, startWait } from './deadline.ts';

/** Waits for the work; null if it takes longer while this process runs. Passes its error on while the caller waits. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  return until(work, (late) => startDeadline(milliseconds, late));
}

/** As `within`, for work of another process or thread, which a busy computer gives the time once more. */
export function replyWithin<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  return until(work, (late) => startWait(milliseconds, late));
}

async function until<T>(work: Promise<T>, begin: (late: () => void) => { clear(): void }): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const wait = begin(() => late.resolve(null));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    wait.clear();
  }
}
