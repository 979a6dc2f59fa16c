import { AppError } from '#shared/errors.ts';

/** A request to stop one call. It may come at any time, also before anyone listens. */
export type Cancellation = ReturnType<typeof createCancellation>;

/** One call's stop button. */
export function createCancellation(ticket?: string) {
  let listener: (() => void) | null = null;
  const cancellation = {
    /** The ticket by which it is asked for; absent if nobody can. */
    ticket,
    requested: false,
    /** Calls `listener` once; at once if the request came before. Replaces the listener before it. */
    listen(next: (() => void) | null): void {
      listener = next;
      if (cancellation.requested && next !== null) next();
    },
    request(): void {
      if (cancellation.requested) return;
      cancellation.requested = true;
      listener?.();
    },
  };
  return cancellation;
}

/** Waits for `work`; null if it is cancelled first, which ends the waiting but not the work. */
export function unlessCancelled<T>(work: Promise<T>, cancellation: Cancellation): Promise<T | null> {
  return new Promise((resolve, reject) => {
    cancellation.listen(() => resolve(null));
    work.then(
      (value) => {
        // Before anyone else can listen.
        cancellation.listen(null);
        resolve(value);
      },
      (error: unknown) => {
        cancellation.listen(null);
        reject(error);
      },
    );
  });
}

/** Of a call that was stopped while it was made ready. */
export function cancelledBefore(): AppError {
  return new AppError('cancelled', 'The call was cancelled before anything was sent.');
}
