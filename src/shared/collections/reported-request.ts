import { Finding } from '../model/finding.ts';
import { operationNames } from '../model/operations.ts';
import { z } from '../model/schema.ts';

/** What one check of an answer gave. Texts are short and their tokens masked: a report is made to be handed on. */
export const CheckResult = z.strictObject({
  /** In words: `code is 0`, `/data/balance is above 10`. */
  check: z.string(),
  passed: z.boolean(),
  expected: z.string(),
  /** What came, in brackets where it is no value: `(nothing)`. A long one is its beginning and its length. */
  actual: z.string(),
  /** A sentence that says what is wrong; empty where it passed. */
  message: z.string(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/**
 * One finding about a request of a run, by the checks of its form at the moment it left, or about the response to it. Tokens are masked.
 * No finding decides what a request is.
 */
export const ReportedFinding = z.extend(z.omit(Finding, { start: true, end: true }), {
  about: z.enum(['request', 'response']),
});
export type ReportedFinding = z.infer<typeof ReportedFinding>;

/**
 * `passed`: answered, and every check passed. `failed`: a check did not. `error`: nothing could be checked, for it could not be made, sent or
 * answered. `skipped`: never sent. `cancelled`: under way when the run was cancelled.
 */
export const RequestState = z.enum(['passed', 'failed', 'error', 'skipped', 'cancelled']);
export type RequestState = z.infer<typeof RequestState>;

/** One request of one iteration. */
export const ReportedRequest = z.strictObject({
  /** Below the collection's directory, without `.yaml`: `wallet/Bet`. */
  path: z.string(),
  /** Null for a file that can't be read. */
  operation: z.nullable(z.enum(operationNames)),
  state: RequestState,
  /** Why it is not `passed`; empty where it is. */
  reason: z.string(),
  /** The call in the history; null where none was made. */
  callId: z.nullable(z.int()),
  /** The provider's code and the HTTP status; null where there is none. */
  code: z.nullable(z.int()),
  status: z.nullable(z.int()),
  durationMs: z.nullable(z.number()),
  checks: z.array(CheckResult),
  /** Its file has no check that is read: only code 0, or HTTP 200, was expected. */
  unchecked: z._default(z.boolean(), false),
  /** Why the outcome of its call is not in the history; empty where it is, or where there is no call. */
  unrecorded: z._default(z.string(), ''),
  /** About the request, then about the response; empty where no call was made. */
  findings: z._default(z.array(ReportedFinding), []),
});
export type ReportedRequest = z.infer<typeof ReportedRequest>;

/** How often each state occurs: the five of them are together all planned requests. `unchecked`, `unrecorded` and `withFindings` are among them. */
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
});
export type RunTotals = z.infer<typeof RunTotals>;
