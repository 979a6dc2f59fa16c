import type { AppError } from '../errors.ts';
import { ProductionQuestion } from '../ipc/production.ts';

/** The question that core asks before production, from its refusal; null for any other error. */
export function questionIn({ details }: AppError): ProductionQuestion | null {
  if (typeof details !== 'object' || details === null || !('reason' in details) || !('question' in details)) return null;
  if (details.reason !== 'production_unconfirmed') return null;
  return ProductionQuestion.safeParse(details.question).data ?? null;
}
