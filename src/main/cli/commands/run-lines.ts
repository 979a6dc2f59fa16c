import { amount } from '#shared/amount.ts';
import { failedCheckText, uncheckedText, warningsText, unrecordedText, withFindingsText } from '#shared/collections/run-words.ts';
import type { FinishedRequest, Payload, RunSummary } from '#shared/ipc/index.ts';
import type { Toned, Tone } from '../../process/terminal.ts';
import { findingText, needsAttention } from '#shared/provider/findings.ts';

/** A line with its toned part. */
export type Line = readonly [text: string, toned?: Toned | undefined];

/**
 * Returns the lines of a finished request: one, and one more for each check that did not pass and for each finding that needs attention.
 * `several`: there are several iterations. `told`: findings already printed for a request, which later iterations do not repeat.
 */
export function linesOf({ iteration, row, request }: FinishedRequest, several: boolean, told: Set<string>): string[] {
  const { path, state, reason, checks, callId, code, durationMs, unrecorded, findings } = request;
  const pass = !several ? '' : row === null ? `${iteration}: ` : `${iteration} (row ${row}): `;
  const facts = [
    ...(code === null ? [] : [`code ${code}`]),
    ...(durationMs === null ? [] : [`${Math.round(durationMs)} ms`]),
    ...(callId === null ? [] : [`call ${callId}`]),
  ];
  const words = [`${pass}${path}.yaml`, facts.join(', '), reason].filter((word) => word !== '').join('  ');
  const failed = checks.filter(({ passed }) => !passed);
  return [
    `${state.padEnd(9)}  ${words}`,
    ...failed.map((check) => `           ${path}.yaml: ${failedCheckText(check)}`),
    ...(unrecorded === '' ? [] : [`           ${path}.yaml: ${unrecorded}`]),
    ...findings
      .filter(needsAttention)
      .filter((finding) => isNew(told, `${path} ${finding.about} ${finding.rule} ${finding.path}`))
      .map((finding) => `           ${path}.yaml: ${finding.about}, ${findingText(finding)}`),
  ];
}

/** Number of names of a reason. */
const shownSkipped = 5;

/** Collects requests that were not made, by the reason: after a failure of the first, a thousand others may be skipped for it. */
export function createSkipped() {
  const groups = new Map<string, { readonly state: string; readonly names: string[]; count: number }>();
  return {
    add(state: string, name: string, reason: string): void {
      const group = groups.get(reason) ?? { state, names: [], count: 0 };
      group.count += 1;
      if (group.names.length < shownSkipped) group.names.push(name);
      groups.set(reason, group);
    },
    /** Returns a line for each reason, by state. */
    lines(): Line[] {
      const sorted = [...groups].toSorted(([, one], [, other]) => one.state.localeCompare(other.state));
      return sorted.map(([reason, { state, names, count }]) => {
        const more = count > names.length ? ` and ${count - names.length} more` : '';
        return [`${state.padEnd(9)}  ${names.join(', ')}${more}  ${reason}`];
      });
    },
  };
}

function isNew(told: Set<string>, key: string): boolean {
  return told.size < told.add(key).size;
}

/** Tones of a request's states. */
export const tones = {
  passed: 'good',
  failed: 'bad',
  error: 'bad',
  skipped: 'open',
  cancelled: 'open',
  unfinished: 'open',
} as const satisfies Record<FinishedRequest['request']['state'], Tone>;

/** Returns the toned part of a line of `linesOf`: the state, with which the first one begins. */
export function tonedState(line: string, { request: { state } }: FinishedRequest): Toned | undefined {
  return line.startsWith(state) ? [state, tones[state]] : undefined;
}

/** Returns the toned part of `finalLine`. */
export function tonedTotals({ state, totals: { passed, failed, errored } }: FinishedRun): Toned {
  if (failed > 0) return [`${failed} failed`, 'bad'];
  if (errored > 0) return [`${errored} with an error`, 'bad'];
  return state === 'cancelled' ? ['Cancelled.', 'open'] : [`${passed} passed`, 'good'];
}

/** Returns what a terminal shows while a run goes on: `12 of 40 requests, 1 did not pass; now wallet/Bet`. */
export function progressText({
  totals,
  planned,
  current,
}: Pick<Payload<'runs.progressed'>, 'totals' | 'planned' | 'current'>): string {
  const wrong = totals.failed + totals.errored;
  const done = `${totals.requests.toLocaleString('en')} of ${planned.toLocaleString('en')} requests`;
  return `${done}${wrong === 0 ? '' : `, ${wrong.toLocaleString('en')} did not pass`}${current === '' ? '' : `; now ${current}`}`;
}

/** A run that is done. */
export type FinishedRun = Pick<RunSummary, 'runId' | 'state' | 'totals' | 'warnings'> & { readonly durationMs: number };

/**
 * Returns the last line: its counts add up to the requests and to the checks, and it counts everything unread, unchecked and unrecorded, and
 * requests with findings.
 */
export function finalLine(run: FinishedRun): string {
  const { totals, warnings } = run;
  const { requests, passed, failed, errored, skipped, cancelled, unfinished, checks, checksPassed, checksFailed } = totals;
  const states = `${passed} passed, ${failed} failed, ${errored} with an error, ${skipped} skipped, ${cancelled} cancelled${unfinished === 0 ? '' : `, ${unfinished} unfinished`}`;
  const counts = `${amount(requests, 'request')}: ${states}; ${amount(checks, 'check')}: ${checksPassed} passed, ${checksFailed} failed`;
  const { unchecked, unrecorded, withFindings } = totals;
  return endText(run, [
    counts,
    warningsText(warnings),
    uncheckedText(unchecked, requests),
    unrecordedText(unrecorded),
    withFindingsText(withFindings, requests),
  ]);
}

/** Writes what is said at the end of a run, and how it ended. */
export function endText({ runId, state, durationMs }: FinishedRun, said: readonly string[]): string {
  const how = state === 'cancelled' ? 'Cancelled. ' : state === 'interrupted' ? 'Interrupted. ' : '';
  const took = durationMs < 1_000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1_000).toFixed(1)} s`;
  return `${how}${[...said, took].filter((text) => text !== '').join('; ')}; run ${runId}`;
}
