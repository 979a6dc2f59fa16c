import { AppError, placeOf } from '#shared/errors.ts';
import { questionIn } from '#shared/production/question.ts';
import { keyQuestionIn } from '#shared/secrets/key-question.ts';
import type { KeyQuestion } from '#shared/secrets/key-question.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import type { Unconfirmed } from '#renderer/calls/refusal.ts';

/** State of the send button for one tab. */
export type Sending =
  | { readonly state: 'idle' }
  | {
      readonly state: 'sending';
      readonly ticket: string;
      readonly startedAt: number;
      /** True once core has recorded the call and sends it: before, it prepares, and may ask or refuse. */
      readonly left: boolean;
      /** The user cancelled; whether the call has left is known once core replies. */
      readonly cancelled: boolean;
    }
  | Unconfirmed
  /** The request holds a private key: core asks before it leaves. */
  | { readonly state: 'keyAsked'; readonly question: KeyQuestion }
  /** Refused before sending: what happened and what to do. */
  | { readonly state: 'refused'; readonly message: string; readonly code: AppError['code']; readonly details: unknown };

export const IDLE: Sending = { state: 'idle' };

/** Returns why a request with a variable that has no value is not sent. */
export function unresolved(
  error: { readonly field: string; readonly line: number; readonly column: number; readonly message: string } | undefined,
): AppError {
  if (error === undefined)
    return new AppError('invalid_input', "Croupier is still reading the collection's variables. Try again in a moment.");
  const { field, line, column, message } = error;
  return new AppError('invalid_input', `Not sent: ${field.slice(1)}, line ${line}, column ${column}: ${message}`);
}

/** Returns the state of a tab after a call that was not made. */
export function refusal(thrown: unknown): Sending {
  const error = asAppError(thrown);
  const question = questionIn(error);
  if (question !== null) return { state: 'unconfirmed', question };
  const key = keyQuestionIn(error);
  if (key !== null) return { state: 'keyAsked', question: key };
  const { code, message, details } = error;
  const at = placeOf(details);
  const said = at === null ? message : `Not sent. ${message} (line ${at.line}, column ${at.column}).`;
  return { state: 'refused', code, message: said, details };
}
