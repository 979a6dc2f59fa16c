import { AnswerPath, Expectation, VariableName } from '../collections/model.ts';
import { CheckResult } from '../collections/run-report.ts';
import { call, event, Nothing, textUpTo, z } from './contract.ts';

const CollectionId = textUpTo(100);
const EnvironmentId = textUpTo(200);
const RequestPath = textUpTo(4_000);

/** A value that an answer gave to the requests after it. Kept until the program ends, in memory alone: it may be a token. */
export const TakenValue = z.strictObject({
  name: VariableName,
  value: z.string(),
  /** The request that takes it, with its `.yaml`, and the call whose answer it stood in. */
  path: RequestPath,
  callId: z.int(),
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
      callId: z.int().check(z.positive()),
      expect: z._default(z.array(Expectation).check(z.maxLength(1_000)), []),
      take: z._default(z.record(VariableName, AnswerPath), {}),
      /** Texts of them that lack a variable, as they stand there, and why: what holds one does not pass. */
      unresolved: z._default(z.array(z.strictObject({ text: textUpTo(1_000_000), message: textUpTo(10_000) })), []),
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
    z.strictObject({ collectionId: CollectionId, environmentId: EnvironmentId, name: z.optional(VariableName) }),
    Nothing,
  ),
};

export const answerEvents = {
  /** Other values are taken for this collection in this environment than before. */
  'answers.changed': event(z.strictObject({ collectionId: CollectionId, environmentId: EnvironmentId })),
};
