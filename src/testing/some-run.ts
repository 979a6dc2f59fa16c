import { noRequests } from '#shared/collections/run-totals.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import type { RunSummary } from '#shared/ipc/index.ts';
import type { RunStart } from '#core/runs/report-lines.ts';

/** Returns a request of a run that passed without a check. */
export function someReported(change: Partial<ReportedRequest> = {}): ReportedRequest {
  return {
    path: 'Bet',
    operation: 'bet',
    state: 'passed',
    reason: '',
    callId: 1,
    code: 0,
    status: 200,
    durationMs: 1,
    checks: [],
    unchecked: false,
    unrecorded: '',
    findings: [],
    ...change,
  };
}

/** Returns the first line of a run's report. */
export function someStart(change: Partial<RunStart> = {}): RunStart {
  return {
    runId: 'r',
    collectionId: 'c',
    collection: 'Starter',
    path: '',
    environmentId: 'e',
    environment: 'Stage',
    startedAt: 1_000,
    planned: 1,
    warnings: [],
    process: 'p',
    repeat: 1,
    hasData: false,
    ...change,
  };
}

/** Returns a run that ended, in a list. */
export function someRun(change: Partial<RunSummary> = {}): RunSummary {
  return {
    runId: 'r',
    collectionId: 'c',
    collection: 'Starter',
    path: '',
    environmentId: 'e',
    environment: 'Stage',
    startedAt: 1_000,
    durationMs: 5,
    state: 'finished',
    planned: 1,
    totals: noRequests(),
    warnings: [],
    ...change,
  };
}
