import { OperationName, RequestDraft } from '../model/draft.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';
import { Confirmed } from './production.ts';

export const CallState = z.enum(['pending', 'answered', 'failed', 'cancelled', 'interrupted']);
export type CallState = z.infer<typeof CallState>;

export const FailureKind = z.enum([
  'address', // the URL was refused before anything was sent
  'dns',
  'connect',
  'proxy', // the way through the proxy ended before anything was sent to the server
  'tls',
  'timeout',
  'too_large',
  'protocol', // the response is not HTTP, or broke off
  'cancelled',
  'interrupted', // Croupier ended before the response
  'unreadable', // the row is damaged; the readable parts are shown
]);
export type FailureKind = z.infer<typeof FailureKind>;

/** Reason for a missing response: one sentence says what happened, one what to do. */
export const Failure = z.strictObject({
  kind: FailureKind,
  phase: z.enum(['address', 'dns', 'connect', 'proxy', 'tls', 'send', 'headers', 'body']),
  message: z.string(),
  hint: z.string(),
  /** True if nobody who is trusted vouches for the server's certificate: the environment's extra authority decides. Calls of earlier versions lack it. */
  untrusted: z.optional(z.literal(true)),
  /** The address of the proxy that the call went through, or was to go; absent without one. */
  proxy: z.optional(z.string()),
});
export type Failure = z.infer<typeof Failure>;

/** Settings that were a call's own: whether its URL was, which is in the call, and the limit of the whole call. */
export const CallReplaced = z.strictObject({ baseUrl: z.boolean(), timeoutMs: z.nullable(z.int()) });

/**
 * The set of authorities that vouched for a server's certificate: Node's own, the system's store, the file of an environment variable, or the CA
 * certificate of the environment.
 */
export const Voucher = z.enum(['node', 'system', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'environment']);
export type Voucher = z.infer<typeof Voucher>;

/**
 * Milliseconds per phase; null where a phase did not happen (a warm connection has no DNS, connect and TLS). Through a proxy, `proxy.ms` ends when
 * it is reached, `connect` when it has reached the server, whose name it looks up itself.
 */
export const Timings = z.strictObject({
  dns: z.nullable(z.number()),
  connect: z.nullable(z.number()),
  tls: z.nullable(z.number()),
  firstByte: z.nullable(z.number()),
  download: z.nullable(z.number()),
  total: z.number(),
  reused: z.boolean(),
  /** The proxy that the call went through, by its address; absent without one. */
  proxy: z.optional(z.strictObject({ address: z.string(), ms: z.nullable(z.number()) })),
  /** Absent for the built-in provider, and for calls of older versions. */
  trust: z.optional(Voucher),
  /** Of a request that the gateway passed, before the other phases: until all of it had come, and until its record was on the disk. */
  gateway: z.optional(z.strictObject({ received: z.number(), held: z.number() })),
});
export type Timings = z.infer<typeof Timings>;

/**
 * `anywhere`: the text as typed, ignoring case, also inside words and as JSON escapes. `words`: each word of the text is there,
 * as a whole word or (from three characters) as the beginning of one; a word in double quotes must occur as a whole.
 */
export const TextMatch = z.enum(['anywhere', 'words']);
export type TextMatch = z.infer<typeof TextMatch>;

/** `accepted`: code 0. `refused`: another code. `uncoded`: a response without a code. `unanswered`: failed, cancelled or interrupted. */
export const CallOutcome = z.enum(['accepted', 'refused', 'uncoded', 'unanswered', 'pending']);
export type CallOutcome = z.infer<typeof CallOutcome>;

/** Sender of a request that the gateway passed. */
export const PassedFrom = z.enum(['backend', 'provider']);
export type PassedFrom = z.infer<typeof PassedFrom>;

/** Sender of any request. */
export const CallOrigin = z.enum(['croupier', ...PassedFrom.options]);
export type CallOrigin = z.infer<typeof CallOrigin>;

/** Selects calls of the history: each member narrows the selection, and a list matches any of its values. */
export const CallFilter = z.strictObject({
  operations: z.optional(z.array(OperationName).check(z.maxLength(50))),
  environmentIds: z.optional(z.array(textUpTo(200)).check(z.maxLength(100))),
  /** Codes of the provider. */
  codes: z.optional(z.array(z.int()).check(z.maxLength(100))),
  origins: z.optional(z.array(CallOrigin).check(z.maxLength(10))),
  outcomes: z.optional(z.array(CallOutcome).check(z.maxLength(10))),
  states: z.optional(z.array(CallState).check(z.maxLength(10))),
  /** Sent at or after, in milliseconds since the epoch. */
  since: z.optional(z.int()),
  /** Sent before. */
  until: z.optional(z.int()),
  pinned: z.optional(z.boolean()),
  runs: z.optional(z.array(textUpTo(100)).check(z.maxLength(100))),
  /** The ID of a run. */
  collectionRun: z.optional(textUpTo(100)),
  /** The path of one request of that run. */
  requestPath: z.optional(textUpTo(4_000)),
});
export type CallFilter = z.infer<typeof CallFilter>;

export const callInputs = {
  /** Records, sends and waits. Returns the recorded call whatever its outcome; refuses only a request that cannot be prepared. */
  'calls.send': z.strictObject({
    draft: RequestDraft,
    /** Chosen by the caller, so that `calls.cancel` can name a call that has no response yet. */
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
   * Sends the recorded bytes of a call once more, to the recorded URL and with the recorded headers: old time, old hash, no key.
   * This makes a call of its own. Refused with `refused` if the record is incomplete, the outcome is not known yet, or the
   * environment was removed or now sends that operation to another URL.
   */
  'calls.repeat': z.strictObject({
    id: z.int().check(z.gte(1)),
    /** As in `calls.send`. */
    ticket: filledTextUpTo(100),
    /** As in `calls.send`. */
    confirmed: Confirmed,
  }),
  'calls.cancel': z.strictObject({ ticket: filledTextUpTo(100) }),
  /** Newest first, below `before`: the ID of the last call already shown, or the position at which the previous part of the search ended. */
  'calls.list': z.strictObject({
    before: z.optional(z.int()),
    limit: z._default(wholeNumber(1, 500), 50),
    /** Text in the request or the response; empty for every call. */
    text: z.optional(textUpTo(1_000)),
    match: z._default(TextMatch, 'anywhere'),
    filter: z.prefault(CallFilter, {}),
    /** The ID of an open support pack: lists its calls in place of the history's. */
    pack: z.optional(filledTextUpTo(100)),
  }),
  /** IDs below 0 are those of calls in open support packs. */
  'calls.get': z.strictObject({ id: z.int() }),
};
