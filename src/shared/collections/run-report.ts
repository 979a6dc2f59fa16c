import { Finding } from '../model/finding.ts';
import { z } from '../model/schema.ts';
import { needsAttention } from '../provider/findings.ts';
import { operationNames } from '../model/operations.ts';

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

/** One round through the requests. */
export const ReportedIteration = z.strictObject({
  /** From 1. */
  number: z.int(),
  /** The number of the data row, from 1; null without data. */
  row: z.nullable(z.int()),
  requests: z.array(ReportedRequest),
});
export type ReportedIteration = z.infer<typeof ReportedIteration>;

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

const counters = { passed: 'passed', failed: 'failed', error: 'errored', skipped: 'skipped', cancelled: 'cancelled' } as const;

/** The totals of nothing, to count into. */
export function noRequests(): RunTotals {
  return {
    requests: 0,
    passed: 0,
    failed: 0,
    errored: 0,
    skipped: 0,
    cancelled: 0,
    checks: 0,
    checksPassed: 0,
    checksFailed: 0,
    unchecked: 0,
    unrecorded: 0,
    withFindings: 0,
  };
}

/** Counts one request with its checks into the totals. */
export function countRequest(totals: RunTotals, { state, checks, unchecked, unrecorded, findings }: ReportedRequest): void {
  totals.requests++;
  totals[counters[state]]++;
  if (unchecked) totals.unchecked++;
  if (unrecorded !== '') totals.unrecorded++;
  if (findings.some(needsAttention)) totals.withFindings++;
  for (const { passed } of checks) {
    totals.checks++;
    totals[passed ? 'checksPassed' : 'checksFailed']++;
  }
}

/** Said at the head of a report that holds what this version leaves out. */
export const partsNotShown = 'Another version of Croupier wrote parts of this report. This version does not show them.';

const mostSentences = 100;
const moreOf = /^And ([\d,]+) more\.$/;

/** As many sentences as a person reads; the last one says how many more there are. */
export function shortened(sentences: readonly string[]): string[] {
  const more = sentences.length - mostSentences;
  return more <= 0 ? [...sentences] : [...sentences.slice(0, mostSentences), `And ${more.toLocaleString('en')} more.`];
}

/** `2 things are not read`, of a run's warnings as `shortened` leaves them; empty where everything is read. */
export function unreadText(warnings: readonly string[]): string {
  const [, more] = moreOf.exec(warnings.at(-1) ?? '') ?? [];
  const count = more === undefined ? warnings.length : mostSentences + Number(more.replaceAll(',', ''));
  if (count === 0) return '';
  return `${count.toLocaleString('en')} ${count === 1 ? 'thing is' : 'things are'} not read`;
}

/** `2 of 8 requests have no check of their own`; empty where each has one. */
export function uncheckedText(unchecked: number, requests: number): string {
  if (unchecked === 0) return '';
  const all = `${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'}`;
  return `${unchecked.toLocaleString('en')} of ${all} ${unchecked === 1 ? 'has no check of its own' : 'have no check of their own'}`;
}

/** `1 outcome is not in the history`; empty where all are. */
export function unrecordedText(unrecorded: number): string {
  if (unrecorded === 0) return '';
  return `${unrecorded.toLocaleString('en')} ${unrecorded === 1 ? 'outcome is' : 'outcomes are'} not in the history`;
}

/** `2 of 8 requests have findings`; empty where none has one that needs attention. */
export function withFindingsText(withFindings: number, requests: number): string {
  if (withFindings === 0) return '';
  const all = `${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'}`;
  return `${withFindings.toLocaleString('en')} of ${all} ${withFindings === 1 ? 'has findings' : 'have findings'}`;
}

/** Counts requests and checks. */
export function totalsOf(requests: Iterable<ReportedRequest>): RunTotals {
  const totals = noRequests();
  for (const request of requests) countRequest(totals, request);
  return totals;
}

/** What became of a run. */
export const RunReport = z
  .strictObject({
    /** Names the run in the history. */
    runId: z.string(),
    collection: z.string(),
    environment: z.string(),
    /** Milliseconds since the epoch. */
    startedAt: z.int(),
    durationMs: z.number(),
    totals: RunTotals,
    /** What stands in its files and its data and nothing reads, as sentences. */
    warnings: z._default(z.array(z.string()), []),
    iterations: z.array(ReportedIteration),
  })
  .check(
    z.refine(
      ({ totals, iterations }) =>
        JSON.stringify(totals) === JSON.stringify(totalsOf(iterations.flatMap(({ requests }) => requests))),
      'The totals are not the sums of what the iterations hold.',
    ),
  );
export type RunReport = z.infer<typeof RunReport>;
