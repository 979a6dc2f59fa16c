import { AppError } from '#shared/errors.ts';
import { within } from '../time/within.ts';

/** Ends the parts of a program. One that fails or hangs keeps no other from ending. */
export function createEnding(onFault: (error: unknown) => void) {
  let complete = true;
  return {
    /** Ends a part. `what` begins a sentence about a part that did not end within `withinMs` milliseconds. */
    async part(what: string, withinMs: number, end: () => unknown): Promise<void> {
      try {
        const ended = Promise.resolve(end()).then(() => true);
        if ((await within(withinMs, ended)) !== null) return;
        complete = false;
        onFault(new AppError('internal', `${what} did not end within ${withinMs / 1_000} s, and ends with the program.`));
      } catch (error) {
        onFault(error);
      }
    },
    /** True while every part ended in time. */
    get complete(): boolean {
      return complete;
    },
  };
}
