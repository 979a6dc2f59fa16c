import { AppError } from '#shared/errors.ts';
import { mostResponseBytes } from '#shared/model/limits.ts';

/** The bytes that came for a call, part by part; each empty without it. */
export interface Received {
  readonly body: Uint8Array;
  readonly raw: Uint8Array;
  /** Absent: the history has what was sent. */
  readonly sentRaw?: never;
}

/** Two of the longest. */
const usualMost = 2 * mostResponseBytes;

/**
 * Answers that the history did not take, kept until the session ends: whoever sent the call is asked to copy what they need. Creates the
 * store. `most`: bytes of all of them. The newest is kept whatever its length.
 */
export function createUnrecordedBodies(most = usualMost) {
  const answers = new Map<number, Received | null>();
  let size = 0;
  return {
    keep(id: number, received: Received): void {
      for (const [older, left] of answers) {
        if (size + bytesOf(received) <= most) break;
        size -= left === null ? 0 : bytesOf(left);
        answers.set(older, null);
      }
      answers.set(id, received);
      size += bytesOf(received);
    },
    /** Null where the history was given it. Fails with `not_found` where newer ones took its place. */
    get(id: number): Received | null {
      const received = answers.get(id);
      if (received === null)
        throw new AppError(
          'not_found',
          `The response of call ${id} was not recorded in the history, and Croupier no longer has it in memory.`,
        );
      return received ?? null;
    },
  };
}

function bytesOf({ body, raw }: Received): number {
  return body.length + raw.length;
}
