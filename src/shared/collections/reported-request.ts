import { Finding } from '../model/finding.ts';
import { operationNames } from '../model/operations.ts';
import { z } from '../model/schema.ts';
import { CaseOutcome } from './case-outcome.ts';

/** Result of one check. Strings are short and their tokens masked, because reports are passed on. */
export const CheckResult = z.strictObject({
  /** In words: `code is 0`, `/data/balance is above 10`. */
  check: z.string(),
  passed: z.boolean(),
  expected: z.string(),
  /** The actual value, or words in brackets if there is none: `(nothing)`. A long value is its beginning and its length. */
  actual: z.string(),
  /** A sentence that says what is wrong; empty if the check passed. */
  message: z.string(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/**
 * One finding about a request of a run, as of the moment it left, or about its response. Tokens are masked.
 * Findings do not change the state of a request.
 */
export const ReportedFinding = z.extend(z.omit(Finding, { start: true, end: true }), {
  about: z.enum(['request', 'response']),
});
export type ReportedFinding = z.infer<typeof ReportedFinding>;

/**
 * `passed`: a response came and every check passed. `failed`: a check did not pass. `error`: nothing could be checked, because the request
 * could not be made or sent, or had no response. `skipped`: never sent. `cancelled`: under way when the run was cancelled.
 * `unfinished`: only in a report merged of parts, of a request whose part is missing.
 */
export const RequestState = z.enum(['passed', 'failed', 'error', 'skipped', 'cancelled', 'unfinished']);
export type RequestState = z.infer<typeof RequestState>;

/**
 * The call of a request that did not pass, for readers without the history it is in. Tokens and other secrets are masked, long
 * texts end with their length, and `<PRIVATE_KEY>` stands for the key.
 */
export const ReportedCall = z.strictObject({
  url: z.string(),
  requestBody: z.string(),
  /** The text that was hashed, and the hash as sent; null for a call that is not signed. */
  hashInput: z.nullable(z.string()),
  hash: z.nullable(z.string()),
  /** The body of the response, or the bytes as they came if those are none; null if nothing came. */
  responseBody: z.nullable(z.string()),
  /** Explains the response in sentences, one on each line; empty if there is nothing to explain. */
  verdict: z.string(),
});
export type ReportedCall = z.infer<typeof ReportedCall>;

/** One request of one iteration. */
export const ReportedRequest = z.strictObject({
  /** Below the collection's directory, without `.yaml`: `wallet/Bet`. */
  path: z.string(),
  /** Null for a file that cannot be read. */
  operation: z.nullable(z.enum(operationNames)),
  state: RequestState,
  /** Says why it is not `passed`; otherwise empty. */
  reason: z.string(),
  /** The call in the history; null if nothing was sent. */
  callId: z.nullable(z.int()),
  /** The provider's code and the HTTP status; null if there is none. */
  code: z.nullable(z.int()),
  status: z.nullable(z.int()),
  durationMs: z.nullable(z.number()),
  checks: z.array(CheckResult),
  /** True if its file has no check that Croupier can read, so only code 0 or HTTP 200 was checked. */
  unchecked: z._default(z.boolean(), false),
  /** Says why the outcome of its call is not in the history; otherwise empty. */
  unrecorded: z._default(z.string(), ''),
  /** Findings about the request, then about the response; empty if there is no call. */
  findings: z._default(z.array(ReportedFinding), []),
  /** Only of a request that did not pass, or a case that did not hold; a report holds the calls of the first ones, up to a limit. */
  call: z.optional(ReportedCall),
  /** Only of a wallet case. */
  case: z.optional(CaseOutcome),
});
export type ReportedRequest = z.infer<typeof ReportedRequest>;

/** Count of each state; the six add up to all planned requests. `unchecked`, `unrecorded` and `withFindings` count some of them again. */
export const RunTotals = z.strictObject({
  requests: z.int(),
  passed: z.int(),
  failed: z.int(),
  errored: z.int(),
  skipped: z.int(),
  cancelled: z.int(),
  checks: z.int(),
  checksPassed: z.int(),
  checksFailed: z.int(),
  unchecked: z._default(z.int(), 0),
  unrecorded: z._default(z.int(), 0),
  /** Requests with a finding that needs attention; mere notes do not count. */
  withFindings: z._default(z.int(), 0),
  unfinished: z._default(z.int(), 0),
});
export type RunTotals = z.infer<typeof RunTotals>;
