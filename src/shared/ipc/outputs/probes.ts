import { z } from '../../model/schema.ts';

/** Operations that a probe calls. All of them only read. */
export const ProbeOperation = z.enum(['gameList', 'getGameRound', 'roundReplayInfo']);
export type ProbeOperation = z.infer<typeof ProbeOperation>;

/** The questions of the plan, in the order in which they are asked. */
export const ProbeId = z.enum([
  'wrongHash',
  'right',
  'otherOrder',
  'serverClock',
  'otherZone',
  'otherKey',
  'bothWrong',
  'timeWord',
  'data',
  'dataOtherOrder',
  'noData',
  'escaped',
  'received',
  'bare',
  'slashes',
  'bareSlashes',
  'arrays',
  'objects',
  'shortNumber',
  'longNumber',
  'replay',
  'replayOtherOrder',
  'moved',
  'control',
  'again',
]);
export type ProbeId = z.infer<typeof ProbeId>;

/** A question of the plan before it is asked. */
export const PlannedProbe = z.strictObject({
  id: ProbeId,
  operation: ProbeOperation,
  question: z.string(),
  sends: z.string(),
  /** The consequence of each answer. */
  yes: z.string(),
  no: z.string(),
  /** Rough probability of a yes, from 0 to 1: a judgement, not a measurement. */
  prior: z.number(),
  /** `moved`: only if moved times were allowed. */
  when: z.enum(['always', 'ifNeeded', 'moved']),
  /** Most calls, with the negative control of a new body. */
  calls: z.int(),
});
export type PlannedProbe = z.infer<typeof PlannedProbe>;

export const ProbePlan = z.strictObject({
  environmentId: z.string(),
  environmentName: z.string(),
  url: z.string(),
  production: z.boolean(),
  probes: z.array(PlannedProbe),
  /** Most calls without moved times, and with them. */
  calls: z.int(),
  callsMoved: z.int(),
});
export type ProbePlan = z.infer<typeof ProbePlan>;

/** A question that was asked, with its call as evidence. */
export const ProbeStep = z.strictObject({
  id: ProbeId,
  callId: z.int(),
  operation: ProbeOperation,
  question: z.string(),
  /** The hash input after the key. It may differ from the sent `data`, which the call has; null for none. */
  hashed: z.strictObject({ time: z.string(), data: z.nullable(z.string()) }),
  /** True for a hash of zeros. */
  wrongHash: z.boolean(),
  /** Null if the response has none; the plan then stops. */
  code: z.nullable(z.int()),
  answer: z.enum(['yes', 'no', 'unclear']),
  follows: z.string(),
});
export type ProbeStep = z.infer<typeof ProbeStep>;

/** A conclusion. `fault`: requests of the environment are rejected because of it; `open`: nothing could be concluded. */
export const ProbeFinding = z.strictObject({
  kind: z.enum(['fault', 'fact', 'open']),
  text: z.string(),
  /** The next step; null for none. */
  fix: z.nullable(z.string()),
  /** IDs of the calls that show it. */
  calls: z.array(z.int()),
});
export type ProbeFinding = z.infer<typeof ProbeFinding>;

/** An answer to an open point that the calls show, for `answers` of the environment. */
export const ProbedAnswer = z.strictObject({
  point: z.string(),
  value: z.string(),
  /** The value in words. */
  label: z.string(),
  /** Dated, with the calls as evidence. */
  note: z.string(),
  /** The value that is recorded now; null for none. */
  before: z.nullable(z.string()),
});
export type ProbedAnswer = z.infer<typeof ProbedAnswer>;

export const ProbeReport = z.strictObject({
  environmentId: z.string(),
  state: z.enum(['done', 'stopped', 'cancelled']),
  /** Says why the plan stopped early; null if it did not. */
  message: z.nullable(z.string()),
  steps: z.array(ProbeStep),
  findings: z.array(ProbeFinding),
  answers: z.array(ProbedAnswer),
});
export type ProbeReport = z.infer<typeof ProbeReport>;

export const probeOutputs = {
  'probes.plan': ProbePlan,
  'probes.start': ProbeReport,
  'probes.cancel': z.strictObject({ cancelled: z.boolean() }),
};

export const probeEvents = {
  /** A call of a plan got its response. `calls`: most calls of the plan. */
  'probes.progressed': z.strictObject({ ticket: z.string(), calls: z.int(), step: ProbeStep }),
};
