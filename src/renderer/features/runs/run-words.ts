import { amount } from '#shared/amount.ts';
import type { ReportedRequest, RequestState, RunTotals } from '#shared/collections/reported-request.ts';
import { needsAttention } from '#shared/provider/index.ts';
import type { RunState, RunSummary } from '#shared/ipc/index.ts';
import type { PillTone } from '#renderer/ui/pill.tsx';

/** A word with its tone. */
export interface StateWord {
  readonly tone: PillTone;
  readonly text: string;
}

const requestWords: Readonly<Record<RequestState, StateWord>> = {
  passed: { tone: 'good', text: 'passed' },
  failed: { tone: 'bad', text: 'failed' },
  error: { tone: 'bad', text: 'error' },
  skipped: { tone: 'plain', text: 'skipped' },
  cancelled: { tone: 'warn', text: 'cancelled' },
  unfinished: { tone: 'bad', text: 'unfinished' },
};

/** Returns the word for the state of one request. */
export function requestWord(state: RequestState): StateWord {
  return requestWords[state];
}

/** Returns the word for the state of a run; of a finished one, whether everything passed. */
export function runWord({ state, totals }: { state: RunState; totals: RunTotals }): StateWord {
  if (state === 'running') return { tone: 'note', text: 'running' };
  if (state === 'cancelled') return { tone: 'warn', text: 'cancelled' };
  if (state === 'interrupted') return { tone: 'warn', text: 'interrupted' };
  if (state === 'unknown') return { tone: 'warn', text: 'outcome unknown' };
  if (totals.passed < totals.requests) return { tone: 'bad', text: 'failed' };
  return totals.unrecorded > 0 ? { tone: 'warn', text: 'not all recorded' } : { tone: 'good', text: 'passed' };
}

/** One part of a sum: the number of requests, and their state. */
export interface SumPart {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  readonly tone: PillTone;
}

/**
 * Returns the parts that add up to all planned requests. Requests that are not done are under way or wait while the run goes on (as
 * far as events report it), and are lost if it was interrupted.
 */
export function sumOf(
  { state, planned, totals }: Pick<RunSummary, 'state' | 'planned' | 'totals'>,
  live: { readonly underWay: number; readonly waiting: number } | null,
): readonly SumPart[] {
  const parts = partsOf(totals);
  const left = planned - totals.requests;
  if (state === 'running' && live !== null) {
    parts.push({ id: 'underWay', label: 'running', count: live.underWay, tone: 'note' });
    parts.push({ id: 'waiting', label: 'waiting', count: left - live.underWay, tone: 'plain' });
  } else if (left !== 0 || state === 'running') {
    parts.push({ id: 'left', label: leftWords[state] ?? 'not done', count: left, tone: 'warn' });
  }
  return parts;
}

function partsOf({ passed, failed, errored, skipped, cancelled }: RunTotals): SumPart[] {
  return [
    { id: 'passed', label: 'passed', count: passed, tone: 'good' },
    { id: 'failed', label: 'failed', count: failed, tone: 'bad' },
    { id: 'errors', label: errored === 1 ? 'error' : 'errors', count: errored, tone: 'bad' },
    { id: 'skipped', label: 'skipped', count: skipped, tone: 'plain' },
    { id: 'cancelled', label: 'cancelled', count: cancelled, tone: 'warn' },
  ];
}

const leftWords: Partial<Record<RunState, string>> = { running: 'not done yet', unknown: 'not shown' };

/** Returns `12 passed, 1 failed`, without states that do not occur. */
export function totalsText(totals: RunTotals): string {
  const parts = [...partsOf(totals), { label: 'not recorded', count: totals.unrecorded }];
  const said = parts.filter(({ count }) => count > 0).map(({ count, label }) => `${count.toLocaleString('en')} ${label}`);
  return said.length === 0 ? 'nothing done' : said.join(', ');
}

/** Returns whether a request passed and its outcome is in the history. */
export function isClean({ state, unrecorded }: Pick<ReportedRequest, 'state' | 'unrecorded'>): boolean {
  return state === 'passed' && unrecorded === '';
}

/**
 * Returns why a request is not clean, in one line: the first check that failed, or what happened instead, and why its outcome is
 * not in the history. Then the first finding that needs attention, which a clean one may have, too.
 */
export function whyText({
  unrecorded,
  findings,
  ...request
}: Pick<ReportedRequest, 'checks' | 'reason' | 'unrecorded' | 'findings'>): string {
  return [failureText(request), unrecorded, attentionText(findings)].filter((text) => text !== '').join(' ');
}

function attentionText(findings: ReportedRequest['findings']): string {
  const told = findings.filter(needsAttention);
  const [first] = told;
  if (first === undefined) return '';
  const words = `Finding about the ${first.about}: ${first.message}`;
  const more = told.length - 1;
  return more === 0 ? words : `${words} ${more} more ${more === 1 ? 'finding' : 'findings'}.`;
}

function failureText({ checks, reason }: Pick<ReportedRequest, 'checks' | 'reason'>): string {
  const failed = checks.filter(({ passed }) => !passed);
  const [first] = failed;
  if (first === undefined) return reason;
  const words = `Expected: ${first.check}. ${first.message}`;
  const more = failed.length - 1;
  return more === 0 ? words : `${words} ${more} more ${more === 1 ? 'check' : 'checks'} failed.`;
}

/** Returns how much longer a run takes, at the pace so far; null if it is too early to say. Times in milliseconds. */
export function timeLeft(done: number, planned: number, elapsed: number): string | null {
  if (done < 3 || elapsed < 2_000 || done >= planned) return null;
  const seconds = Math.ceil(((elapsed / done) * (planned - done)) / 1_000);
  if (seconds < 60) return `about ${seconds} s left`;
  if (seconds < 5_400) return `about ${Math.round(seconds / 60)} min left`;
  return `about ${Math.round(seconds / 3_600)} h left`;
}

/** Returns the text for a screen reader about a run's progress: at its beginning, each quarter, and its end; else null. */
export function progressAnnouncement(
  before: { readonly planned: number; readonly done: number } | null,
  now: Pick<RunSummary, 'state' | 'planned' | 'totals'>,
): string | null {
  const { state, planned, totals } = now;
  if (state !== 'running') return `Run ${state}: ${totalsText(totals)}.`;
  const quarter = (done: number) => (planned === 0 ? 0 : Math.floor((done * 4) / planned));
  const reached = quarter(totals.requests);
  if (before === null) return `Running ${amount(planned, 'request')}.`;
  if (reached === quarter(before.done)) return null;
  return `${totals.requests.toLocaleString('en')} of ${amount(planned, 'request')} done: ${totalsText(totals)}.`;
}
