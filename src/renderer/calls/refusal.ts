import { AppError } from '#shared/errors.ts';

/** Why nothing was sent: a production environment asks first, or what happened and what to do. */
export type Refusal = { readonly state: 'unconfirmed' } | { readonly state: 'refused'; readonly message: string };

/** What a failed `calls.send`, or a call that sends in the same way, means for the user. */
export function refusalFrom(error: unknown): Refusal {
  if (!(error instanceof AppError)) return { state: 'refused', message: 'The workbench did not answer. Try again.' };
  const { details } = error;
  const asks =
    typeof details === 'object' && details !== null && 'reason' in details && details.reason === 'production_unconfirmed';
  return asks ? { state: 'unconfirmed' } : { state: 'refused', message: error.message };
}
