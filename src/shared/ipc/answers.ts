import { AnswerPath, Expectation, VariableName } from '../collections/model.ts';
import { textUpTo, z } from '../model/schema.ts';

const CollectionId = textUpTo(100);

const EnvironmentId = textUpTo(200);

const RequestPath = textUpTo(4_000);

export const answerInputs = {
  /**
   * Checks the response of a call that a collection's request made, as a run does, and keeps the values it takes for the next requests of
   * the collection in the call's environment. Strings have their variables substituted already, with the values from before the call. Fails with
   * `not_found`, and with `invalid_input` if the call has no response.
   */
  'answers.check': z.strictObject({
    collectionId: CollectionId,
    path: RequestPath,
    callId: z.int().check(z.positive()),
    expect: z._default(z.array(Expectation).check(z.maxLength(1_000)), []),
    take: z._default(z.record(VariableName, AnswerPath), {}),
    /** Strings with an unresolved variable, and why. Checks that use one fail. */
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
  /** The values taken for a collection in an environment, by name. */
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
