import { AppError } from '#shared/errors.ts';

/** What the send button is doing for one tab. */
export type Sending =
  | { readonly state: 'idle' }
  | { readonly state: 'sending'; readonly ticket: string; readonly startedAt: number }
  /** The environment is production and asks once in a run before anything leaves. */
  | { readonly state: 'unconfirmed'; readonly environmentId: string }
  /** Refused before sending: what happened and what to do. */
  | { readonly state: 'refused'; readonly message: string; readonly code: AppError['code']; readonly details: unknown };

export const IDLE: Sending = { state: 'idle' };

/** Why a request with a variable that has no value is not sent. */
export function unresolved(
  error: { readonly field: string; readonly line: number; readonly column: number; readonly message: string } | undefined,
): AppError {
  if (error === undefined)
    return new AppError('invalid_input', 'The variables of the collection are being read. Try again in a moment.');
  const { field, line, column, message } = error;
  return new AppError('invalid_input', `${field.slice(1)}, line ${line}, column ${column}: ${message}`);
}

/** What a tab says after a call that was not made. */
export function refusal(error: unknown, environmentId: string): Sending {
  if (!(error instanceof AppError)) {
    return { state: 'refused', code: 'internal', message: 'The workbench did not answer. Send again.', details: null };
  }
  if (reasonOf(error.details) === 'production_unconfirmed') return { state: 'unconfirmed', environmentId };
  return { state: 'refused', code: error.code, message: error.message, details: error.details };
}

function reasonOf(details: unknown): string | null {
  if (typeof details !== 'object' || details === null || !('reason' in details)) return null;
  return typeof details.reason === 'string' ? details.reason : null;
}
