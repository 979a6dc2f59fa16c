import type { AppError } from '../errors.ts';
import type { ProductionQuestion } from '../ipc/outputs/production.ts';

/** Returns the question that core asks before production, from its refusal; null for any other error. */
export function questionIn({ details }: AppError): ProductionQuestion | null {
  if (typeof details !== 'object' || details === null || !('reason' in details) || !('question' in details)) return null;
  // Core makes this value itself, as every output, and tests check it against its schema.
  return details.reason === 'production_unconfirmed' ? (details.question as ProductionQuestion) : null;
}
