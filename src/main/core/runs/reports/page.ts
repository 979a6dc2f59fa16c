import type { ReportedIteration, RunReport } from '#shared/collections/run-report.ts';
import type { CheckResult, ReportedFinding, ReportedRequest, RequestState } from '#shared/collections/reported-request.ts';
import { failedCheckText, uncheckedText, unrecordedText, withFindingsText } from '#shared/collections/run-words.ts';
import { findingText, needsAttention } from '#shared/provider/findings.ts';
import { escapeHtml, htmlPage, htmlTable } from '../../files/html.ts';
import { failuresPart } from './failures.ts';
import { pageStyle } from './page-style.ts';
import { counted, duration, notPassed, roundOf } from './report-words.ts';

const marks: Readonly<Record<RequestState, string>> = {
  passed: 'good',
  failed: 'error',
  error: 'error',
  skipped: 'warning',
  cancelled: 'warning',
  unfinished: 'error',
};

/** A run as one HTML file for a person: what failed first, then every request. No script, nothing loaded. */
export function pageReport(report: RunReport): string {
  const { iterations } = report;
  const longest = iterations.reduce(
    (most, { requests }) => requests.reduce((longer, { durationMs }) => Math.max(longer, durationMs ?? 0), most),
    0,
  );
  const sections = iterations.map((iteration) => section(iteration, iterations.length > 1, longest));
  return htmlPage(
    titleOf(report),
    [pageStyle, overview(report), failuresPart(report), about(report), '<h2>Requests</h2>', filter(report), ...sections]
      .filter((part) => part !== '')
      .join('\n'),
  );
}

/** Has the same counts as the facts below it. */
function titleOf({ collection, totals }: RunReport): string {
  const wrong = notPassed(totals);
  const all = totals.requests === 1 ? '1 request' : `${counted(totals.requests)} requests`;
  const words = totals.requests === 0 ? 'nothing was run' : wrong.length === 0 ? 'all passed' : `${wrong.join(', ')}, of ${all}`;
  return [`${collection}: ${words}`, unrecordedText(totals.unrecorded)].filter((text) => text !== '').join(', ');
}

