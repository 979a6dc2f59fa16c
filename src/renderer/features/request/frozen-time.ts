import type { Environment, RequestDraft } from '#shared/ipc/index.ts';
import { operationByName, routeOf, timeOrderOf } from '#shared/provider/index.ts';
import { formatTime } from '#shared/signing/time.ts';

/** Gives a request the moment at which time stands; one with a time of its own, or without any, stays as it is. */
export function withFrozenTime(
  draft: RequestDraft,
  environment: Pick<Environment, 'answers' | 'timeZone'>,
  frozenAt: number | null,
): RequestDraft {
  const operation = operationByName(draft.operation);
  const { answers, timeZone } = environment;
  const isTimed = operation.endpoint === 'service' && routeOf(operation, answers)?.signed !== false;
  if (frozenAt === null || !isTimed || draft.overrides?.time !== undefined) return draft;
  const time = formatTime(frozenAt, timeZone, timeOrderOf(operation, answers));
  return { ...draft, overrides: { ...draft.overrides, time } };
}
