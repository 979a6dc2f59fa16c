import type { ProductionQuestion } from '#shared/ipc/outputs/production.ts';
import { questionIn } from '#shared/production/question.ts';
import { asAppError } from '#renderer/faults/faults.ts';

/** Why nothing was sent: core asks before production, or what happened and what to do. */
export type Refusal = Unconfirmed | { readonly state: 'refused'; readonly message: string };

/** Core asks before it sends to production; a yes goes back as `confirmed`. */
export interface Unconfirmed {
  readonly state: 'unconfirmed';
  readonly question: ProductionQuestion;
}

/** What a failed `calls.send`, or a call that sends in the same way, means for the user. */
export function refusalFrom(thrown: unknown): Refusal {
  const error = asAppError(thrown);
  const question = questionIn(error);
  return question === null ? { state: 'refused', message: error.message } : { state: 'unconfirmed', question };
}
