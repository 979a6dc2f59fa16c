import type { Failure } from '#shared/ipc/index.ts';
import type { EffectKind } from '#shared/model/operations.ts';

/** The sentence about a call that grants or moves something and has no response that tells its outcome: a wallet may be the other side. */
export const mayHaveActed = 'The other side may have acted on this call. Look it up there before you send it again.';

const leftPhases: ReadonlySet<Failure['phase']> = new Set(['send', 'headers', 'body']);

/**
 * Returns a failure with what it means for the provider's books, in its hint: from the first byte that left, a call that grants or
 * moves something may have been acted on until a response says otherwise.
 */
export function withActing(failure: Failure, effect: EffectKind): Failure {
  if (!leftPhases.has(failure.phase)) return failure;
  const acting = effect === 'reads' ? 'This operation only reads, so you can send it again.' : mayHaveActed;
  return { ...failure, hint: `${failure.hint} ${acting}`.trim() };
}
