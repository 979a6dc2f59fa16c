import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { ReportedIteration, RunReport } from '#shared/collections/run-report.ts';
import type { ReportedCall, ReportedRequest } from '#shared/collections/reported-request.ts';
import { failedCheckText } from '#shared/collections/run-words.ts';
import { aboutTexts, gradeText, stepTexts } from '#shared/wallet/run-facts.ts';
import { escapeHtml, htmlTable } from '../../files/html.ts';
import { counted, duration, roundOf } from './report-words.ts';

/** A request that did not pass, a wallet case that warns, or one whose outcome is not in the history. */
interface Failure {
  readonly request: ReportedRequest;
  /** Iteration, if there are several; otherwise empty. */
  readonly round: string;
}

/** Number of failures that are told whole; the others have a line each. */
const mostTold = 100;

/** Returns the part of the page that says what failed, in the order of the run; empty if nothing did. */
export function failuresPart({ iterations }: RunReport): string {
  const found = iterations.flatMap((iteration) => failuresOf(iteration, iterations.length > 1));
  const all = [...found.filter((one) => !isWarning(one)), ...found.filter(isWarning)];
  if (all.length === 0) return '';
  const told = all.slice(0, mostTold).map((failure, at) => article(failure, at, all.length));
  const rest = all
    .slice(mostTold)
    .map(({ request, round }) => ({ cells: [whereOf(request, round), sentencesOf(request).join('\n')] }));
  const more =
    rest.length === 0
      ? ''
      : `\n<details><summary>And ${counted(rest.length)} more</summary>${htmlTable(['Request', 'What happened'], rest)}</details>`;
  return `<h2>What failed${all.some(isWarning) ? ' or warns' : ''}</h2>\n${told.join('\n')}${more}`;
}

function failuresOf(iteration: ReportedIteration, several: boolean): Failure[] {
  return iteration.requests
    .map((request) => ({ request, round: several ? roundOf(iteration) : '' }))
    .filter((failure) => {
      const { state, unrecorded } = failure.request;
      return state === 'failed' || state === 'error' || state === 'unfinished' || unrecorded !== '' || isWarning(failure);
    });
}

function isWarning({ request }: Failure): boolean {
  return request.case?.verdict === 'warns';
}

function whereOf({ path }: ReportedRequest, round: string): string {
  return round === '' ? path : `${path}, ${round}`;
}

/** Returns what happened, a sentence each: the reason, then each failed check. */
function sentencesOf({ state, reason, checks, unrecorded }: ReportedRequest): string[] {
  const failed = state === 'failed' ? checks.filter(({ passed }) => !passed) : [];
  return [reason, ...failed.map(failedCheckText), unrecorded].filter((text) => text !== '');
}

function article({ request, round }: Failure, at: number, count: number): string {
  const { operation, state, call, case: one } = request;
  const about = [operation ?? '', round, state === 'error' ? 'with an error' : (one?.verdict ?? state)]
    .filter((text) => text !== '')
    .join(', ');
  const first = count > 1 && at === 0 ? 'First: ' : '';
  const [head = '', ...rest] = one === undefined ? sentencesOf(request) : [request.unrecorded];
  const list = rest.length === 0 ? '' : `<ul>${rest.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;
  return `<article class="failure"><h3>${first}${escapeHtml(request.path)} <small>${escapeHtml(about)}</small></h3>
${one === undefined ? '' : casePart(one)}<p class="error">${escapeHtml(head)}</p>${list}${call === undefined ? withoutCall(request) : callPart(call, request, at === 0)}</article>`;
}

/** Explains to the wallet's developer why a case does not hold: what was expected and came, the damage in production, the usual cause. */
function casePart(one: CaseOutcome): string {
  const { verdict, about = { why: '', harm: '', cause: '' } } = one;
  const grade = `${gradeText(one)}${verdict === 'warns' ? '; every wallet is expected to, so this is a warning' : ''}`;
  const rows = [...aboutTexts(about), ['Grade', grade]].map((cells) => ({ cells }));
  return `${stepsTable(one)}${htmlTable([], rows)}`;
}

/** Draws what each step of a case sent, expected and got. */
export function stepsTable({ steps }: CaseOutcome): string {
  const rows = steps.map((step) => ({ cells: Object.values(stepTexts(step)), mark: step.passed ? 'info' : 'error' }));
  return htmlTable(['Sent', 'Expected', 'Came', 'Calls'], rows);
}

function withoutCall({ callId }: ReportedRequest): string {
  return callId === null
    ? ''
    : `<p><small>Its request and response are call ${callId} in the history of the machine that ran it.</small></p>`;
}

function callPart(call: ReportedCall, { status, durationMs }: ReportedRequest, isOpen: boolean): string {
  const answered = [status === null ? '' : `HTTP ${status}`, durationMs === null ? '' : `after ${duration(durationMs)}`];
  const facts = answered.filter((text) => text !== '').join(' ');
  const response =
    call.responseBody === null
      ? '<h4>Response</h4><p>None.</p>'
      : `<h4>Response <small>${facts}</small></h4><pre>${escapeHtml(call.responseBody)}</pre>`;
  const hashInput =
    call.hashInput === null
      ? '<h4>Hash input</h4><p>This method is not signed.</p>'
      : `<h4>Hash input</h4><pre>${escapeHtml(call.hashInput)}</pre><p><small>hash as sent: <code>${escapeHtml(call.hash ?? 'none')}</code></small></p>`;
  const verdict = call.verdict === '' ? '' : `<h4>Verdict</h4><p>${escapeHtml(call.verdict)}</p>`;
  return `${verdict}<details${isOpen ? ' open' : ''}><summary>Request, response and hash input</summary>
<h4>Request</h4><pre>${escapeHtml(`POST ${call.url}\n\n${call.requestBody}`)}</pre>
${response}
${hashInput}</details>`;
}
