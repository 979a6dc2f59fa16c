import type { SandboxVerdict } from '#shared/ipc/index.ts';
import { AppError } from '#shared/errors.ts';
import { providerCodes } from '#shared/provider/codes.ts';

/** The codes that the spec shows; the built-in provider returns no other. */
export type Code = 0 | 8 | 9 | 404;

/** Returns the message of a code, in the spec's own words. */
export function messageOf(code: Code): string {
  const entry = providerCodes.find((candidate) => candidate.code === code);
  if (!entry) throw new AppError('internal', `The spec lists no code ${code}.`);
  return entry.message;
}

/** HTTP status of a rejection for a reason without a documented code; the code is then the endpoint's nearest one. */
export const undocumentedStatus = 400;

/** Says that a code stands in for one that the spec does not show. */
export function standsInText(code: Code): string {
  return `The spec shows no code for this; the built-in provider uses ${code}.`;
}

/** The outcome of one request: the response as sent, and the verdict in words. */
export interface Judgement {
  readonly status: number;
  readonly body: string;
  readonly action: string | null;
  readonly verdict: Readonly<SandboxVerdict['verdict']>;
}
