import { AnswerPath, Expectation, VariableName } from '../collections/model.ts';
import { textUpTo, z } from '../model/schema.ts';

const CollectionId = textUpTo(100);

const EnvironmentId = textUpTo(200);

const RequestPath = textUpTo(4_000);

export const answerInputs = {
  /**
   * Looks at the answer of a call that a request of a collection was sent with, as a run does, and keeps what it takes for the next requests of
   * the collection in the call's environment. Texts have their variables in place already, with the values from before the call. Fails with
   * `not_found`, and with `invalid_input` where the call has no answer.
   */
  'answers.check': z.strictObject({
    collectionId: CollectionId,
    path: RequestPath,
    callId: z.int().check(z.positive()),
    expect: z._default(z.array(Expectation).check(z.maxLength(1_000)), []),
    take: z._default(z.record(VariableName, AnswerPath), {}),
    /** Texts of them that lack a variable, as they stand there, and why: what holds one does not pass. */
    unresolved: z._default(
      z.array(
        z.strictObject({
          text: textUpTo(1_000_000),
          message: textUpTo(10_000),
        }),
      ),
      [],
    ),
  }),
  /** What was taken for a collection in an environment, by name. */
  'answers.taken': z.strictObject({
    collectionId: CollectionId,
    environmentId: EnvironmentId,
  }),
  /** Forgets one of them, or all. */
  'answers.forget': z.strictObject({
    collectionId: CollectionId,
    environmentId: EnvironmentId,
    name: z.optional(VariableName),
  }),
};
