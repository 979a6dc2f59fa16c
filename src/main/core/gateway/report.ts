import type { ParsedInput, PassedCall } from '#shared/ipc/index.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import type { RunReport } from '#shared/collections/run-report.ts';
import { totalsOf } from '#shared/collections/run-totals.ts';

export interface ReportedPassage extends Pick<ParsedInput<'gateway.report'>, 'failOn'> {
  /** Newest first. */
  readonly entries: readonly PassedCall[];
  /** Older ones that are gone. */
  readonly dropped: number;
  readonly run: string;
  readonly environment: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly now: number;
}

/** Returns what passed as the report of a run, in which the verdicts of `failOn` are failures. Pure. */
export function reportPassed({ entries, dropped, failOn, run, environment, startedAt, now }: ReportedPassage): RunReport {
  const requests = entries.toReversed().map((call): ReportedRequest => {
    const { number, operation, request, verdict, why, callId, code, status, totalMs } = call;
    const isFailed = failOn.includes(verdict);
    return {
      path: `${operation ?? request.replaceAll('/', ' ')} ${number}`,
      operation,
      state: isFailed ? 'failed' : 'passed',
      reason: isFailed ? why : '',
      callId,
      code,
      status,
      durationMs: totalMs,
      checks: [],
      unchecked: false,
      unrecorded: callId === null ? 'It passed and is not in the history.' : '',
      findings: [],
    };
  });
  return {
    runId: run,
    collection: 'Gateway',
    environment,
    startedAt,
    durationMs: now - startedAt,
    totals: totalsOf(requests),
    warnings: dropped === 0 ? [] : [`${dropped.toLocaleString('en')} older exchanges are not in this report.`],
    iterations: [{ number: 1, row: null, requests }],
  };
}
