import { VariableName } from '../../collections/model.ts';
import { CheckResult } from '../../collections/reported-request.ts';
import { textUpTo, z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';

const CollectionId = textUpTo(100);

const EnvironmentId = textUpTo(200);

const RequestPath = textUpTo(4_000);

/** A value that a response, or a save, gave to later requests. Kept in memory only, until the session ends, because it may be a token. */
export const TakenValue = z.strictObject({
  name: VariableName,
  value: z.string(),
  /** The request that took it, with `.yaml`, and the call whose response held it; null for a value that a save took out of the request. */
  path: RequestPath,
  callId: z.nullable(z.int()),
});
export type TakenValue = z.infer<typeof TakenValue>;

export const CheckedAnswer = z.strictObject({
  /** In the order of the file, followed by values that the response lacks. Tokens are masked. */
  checks: z.array(CheckResult),
  /** The names of the taken values. */
  taken: z.array(VariableName),
});
export type CheckedAnswer = z.infer<typeof CheckedAnswer>;

export const answerOutputs = {
  'answers.check': CheckedAnswer,
  'answers.taken': z.strictObject({ values: z.array(TakenValue) }),
  'answers.forget': Nothing,
};

export const answerEvents = {
  /** The taken values of this collection in this environment changed. */
  'answers.changed': z.strictObject({
    collectionId: CollectionId,
    environmentId: EnvironmentId,
  }),
};
