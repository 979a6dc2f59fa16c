import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#shared/errors.ts';
import type { Environment, EnvironmentDraft } from '#shared/ipc/index.ts';

/** Returns an environment of the home as its file has it, or null. */
type Find = (id: string) => Environment | null;

/** Refuses a sharing that would not be clear: with itself, with one that is not there, over a third one. Fails with `invalid_input`. */
export function checkSharing(environment: Environment, all: readonly Environment[]): void {
  const { id, kind, sameProviderAs } = environment;
  if (sameProviderAs === undefined) return;
  const other = all.find((one) => one.id === sameProviderAs);
  if (other === undefined)
    throw invalid('The environment whose recorded answers this one uses was removed. Choose another one, or none.');
  if (other.id === id)
    throw invalid('An environment cannot share its recorded answers with itself. Choose another one, or none.');
  if (kind === 'sandbox' || other.kind === 'sandbox')
    throw invalid("The built-in provider can't share recorded answers. Choose another environment, or none.");
  if (other.sameProviderAs !== undefined) {
    const third = all.find((one) => one.id === other.sameProviderAs)?.name ?? other.sameProviderAs;
    throw invalid(`${other.name} shares the recorded answers of ${third}. Choose ${third}.`);
  }
  const follower = all.find((one) => one.sameProviderAs === id);
  if (follower !== undefined)
    throw invalid(
      `${follower.name} shares the recorded answers of this one. Choose another environment for ${follower.name} first.`,
    );
}

/** Refuses to remove one whose answers others share. Fails with `refused`. */
export function checkUnshared(environment: Environment, all: readonly Environment[]): void {
  const followers = all.filter(({ sameProviderAs }) => sameProviderAs === environment.id).map(({ name }) => name);
  if (followers.length === 0) return;
  throw new AppError(
    'refused',
    `${followers.join(', ')} ${followers.length === 1 ? 'shares' : 'share'} the recorded answers of ${environment.name}. Choose another environment for ${followers.length === 1 ? 'it' : 'them'} first, or none.`,
  );
}

/**
 * Returns the environment that gets the recorded answers of one that is about to be saved, with them; null if nothing changes there. One that begins
 * to share brings those that the other lacks. Fails with `conflict` if both have different answers to a point.
 */
export function answersForOther(environment: EnvironmentDraft, stored: Environment | null, find: Find): Environment | null {
  const { sameProviderAs } = environment;
  const other = sameProviderAs === undefined ? null : find(sameProviderAs);
  if (other === null) return null;
  const begins = stored?.sameProviderAs !== sameProviderAs;
  // Those that it shared with a third one so far stay there.
  const answers = begins && stored?.sameProviderAs !== undefined ? {} : (environment.answers ?? {});
  const point = begins ? Object.keys(answers).find((id) => isOther(other.answers[id]?.value, answers[id]?.value)) : undefined;
  if (point !== undefined)
    throw new AppError(
      'conflict',
      `Both have a recorded answer to ${point}, and the two differ. In Open points, make them the same or remove one.`,
      { field: 'sameProviderAs', answer: point },
    );
  const next = { ...(begins ? { ...answers, ...other.answers } : answers) } as Environment['answers'];
  return isDeepStrictEqual(next, other.answers) ? null : { ...other, answers: next };
}

function isOther(one: string | undefined, another: string | undefined): boolean {
  return one !== undefined && another !== undefined && one !== another;
}

function invalid(message: string): AppError {
  return new AppError('invalid_input', message, { field: 'sameProviderAs' });
}
