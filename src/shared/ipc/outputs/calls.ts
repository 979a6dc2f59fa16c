import { CallState, Failure, Timings } from '../calls.ts';
import { Finding } from '../../model/finding.ts';
import { OperationName, RequestDraft } from '../../model/draft.ts';
import { z } from '../../model/schema.ts';

const Header = z.tuple([z.string(), z.string()]);

/** The run of a collection that a call was made in, and its request's path below the collection without `.yaml`. */
export const CollectionRunOfCall = z.strictObject({
  id: z.string(),
  path: z.string(),
});
export type CollectionRunOfCall = z.infer<typeof CollectionRunOfCall>;

/** A row of the history. */
export const CallSummary = z.strictObject({
  id: z.int(),
  environmentId: z.string(),
  environmentName: z.string(),
  operation: OperationName,
  url: z.string(),
  /** Milliseconds since the epoch by our clock. */
  sentAt: z.int(),
  state: CallState,
  status: z.nullable(z.int()),
  /** The provider's code; null where the answer has none. */
  code: z.nullable(z.int()),
  message: z.nullable(z.string()),
  failure: z.nullable(Failure),
  durationMs: z.nullable(z.number()),
  requestBytes: z.int(),
  responseBytes: z.nullable(z.int()),
  /** Names the run of the program that sent it: a session of the history. */
  run: z.string(),
  /** The day it was sent, as YYYY-MM-DD in the zone of the machine that core runs on. */
  day: z.string(),
  pinned: z.boolean(),
  /** The user's own words about it; empty for none. */
  note: z.string(),
  /** The call whose recorded bytes this one sent again, with their old time and hash; null for a request that was made anew. */
  repeats: z.nullable(z.int()),
  /** Null for a call of its own. */
  collectionRun: z.nullable(CollectionRunOfCall),
  /** The environments whose private keys left with the request and are masked in what is kept of it. Absent for nearly every call. */
  maskedKeys: z.optional(z.array(z.string())),
});
export type CallSummary = z.infer<typeof CallSummary>;

/** One call exactly as sent and received. The answer's body is fetched by id over the host's own route. */
export const Call = z.extend(CallSummary, {
  draft: RequestDraft,
  request: z.strictObject({
    headers: z.array(Header),
    bodyText: z.string(),
    /** Null for wallet methods and a recorded path that takes plain JSON: they are not signed. `dataJson` is the very slice `[offset, offset + length)` of the body's bytes. */
    hashInput: z.nullable(
      z.strictObject({
        time: z.string(),
        dataJson: z.nullable(z.string()),
        dataOffset: z.int(),
        dataLength: z.int(),
      }),
    ),
    hash: z.nullable(z.string()),
    /** As in KeyStatus; null where no key took part. Rows of older programs hold the digits alone. */
    keyFingerprint: z.nullable(z.string()),
  }),
  response: z.nullable(
    z.strictObject({
      status: z.int(),
      headers: z.array(Header),
      bodyBytes: z.int(),
      /** True where the body was cut at the environment's limit. */
      truncated: z.boolean(),
    }),
  ),
  timings: z.nullable(Timings),
  /** The server's `Date` against our clock: positive means the server is ahead. A `Date` has whole seconds. */
  clockOffsetMs: z.nullable(z.number()),
  findings: z.array(Finding),
});
export type Call = z.infer<typeof Call>;

/** One page of the history. */
export const CallPage = z.strictObject({
  calls: z.array(CallSummary),
  /** How many there are in all, or at least where counting all would cost too much. */
  total: z.int(),
  totalIsExact: z.boolean(),
  /** Texts of one or two characters are looked for among the newest calls only: the id of the oldest of them; null where all were searched. */
  searchedFrom: z.nullable(z.int()),
  /**
   * One look of a search reads a bounded number of calls. Null where the page is full or all was searched; otherwise the search goes on with `before`,
   * and this look went through `looked` calls of the `of` that the history has.
   */
  rest: z.nullable(z.strictObject({ before: z.int(), looked: z.int(), of: z.int() })),
});
export type CallPage = z.infer<typeof CallPage>;

export const callOutputs = {
  'calls.send': Call,
  'calls.repeat': Call,
  'calls.cancel': z.strictObject({ cancelled: z.boolean() }),
  'calls.list': CallPage,
  'calls.get': Call,
};

export const callEvents = {
  /** A call was recorded as pending or its outcome was. */
  'calls.changed': z.strictObject({ id: z.int() }),
};
