import { AppError } from '#shared/errors.ts';
import { within } from '../time/within.ts';

/** Ends the parts of a program. One that fails or hangs keeps no other from ending. */
export interface Ending {
  /** Ends a part. `what` begins a sentence about a part that did not end within `withinMs` milliseconds. */
  part(what: string, withinMs: number, end: () => unknown): Promise<void>;
  /** True while every part ended in time. */
  readonly complete: boolean;
}

export function createEnding(onFault: (error: unknown) => void): Ending {
  let complete = true;
  return {
    async part(what, withinMs, end) {
      try {
        const ended = Promise.resolve(end()).then(() => true);
        if ((await within(withinMs, ended)) !== null) return;
        complete = false;
        onFault(new AppError('internal', `${what} did not end within ${withinMs / 1_000} s, and ends with the program.`));
      } catch (error) {
        onFault(error);
      }
    },
    get complete() {
      return complete;
    },
  };
}
