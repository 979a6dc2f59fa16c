import { CallReplaced, CallState, PassedFrom, Failure, Timings } from '../calls.ts';
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

/** The open support pack that a call is of, and its number there. */
export const PackOfCall = z.strictObject({ id: z.string(), name: z.string(), number: z.int() });
export type PackOfCall = z.infer<typeof PackOfCall>;

/** A row of the history, or of an open support pack. */
export const CallSummary = z.strictObject({
  /** Below 0 for a call of a support pack. */
  id: z.int(),
  environmentId: z.string(),
  environmentName: z.string(),
  /** Null for a request that the gateway passed and that fits no operation: a GET of a picture, an unknown action, what is not HTTP. */
  operation: z.nullable(OperationName),
  /** Sender of a request that the gateway passed. Absent for Croupier's own. */
  origin: z.optional(PassedFrom),
  url: z.string(),
  /** Milliseconds since the epoch by the clock of this machine. */
  sentAt: z.int(),
  state: CallState,
  status: z.nullable(z.int()),
  /** The provider's code; null if the response has none. */
  code: z.nullable(z.int()),
  message: z.nullable(z.string()),
  failure: z.nullable(Failure),
  durationMs: z.nullable(z.number()),
  requestBytes: z.int(),
  responseBytes: z.nullable(z.int()),
  /** ID of the session that sent it. */
  run: z.string(),
  /** The day it was sent, as YYYY-MM-DD in the zone of the machine that core runs on. */
  day: z.string(),
  pinned: z.boolean(),
  /** The user's note; empty for none. */
  note: z.string(),
  /** The call whose recorded bytes this one sent again, with their old time and hash; null if it is not a repeat. */
  repeats: z.nullable(z.int()),
  /** Null for a call outside a run. */
  collectionRun: z.nullable(CollectionRunOfCall),
  /** Absent for a call of the history. */
  pack: z.optional(PackOfCall),
  /** The environments whose private keys left with the request and are masked in what is kept of it. Absent for nearly every call. */
  maskedKeys: z.optional(z.array(z.string())),
  /** Reason why the code says less than it seems to: it occurs twice, or nothing else was read. Absent for nearly every call. */
  doubt: z.optional(z.string()),
  /** Absent for nearly every call, and in what launches keep of a call. */
  instead: z.optional(CallReplaced),
  /** Fields of the request that tell it from others: `shared/provider/subject.ts`. Absent if it has none of them, and in what launches keep of a call. */
  subject: z.optional(z.array(z.strictObject({ field: z.string(), value: z.string(), more: z.int() }))),
});
export type CallSummary = z.infer<typeof CallSummary>;

/** One call exactly as sent and received. The host's own route returns a `KeptPart` by the call's ID. */
export const Call = z.extend(CallSummary, {
  /** Of a call without an operation only its `text` means something. */
  draft: RequestDraft,
  request: z.strictObject({
    headers: z.array(Header),
    bodyText: z.string(),
    /** Null for wallet methods and for a recorded path that takes plain JSON, which are not signed. `dataJson` is the slice `[offset, offset + length)` of the body's bytes. */
    hashInput: z.nullable(
      z.strictObject({
        time: z.string(),
        dataJson: z.nullable(z.string()),
        dataOffset: z.int(),
        dataLength: z.int(),
      }),
    ),
    hash: z.nullable(z.string()),
    /** Number of bytes of the request as it came, where `headers` and `bodyText` don't hold all of it so: the part `sentRaw`. Absent for Croupier's own. */
    rawBytes: z.optional(z.int()),
    /** As in KeyStatus; null if no key was used. Calls of older versions hold only the digits. */
    keyFingerprint: z.nullable(z.string()),
  }),
  response: z.nullable(
    z.strictObject({
      status: z.int(),
      headers: z.array(Header),
      bodyBytes: z.int(),
      /** True if the body was truncated at the environment's limit, or the gateway's. */
      truncated: z.boolean(),
    }),
  ),
  /**
   * Number of bytes that came, where `response` does not hold all of them as they came, or is null though some came. The host gives them as the part
   * `raw`. Absent for nearly every call, and for those of earlier versions.
   */
  rawBytes: z.optional(z.int()),
  timings: z.nullable(Timings),
  /** The server's `Date` minus this machine's clock; positive if the server is ahead. The middle of what is possible: `clockRange` says how far that reaches. */
  clockOffsetMs: z.nullable(z.number()),
  /** Parts in which a support pack masks something, such as `request body`. Absent if nothing is masked, and for a call of the history. */
  maskedParts: z.optional(z.array(z.string())),
  findings: z.array(Finding),
});
export type Call = z.infer<typeof Call>;

/** One page of the history. */
export const CallPage = z.strictObject({
  calls: z.array(CallSummary),
  /** Number of calls, or a lower bound if counting all would cost too much. */
  total: z.int(),
  totalIsExact: z.boolean(),
  /** ID of the oldest searched call; null if all were searched. A text of one or two characters is searched only in the newest calls. */
  searchedFrom: z.nullable(z.int()),
  /**
   * Each part of a search reads a bounded number of calls. Null if the page is full or all calls were searched; otherwise the search continues with
   * `before`, and this part read `looked` of the `of` calls in the history.
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
  /** A call was recorded as pending, with its ticket if it leaves now, or its outcome was recorded. */
  'calls.changed': z.strictObject({ id: z.int(), ticket: z.optional(z.string()) }),
};
