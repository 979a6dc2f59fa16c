import type { ProductionQuestion } from '#shared/ipc/outputs/production.ts';
import { questionIn } from '#shared/production/question.ts';
import { asAppError } from '#renderer/faults/faults.ts';

/** The reason why nothing was sent: core's question before production, or what happened and what to do. */
export type Refusal = Unconfirmed | { readonly state: 'refused'; readonly message: string };

/** Core's question before it sends to production; a yes goes back as `confirmed`. */
export interface Unconfirmed {
  readonly state: 'unconfirmed';
  readonly question: ProductionQuestion;
}

/** Returns what a failed `calls.send`, or another call that sends, means for the user. */
export function refusalFrom(thrown: unknown): Refusal {
  const error = asAppError(thrown);
  const question = questionIn(error);
  return question === null ? { state: 'refused', message: error.message } : { state: 'unconfirmed', question };
}