function overview({ totals, environment, startedAt, durationMs }: RunReport): string {
  const { requests, passed, failed, errored, skipped, cancelled, unfinished } = totals;
  const parts = [
    ['passed', passed],
    ['failed', failed],
    ['error', errored],
    ['unfinished', unfinished],
    ['skipped', skipped],
    ['cancelled', cancelled],
  ] as const;
  const bar = parts
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `<span class="${state}" style="flex-grow:${count}"></span>`);
  const when = `${new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const sentence = `${counted(passed)} of ${counted(requests)} ${requests === 1 ? 'request' : 'requests'} passed in the environment ${environment}. The run began at ${when} and took ${duration(durationMs)}.`;
  return `<div class="states" aria-hidden="true">${bar.join('')}</div>\n<p>${escapeHtml(sentence)}</p>`;
}

function about(report: RunReport): string {
  const { totals } = report;
  const states = [`${counted(totals.passed)} passed`, ...notPassed(totals)].join(', ');
  const facts = [
    ['Environment', report.environment],
    ['Started', `${new Date(report.startedAt).toISOString()} (UTC)`],
    ['Took', duration(report.durationMs)],
    ['Requests', `${counted(totals.requests)}: ${states}`],
    ['Checks', `${counted(totals.checks)}: ${counted(totals.checksPassed)} passed, ${counted(totals.checksFailed)} failed`],
    ...[uncheckedText(totals.unchecked, totals.requests)].filter((text) => text !== '').map((text) => ['Not checked', text]),
    ...[unrecordedText(totals.unrecorded)].filter((text) => text !== '').map((text) => ['Not recorded', text]),
    ...[withFindingsText(totals.withFindings, totals.requests)].filter((text) => text !== '').map((text) => ['Findings', text]),
    ...report.warnings.map((warning, at) => [at === 0 ? 'Not read' : '', warning]),
    ['Run', report.runId],
  ];
  const table = htmlTable(
    [],
    facts.map((cells) => ({ cells })),
  );
  return `<h2>About this run</h2>\n${table}`;
}

/** Returns the buttons of the filter, which only a page with several outcomes has. */
function filter({ totals }: RunReport): string {
  const wrong = totals.requests - totals.passed;
  if ((wrong === 0 || totals.passed === 0) && totals.withFindings === 0) return '';
  const choices = [
    ['all', 'All', totals.requests],
    ['wrong', 'Did not pass', wrong],
    ['passed', 'Passed', totals.passed],
    ['findings', 'With findings', totals.withFindings],
  ] as const;
  const buttons = choices.map(
    ([id, words, count]) =>
      `<label><input type="radio" name="only" id="only-${id}"${id === 'all' ? ' checked' : ''}> ${words} (${counted(count)})</label>`,
  );
  return `<fieldset><legend>Show</legend>${buttons.join('')}</fieldset>`;
}

function section(iteration: ReportedIteration, inParts: boolean, longest: number): string {
  const head =
    '<tr><th>Request</th><th>Result</th><th>Duration</th><th class="number">Code</th><th class="number">HTTP</th><th>Checks</th><th>Findings</th><th class="number">Call</th></tr>';
  const rows = iteration.requests.map((request) => row(request, longest)).join('\n');
  const table =
    iteration.requests.length === 0
      ? '<p>None.</p>'
      : `<div class="wide"><table class="requests"><thead>${head}</thead><tbody>${rows}</tbody></table></div>`;
  if (!inParts) return table;
  const wrong = iteration.requests.filter(({ state, unrecorded }) => state !== 'passed' || unrecorded !== '').length;
  const title = `${roundOf(iteration)}: ${wrong === 0 ? 'all passed' : `${counted(wrong)} not passed or not recorded`}`;
  const state = wrong === 0 ? 'passed' : 'wrong';
  return `<details class="iteration ${state}"${wrong === 0 ? '' : ' open'}><summary class="${wrong === 0 ? 'good' : 'error'}">${escapeHtml(title)}</summary>\n${table}</details>`;
}

function row(request: ReportedRequest, longest: number): string {
  const { path, operation, state, reason, code, status, durationMs, callId, unrecorded } = request;
  const result = [reason === '' ? state : `${state}: ${reason}`, unrecorded].filter((text) => text !== '').join('\n');
  const cells = [
    `<td>${escapeHtml(path)}${operation === null ? '' : ` <small>${operation}</small>`}</td>`,
    `<td class="result ${unrecorded === '' ? marks[state] : 'error'}">${escapeHtml(result)}</td>`,
    `<td class="time">${durationMs === null ? '' : bar(durationMs, longest)}</td>`,
    ...[code, status].map((value) => `<td class="number">${value ?? ''}</td>`),
    `<td>${checksOf(request.checks)}</td>`,
    `<td>${findingsOf(request)}</td>`,
    `<td class="number">${callId ?? ''}</td>`,
  ];
  const shownAs = unrecorded === '' ? state : 'error';
  return `<tr class="request ${shownAs}${request.findings.some(needsAttention) ? ' findings' : ''}">${cells.join('')}</tr>`;
}

/** Draws a duration beside its number; the longest of the report has the whole width. */
function bar(milliseconds: number, longest: number): string {
  const share = longest === 0 ? 0 : milliseconds / longest;
  return `<span class="bar" style="width:${(share * 5).toFixed(2)}rem"></span>${duration(milliseconds)}`;
}

function checksOf(checks: readonly CheckResult[]): string {
  if (checks.length === 0) return '';
  const passed = checks.filter((check) => check.passed).length;
  const items = checks.map(
    (check) =>
      `<div class="${check.passed ? 'good' : 'error'}">${check.passed ? '✓' : '✗'} ${escapeHtml(check.passed ? check.check : failedCheckText(check))}</div>`,
  );
  return `<details><summary>${passed} of ${checks.length}</summary>${items.join('')}</details>`;
}

function findingsOf({ findings }: ReportedRequest): string {
  if (findings.length === 0) return '';
  const items = findings.map(
    (finding) => `<div class="${classOf(finding)}">${escapeHtml(`${finding.about}, ${findingText(finding)}`)}</div>`,
  );
  return `<details><summary>${findings.length}</summary>${items.join('')}</details>`;
}

function classOf(finding: ReportedFinding): string {
  if (finding.severity === 'error') return 'error';
  return needsAttention(finding) ? 'warning' : '';
}
