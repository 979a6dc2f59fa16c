import { AppError } from '#shared/errors.ts';
import { mostResponseBytes } from '#shared/model/limits.ts';

/**
 * Bodies of responses that the history did not take, kept until the session ends: whoever sent the call is asked to copy what they
 * need.
 */
export interface UnrecordedBodies {
  keep(id: number, body: Uint8Array): void;
  /** Null where the history was given it. Fails with `not_found` where newer ones took its place. */
  get(id: number): Uint8Array | null;
}

/** Two of the longest. */
const usualMost = 2 * mostResponseBytes;

/** Creates the store. `most`: bytes of all of them. The newest is kept whatever its length. */
export function createUnrecordedBodies(most = usualMost): UnrecordedBodies {
  const bodies = new Map<number, Uint8Array | null>();
  let size = 0;
  return {
    keep(id, body) {
      for (const [older, left] of bodies) {
        if (size + body.length <= most) break;
        size -= left?.length ?? 0;
        bodies.set(older, null);
      }
      bodies.set(id, body);
      size += body.length;
    },
    get(id) {
      const body = bodies.get(id);
      if (body === null)
        throw new AppError(
          'not_found',
          `The response of call ${id} is not in the history, and newer ones took its place in memory.`,
        );
      return body ?? null;
    },
  };
}
