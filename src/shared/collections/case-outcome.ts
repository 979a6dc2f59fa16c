import { z } from '../model/schema.ts';

/**
 * `holds`: everything that was expected held. `fails`: it did not, and the run fails. `warns`: it did not, and it is customary, not required. `observed`: an open
 * point, of which the response is told. `waiting`: an open point must have an answer first. `skipped`: it needs what this run does not have.
 */
const CaseVerdict = z.enum(['holds', 'fails', 'warns', 'observed', 'waiting', 'skipped']);

/** One step of a wallet case: what was sent, what had to hold, and what came. Tokens are masked. */
export const CaseStepOutcome = z.strictObject({
  sent: z.string(),
  /** Its calls in the history. */
  calls: z.array(z.int()),
  expected: z.string(),
  came: z.string(),
  passed: z.boolean(),
});
export type CaseStepOutcome = z.infer<typeof CaseStepOutcome>;

/** The outcome of one wallet case, for which a report has a request. */
export const CaseOutcome = z.strictObject({
  id: z.string(),
  grade: z.enum(['required', 'customary', 'open']),
  section: z.string(),
  verdict: CaseVerdict,
  /** Says what was seen; empty where everything held. */
  saw: z.string(),
  /** Words about a case that does not hold: the reason why a provider sends this, the damage in production, and the usual cause, which may be empty. */
  about: z.optional(z.strictObject({ why: z.string(), harm: z.string(), cause: z.string() })),
  /** Of a waiting case: the open point that must have an answer first. */
  waitsFor: z.optional(z.string()),
  steps: z.array(CaseStepOutcome),
  /** The answer to an open point that was seen: one value, or null if several agree with it. */
  answer: z.nullable(z.strictObject({ point: z.string(), value: z.nullable(z.string()), words: z.string() })),
  /** Each player whose balance moved: before, after the case, and after the money was put back. */
  moved: z.array(z.strictObject({ playerId: z.string(), before: z.string(), after: z.string(), left: z.string() })),
  /** Milliseconds of each call, by its method. */
  timings: z.record(z.string(), z.array(z.number())),
});
export type CaseOutcome = z.infer<typeof CaseOutcome>;
