import { VariableName } from '../../collections/model.ts';
import { CheckResult } from '../../collections/reported-request.ts';
import { textUpTo, z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';

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

export const answerOutputs = {
  'answers.check': CheckedAnswer,
  'answers.taken': z.strictObject({ values: z.array(TakenValue) }),
  'answers.forget': Nothing,
};

export const answerEvents = {
  /** Other values are taken for this collection in this environment than before. */
  'answers.changed': z.strictObject({
    collectionId: CollectionId,
    environmentId: EnvironmentId,
  }),
};
