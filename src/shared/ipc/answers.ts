import { AnswerPath, Expectation, VariableName } from '../collections/model.ts';
import { CheckResult } from '../collections/run-report.ts';
import { call, event, Nothing, z } from './contract.ts';

const CollectionId = z.string().max(100);
const EnvironmentId = z.string().max(200);
const RequestPath = z.string().max(4_000);

/** A value that an answer gave to the requests after it. Kept until the program ends, in memory alone: it may be a token. */
export const TakenValue = z.strictObject({
  name: VariableName,
  value: z.string(),
  /** The request that takes it, with its `.yaml`, and the call whose answer it stood in. */
  path: RequestPath,
  callId: z.number().int(),
});
export type TakenValue = z.infer<typeof TakenValue>;

export const CheckedAnswer = z.strictObject({
  /** In the order of the file; below them the values that were to be taken and are not there. Tokens are masked. */
  checks: z.array(CheckResult),
  /** The names of what was taken. */
  taken: z.array(VariableName),
});
export type CheckedAnswer = z.infer<typeof CheckedAnswer>;

export const answerCalls = {
  /**
   * Looks at the answer of a call that a request of a collection was sent with, as a run does, and keeps what it takes for the next requests of
   * the collection in the call's environment. Texts have their variables in place already, with the values from before the call. Fails with
   * `not_found`, and with `invalid_input` where the call has no answer.
   */
  'answers.check': call(
    z.strictObject({
      collectionId: CollectionId,
      path: RequestPath,
      callId: z.number().int().positive(),
      expect: z.array(Expectation).max(1_000).default([]),
      take: z.record(VariableName, AnswerPath).default({}),
      /** Texts of them that lack a variable, as they stand there, and why: what holds one does not pass. */
      unresolved: z.array(z.strictObject({ text: z.string().max(1_000_000), message: z.string().max(10_000) })).default([]),
    }),
    CheckedAnswer,
  ),
  /** What was taken for a collection in an environment, by name. */
  'answers.taken': call(
    z.strictObject({ collectionId: CollectionId, environmentId: EnvironmentId }),
    z.strictObject({ values: z.array(TakenValue) }),
  ),
  /** Forgets one of them, or all. */
  'answers.forget': call(
    z.strictObject({ collectionId: CollectionId, environmentId: EnvironmentId, name: VariableName.optional() }),
    Nothing,
  ),
};

export const answerEvents = {
  /** Other values are taken for this collection in this environment than before. */
  'answers.changed': event(z.strictObject({ collectionId: CollectionId, environmentId: EnvironmentId })),
};
