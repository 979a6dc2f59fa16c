/** A request to stop one call. It may come at any time, also before anyone listens. */
export interface Cancellation {
  readonly requested: boolean;
  /** `listener` is told once; at once if the request came before. Replaces the listener before it. */
  listen(listener: (() => void) | null): void;
  request(): void;
}

/** One call's stop button. */
export function createCancellation(): Cancellation {
  let requested = false;
  let listener: (() => void) | null = null;
  return {
    get requested() {
      return requested;
    },
    listen(next) {
      listener = next;
      if (requested && next !== null) next();
    },
    request() {
      if (requested) return;
      requested = true;
      listener?.();
    },
  };
}
