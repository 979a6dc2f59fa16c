import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { payloadText } from '../model/draft.ts';
import { operationNames } from '../model/operations.ts';
import { Overrides } from '../model/draft.ts';
import { answerPath, jsonTypes, mostOfExample, mostOfPattern, mostOfValue, variableName } from './rules.ts';

/**
 * What stands in the files of a collection: a directory of YAML files, one request in each. No ids (a request is its path below the
 * directory), no times, no secrets. Whatever else a file holds is kept when it is saved.
 */

export const VariableName = z.string().check(z.regex(variableName.pattern, variableName.problem));

/** Texts, as they are put in; a number or a boolean of a file is read as the text that stands there, with every digit. */
export const Variables = z.record(VariableName, textUpTo(1_000_000));
export type Variables = z.infer<typeof Variables>;

export const AnswerPath = z.string().check(z.maxLength(answerPath.most), z.refine(answerPath.begins, answerPath.problem));

export const JsonType = z.enum(jsonTypes);
export type JsonType = z.infer<typeof JsonType>;

/** A value as text: a JSON string's characters, a number's digits as they are written, `true`, `false`, `null`, or compact JSON. */
const ValueText = textUpTo(mostOfValue);

/**
 * One check of an answer. The member that names its kind comes first in the file; exactly one of them is there. Texts may hold
 * variables.
 */
export const Expectation = z.union([
  /** The provider's code, as text: `0`. */
  z.strictObject({ code: ValueText }),
  /** The HTTP status, as text: `200`. */
  z.strictObject({ status: ValueText }),
  /** The whole call took at most so many milliseconds. */
  z.strictObject({ withinMs: ValueText }),
  /** The answer has the shape that the spec documents: no finding above a note. */
  z.strictObject({ shape: z.literal('documented') }),
  /** `/balance` is exactly `before` plus `change` (which may be negative), in decimal digits. */
  z.strictObject({ balance: z.strictObject({ before: ValueText, change: ValueText }) }),
  /** About the value at a path; a JSONPath that finds several values holds for each of them. */
  z.strictObject({
    path: AnswerPath,
    present: z.optional(z.boolean()),
    type: z.optional(JsonType),
    /** The value as text; numbers are equal where their values are, whatever their digits look like. */
    equals: z.optional(ValueText),
    not: z.optional(ValueText),
    contains: z.optional(ValueText),
    /** A JavaScript regular expression with the flag `u`. */
    matches: z.optional(textUpTo(mostOfPattern)),
    /** Comparisons of numbers of any length. */
    above: z.optional(ValueText),
    atLeast: z.optional(ValueText),
    below: z.optional(ValueText),
    atMost: z.optional(ValueText),
    /** How many members an array or object has, or how many values a JSONPath finds, as text. */
    count: z.optional(ValueText),
  }),
]);
export type Expectation = z.infer<typeof Expectation>;

/** An answer that was kept beside its request, for people to read; nothing is compared with it. */
export const RequestExample = z.strictObject({
  name: filledTextUpTo(200),
  /** The HTTP status, as text: `200`. */
  status: z.string().check(z.regex(/^[1-5]\d\d$/, 'Write the HTTP status, as 200.')),
  /** JSON laid out, each digit as it came, its tokens masked; another text as it was. */
  body: z._default(textUpTo(mostOfExample), ''),
});
export type RequestExample = z.infer<typeof RequestExample>;

/** One request of a collection. The file's name without `.yaml` is its name. */
export const CollectionRequest = z.strictObject({
  operation: z.enum(operationNames),
  /** Which of the operation's forms; empty for the first. */
  form: z._default(textUpTo(100), ''),
  /** What the person typed: the text of `data`, of a wallet body, or of gameList's extra fields. Empty for none. */
  data: z._default(payloadText, ''),
  overrides: z.prefault(Overrides, {}),
  /** Variables that an answer sets for what comes after it, by their names. */
  take: z._default(z.record(VariableName, AnswerPath), {}),
  expect: z._default(z.array(Expectation).check(z.maxLength(1_000)), []),
  /** The person's own words. */
  notes: z._default(textUpTo(100_000), ''),
  /** Answers as they once were. */
  examples: z._default(z.array(RequestExample).check(z.maxLength(100)), []),
});
export type CollectionRequest = z.infer<typeof CollectionRequest>;

/** `folder.yaml` of a folder and `collection.yaml` of the whole; both may be missing. */
export const FolderSettings = z.strictObject({
  variables: z._default(Variables, {}),
  /** File and folder names in the order they are shown and run; what is not named follows by name. */
  order: z._default(z.array(textUpTo(255)).check(z.maxLength(10_000)), []),
  notes: z._default(textUpTo(100_000), ''),
});
export type FolderSettings = z.infer<typeof FolderSettings>;
