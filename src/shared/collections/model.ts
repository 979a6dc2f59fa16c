import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { payloadText } from '../model/draft.ts';
import { operationNames } from '../model/operations.ts';
import { Overrides } from '../model/draft.ts';
import {
  callCheckKinds,
  jsonTypes,
  pathDemands,
  type CallCheckKind,
  type CallExpectation,
  type DemandHolds,
  type PathDemand,
} from './check-kinds.ts';
import { answerPath, mostOfExample, mostOfPattern, mostOfValue, tagName, variableName } from './file-limits.ts';

/**
 * Contents of a collection's files: a directory of YAML files, one request in each. No IDs (a request is its path below the
 * directory), no times, no secrets. Saving keeps everything else that a file holds.
 */

export const VariableName = z.string().check(z.regex(variableName.pattern, variableName.problem));

/** Values are strings. A number or a boolean in a file is read as its source text, with every digit. */
export const Variables = z.record(VariableName, textUpTo(1_000_000));
export type Variables = z.infer<typeof Variables>;

export const AnswerPath = z.string().check(z.maxLength(answerPath.most), z.regex(answerPath.pattern, answerPath.problem));

export const JsonType = z.enum(jsonTypes);
export type JsonType = z.infer<typeof JsonType>;

/** A value as a string: a JSON string's characters, a number's source digits, `true`, `false`, `null`, or compact JSON. */
const ValueText = textUpTo(mostOfValue);

const callValues = (form: (typeof callCheckKinds)[CallCheckKind]['form']): z.ZodMiniType => {
  if ('word' in form) return z.literal(form.word);
  return 'text' in form ? ValueText : z.strictObject(mapped(form.texts, () => ValueText));
};

const demandValues = {
  presence: z.boolean(),
  type: JsonType,
  text: ValueText,
  pattern: textUpTo(mostOfPattern),
  number: ValueText,
} as const satisfies Record<DemandHolds, z.ZodMiniType>;
type DemandValue<D extends PathDemand> = z.infer<(typeof demandValues)[(typeof pathDemands)[D]['holds']]>;

/** A check of the value at a path; without any demand, that it is there. */
export type PathExpectation = { path: string } & { [D in PathDemand]?: DemandValue<D> | undefined };

/**
 * One check of a response. The member that names its kind comes first in the file; each check has exactly one kind. Strings may hold
 * variables.
 */
export const Expectation = z.union([
  ...Object.entries(callCheckKinds).map(([kind, { form }]) => z.strictObject({ [kind]: callValues(form) })),
  z.strictObject({ path: AnswerPath, ...mapped(pathDemands, ({ holds }) => z.optional(demandValues[holds])) }),
]) as unknown as z.ZodMiniType<Expectation, Expectation>;
export type Expectation = CallExpectation | PathExpectation;

function mapped<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** A response kept beside its request for people to read; Croupier compares nothing with it. */
export const RequestExample = z.strictObject({
  name: filledTextUpTo(200),
  /** The HTTP status, as text: `200`. */
  status: z.string().check(z.regex(/^[1-5]\d\d$/, 'Write the HTTP status, such as 200.')),
  /** JSON indented, each digit as received, its tokens masked; any other text unchanged. */
  body: z._default(textUpTo(mostOfExample), ''),
});
export type RequestExample = z.infer<typeof RequestExample>;

export const Tag = z.string().check(z.regex(tagName.pattern, tagName.problem));

/** One request of a collection. The file's name without `.yaml` is its name. */
export const CollectionRequest = z.strictObject({
  operation: z.enum(operationNames),
  /** ID of one of the operation's forms; empty for the first. */
  form: z._default(textUpTo(100), ''),
  /** Names by which a run selects requests. */
  tags: z._default(z.array(Tag).check(z.maxLength(50)), []),
  /** The payload as typed: `data`, the body of a wallet method, or gameList's extra fields. Empty for none. */
  data: z._default(payloadText, ''),
  overrides: z.prefault(Overrides, {}),
  /** Variables that the response sets for later requests, by name. */
  take: z._default(z.record(VariableName, AnswerPath), {}),
  expect: z._default(z.array(Expectation).check(z.maxLength(1_000)), []),
  /** The user's notes. */
  notes: z._default(textUpTo(100_000), ''),
  /** Responses kept as examples. */
  examples: z._default(z.array(RequestExample).check(z.maxLength(100)), []),
});
export type CollectionRequest = z.infer<typeof CollectionRequest>;

/** Settings in `folder.yaml` or `collection.yaml`; both files may be missing. */
export const FolderSettings = z.strictObject({
  variables: z._default(Variables, {}),
  /** File and folder names in the order they are shown and run; others follow by name. */
  order: z._default(z.array(textUpTo(255)).check(z.maxLength(10_000)), []),
  notes: z._default(textUpTo(100_000), ''),
});
export type FolderSettings = z.infer<typeof FolderSettings>;
