import { AppError } from '#shared/errors.ts';

/**
 * Has the first calls written, half as many as long as their support pack is too large to be opened. Returns the number that was written; fails as
 * `write` does, and if the pack of one call is too large.
 */
export async function writeCallsThatFit(calls: number, write: (calls: number) => Promise<unknown>): Promise<number> {
  try {
    await write(calls);
    return calls;
  } catch (error) {
    const { tooLarge } = (error instanceof AppError ? (error.details ?? {}) : {}) as { tooLarge?: unknown };
    if (tooLarge !== true || calls === 1) throw error;
    return writeCallsThatFit(Math.floor(calls / 2), write);
  }
}
