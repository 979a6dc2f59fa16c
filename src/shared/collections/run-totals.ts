import { needsAttention } from '../provider/findings.ts';
import type { ReportedRequest, RunTotals } from './reported-request.ts';

const counters = {
  passed: 'passed',
  failed: 'failed',
  error: 'errored',
  skipped: 'skipped',
  cancelled: 'cancelled',
  unfinished: 'unfinished',
} as const;

/** Returns totals of 0, to count into. */
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
    unfinished: 0,
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

/** Counts requests and checks. */
export function totalsOf(requests: Iterable<ReportedRequest>): RunTotals {
  const totals = noRequests();
  for (const request of requests) countRequest(totals, request);
  return totals;
}
