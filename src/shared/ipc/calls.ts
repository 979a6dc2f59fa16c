import { operationNames } from '../provider/model.ts';
import { filledTextUpTo, payloadText, textUpTo, wholeNumber, z } from '../model/schema.ts';
import { Confirmed } from './production.ts';

export const OperationName = z.enum(operationNames);

/** Deliberate faults for negative tests. Absent members mean: as it should be. */
export const Overrides = z.strictObject({
  /** `wrong` flips one hexadecimal digit of the right hash; any other text is sent as it is. */
  hash: z.optional(textUpTo(1_000)),
  /** Text sent as `time` and hashed; absent means now in the environment's zone. */
  time: z.optional(textUpTo(1_000)),
  /** JSON text sent in place of the environment's number. */
  platform: z.optional(textUpTo(1_000)),
  partnerId: z.optional(textUpTo(1_000)),
  /** Envelope fields that are left out of the body. */
  omit: z.optional(z.array(z.enum(['action', 'platform', 'partnerId', 'time', 'data', 'hash']))),
});
export type Overrides = z.infer<typeof Overrides>;

/** One request as a person edits it. `text` is what they typed and is never parsed and printed again on the way to the wire. */
export const RequestDraft = z.strictObject({
  environmentId: z.string(),
  operation: OperationName,
  /** Which of the operation's forms the text was started from. */
  form: z.string(),
  /** JSON text: of `data`, of a wallet method's body, or (gameList) of the extra envelope fields. Empty for no payload. */
  text: payloadText,
  overrides: z.prefault(Overrides, {}),
});
export type RequestDraft = z.infer<typeof RequestDraft>;

export const CallState = z.enum(['pending', 'answered', 'failed', 'cancelled', 'interrupted']);
export type CallState = z.infer<typeof CallState>;

export const FailureKind = z.enum([
  'address', // the address was refused before anything was sent
  'dns',
  'connect',
  'tls',
  'timeout',
  'too_large',
  'protocol', // the answer is not HTTP, or broke off
  'cancelled',
  'interrupted', // the program ended before the answer
  'unreadable', // the row itself is damaged: what could be read of it is shown
]);
export type FailureKind = z.infer<typeof FailureKind>;

/** Why there is no answer: a sentence that says what happened and one that says what to do. */
export const Failure = z.strictObject({
  kind: FailureKind,
  phase: z.enum(['address', 'dns', 'connect', 'tls', 'send', 'headers', 'body']),
  message: z.string(),
  hint: z.string(),
});
export type Failure = z.infer<typeof Failure>;

/** Milliseconds per phase; null where a phase did not happen (a warm connection has no DNS, connect and TLS). */
export const Timings = z.strictObject({
  dns: z.nullable(z.number()),
  connect: z.nullable(z.number()),
  tls: z.nullable(z.number()),
  firstByte: z.nullable(z.number()),
  download: z.nullable(z.number()),
  total: z.number(),
  reused: z.boolean(),
});
export type Timings = z.infer<typeof Timings>;

/** One remark about a request or an answer. Warnings never block sending. */
export const Finding = z.strictObject({
  /** Stable name of the rule, for tests and for programs. */
  rule: z.string(),
  severity: z.enum(['error', 'warning', 'note']),
  /** JSON Pointer into the text it is about; empty for the whole. */
  path: z.string(),
  message: z.string(),
  /** UTF-16 offsets into the text, where they are known. */
  start: z.optional(z.int()),
  end: z.optional(z.int()),
});
export type Finding = z.infer<typeof Finding>;

/**
 * `anywhere`: the text as it stands, in either case, also inside of words and as JSON escapes. `words`: each word of the text is there,
 * as a whole word or (from three characters) as the beginning of one; a word in double quotes must be there as a whole.
 */
export const TextMatch = z.enum(['anywhere', 'words']);
export type TextMatch = z.infer<typeof TextMatch>;

/** `accepted`: code 0. `refused`: another code. `uncoded`: an answer without a code. `unanswered`: failed, cancelled or interrupted. */
export const CallOutcome = z.enum(['accepted', 'refused', 'uncoded', 'unanswered', 'pending']);
export type CallOutcome = z.infer<typeof CallOutcome>;

/** Which calls of the history: each member that is there narrows it, and a list takes any of its values. */
export const CallFilter = z.strictObject({
  operations: z.optional(z.array(OperationName).check(z.maxLength(50))),
  environmentIds: z.optional(z.array(textUpTo(200)).check(z.maxLength(100))),
  /** Codes of the provider. */
  codes: z.optional(z.array(z.int()).check(z.maxLength(100))),
  outcomes: z.optional(z.array(CallOutcome).check(z.maxLength(10))),
  states: z.optional(z.array(CallState).check(z.maxLength(10))),
  /** Sent at or after, in milliseconds since the epoch. */
  since: z.optional(z.int()),
  /** Sent before. */
  until: z.optional(z.int()),
  pinned: z.optional(z.boolean()),
  runs: z.optional(z.array(textUpTo(100)).check(z.maxLength(100))),
  /** The id of a run of a collection. */
  collectionRun: z.optional(textUpTo(100)),
});
export type CallFilter = z.infer<typeof CallFilter>;

/** What core asks before a request leaves that holds a private key: `details.question` of a refusal with the reason `key_unconfirmed`. */
export const KeyQuestion = z.strictObject({
  /** Where the request goes, by name and by URL. */
  environment: z.string(),
  url: z.string(),
  operation: OperationName,
  /** Names of the environments whose keys it holds. */
  keys: z.array(z.string()),
  /** In which parts of the request. */
  where: z.array(z.string()),
});
export type KeyQuestion = z.infer<typeof KeyQuestion>;

export const callInputs = {
  /** Records, sends and waits. Gives the recorded call back whatever became of it; refuses only what could not be prepared. */
  'calls.send': z.strictObject({
    draft: RequestDraft,
    /** Chosen by the caller, so that `calls.cancel` can name a call that has not answered yet. */
    ticket: filledTextUpTo(100),
    /**
     * An environment marked as production asks once per session before it reads, and before each call that grants or moves money: such a
     * call is refused with `refused` and a `ProductionQuestion` until it is confirmed.
     */
    confirmed: Confirmed,
    /** The user's yes to a `KeyQuestion`: a request that holds a private key is refused with `refused` and that question. */
    keyConfirmed: z._default(z.boolean(), false),
  }),
  /**
   * Sends the recorded bytes of a call once more, to the recorded address and with the recorded headers: old time, old hash, no key.
   * What comes of it is a call of its own. Refused with `refused` where nothing whole was recorded, no outcome is known yet, or the
   * environment is gone or sends that operation to another address now.
   */
  'calls.repeat': z.strictObject({
    id: z.int().check(z.gte(1)),
    /** As in `calls.send`. */
    ticket: filledTextUpTo(100),
    /** As in `calls.send`. */
    confirmed: Confirmed,
  }),
  'calls.cancel': z.strictObject({ ticket: filledTextUpTo(100) }),
  /** Newest first, below `before`: the id of the last row already shown, or where the look before this one ended. */
  'calls.list': z.strictObject({
    before: z.optional(z.int()),
    limit: z._default(wholeNumber(1, 500), 50),
    /** What the request or the answer holds; empty for every call. */
    text: z.optional(textUpTo(1_000)),
    match: z._default(TextMatch, 'anywhere'),
    filter: z.prefault(CallFilter, {}),
  }),
  'calls.get': z.strictObject({ id: z.int() }),
};
