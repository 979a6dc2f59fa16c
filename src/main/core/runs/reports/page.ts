import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { RunReport } from '#shared/collections/run-report.ts';
import type { CheckResult, ReportedFinding, ReportedRequest, RequestState } from '#shared/collections/reported-request.ts';
import { failedCheckText, uncheckedText, unrecordedText, withFindingsText } from '#shared/collections/run-words.ts';
import { amount } from '#shared/amount.ts';
import { findingText, needsAttention } from '#shared/provider/findings.ts';
import { caseName, countsText, gradeText, moveText, runFacts, shownAs } from '#shared/wallet/run-facts.ts';
import { escapeHtml, htmlPage, htmlTable } from '../../files/html.ts';
import { failuresPart, stepsTable } from './failures.ts';
import { counted, duration, notPassed, roundOf } from './report-words.ts';

const marks: Readonly<Record<RequestState, string>> = {
  passed: 'good',
  failed: 'error',
  error: 'error',
  unfinished: 'error',
  skipped: 'warning',
  cancelled: 'warning',
};

/** A run as one HTML file for a person: what failed first, then every request. No script, nothing loaded. */
export function pageReport(report: RunReport): string {
  const { iterations } = report;
  const longest = iterations.reduce(
    (most, { requests }) => requests.reduce((longer, { durationMs }) => Math.max(longer, durationMs ?? 0), most),
    0,
  );
  const cases = walletCasesIn(report);
  const sections = [
    cases === null ? `<h2>Requests</h2>\n${filter(report)}` : '<h2>Cases</h2>',
    ...partsOf(report).map((part, _at, parts) => section(part, parts.length > 1, longest)),
  ];
  return htmlPage(
    titleOf(report),
    [pageStyle, overview(report), failuresPart(report), about(report), ...sections].filter((part) => part !== '').join('\n'),
  );
}

/** Returns the requests of a run of wallet cases; null for any other run. */
function walletCasesIn({ iterations }: RunReport): readonly ReportedRequest[] | null {
  const requests = iterations.flatMap((iteration) => iteration.requests);
  return requests.some((request) => request.case !== undefined) ? requests : null;
}

/** Has the same counts as the facts below it. */
function titleOf(report: RunReport): string {
  const { collection, totals } = report;
  const wrong = notPassed(totals);
  const all = amount(totals.requests, 'request');
  const cases = walletCasesIn(report);
  const ran = totals.requests === 0 ? 'nothing was run' : wrong.length === 0 ? 'all passed' : `${wrong.join(', ')}, of ${all}`;
  const words = cases === null ? ran : countsText(cases);
  return [`${collection}: ${words}`, unrecordedText(totals.unrecorded)].filter((text) => text !== '').join(', ');
}

function overview(report: RunReport): string {
  const { totals, environment, startedAt, durationMs, iterations } = report;
  const shown = iterations.flatMap(({ requests }) => requests.map(shownAs));
  const bar = Object.keys(marks)
    .map((state) => [state, shown.filter((one) => one === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `<span class="${state}" style="flex-grow:${count}"></span>`);
  const when = `${new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const passed = `${counted(totals.passed)} of ${amount(totals.requests, 'request')} passed`;
  const what = walletCasesIn(report) === null ? passed : amount(totals.requests, 'case');
  const sentence = `${what} in environment ${environment}. The run started at ${when} and took ${duration(durationMs)}.`;
  return `<div class="states" aria-hidden="true">${bar.join('')}</div>\n<p>${escapeHtml(sentence)}</p>`;
}

function about(report: RunReport): string {
  const { totals } = report;
  const cases = walletCasesIn(report);
  const states = [`${counted(totals.passed)} passed`, ...notPassed(totals)].join(', ');
  const facts = [
    ['Environment', report.environment],
    ['Started', `${new Date(report.startedAt).toISOString()} (UTC)`],
    ['Took', duration(report.durationMs)],
    ...(cases === null
      ? [
          ['Requests', `${counted(totals.requests)}: ${states}`],
          ['Checks', `${counted(totals.checks)}: ${counted(totals.checksPassed)} passed, ${counted(totals.checksFailed)} failed`],
        ]
      : [['Cases', `${counted(totals.requests)}: ${countsText(cases)}`]]),
    ['Not checked', uncheckedText(totals.unchecked, totals.requests)],
    ['Not recorded', unrecordedText(totals.unrecorded)],
    ['Findings', withFindingsText(totals.withFindings, totals.requests)],
    ...report.warnings.map((warning, at) => [at === 0 ? 'Warnings' : '', warning]),
    ['Run', report.runId],
  ].filter(([, text]) => text !== '');
  const ofCases = runFacts(cases ?? []).map(({ name, text, bad }) => ({ cells: [name, text], mark: bad ? 'error' : 'info' }));
  const table = htmlTable([], [...facts.map((cells) => ({ cells })), ...ofCases]);
  return `<h2>About this run</h2>\n${table}`;
}

/** Returns the buttons of the filter, which only a page with several outcomes has. */
function filter({ totals }: RunReport): string {
  const wrong = totals.requests - totals.passed;
  if ((wrong === 0 || totals.passed === 0) && totals.withFindings === 0) return '';
  const choices = [
    ['all', 'All', totals.requests],
    ['wrong', 'Not passed', wrong],
    ['passed', 'Passed', totals.passed],
    ['findings', 'With findings', totals.withFindings],
  ] as const;
  const buttons = choices.map(
    ([id, words, count]) =>
      `<label><input type="radio" name="only" id="only-${id}"${id === 'all' ? ' checked' : ''}> ${words} (${counted(count)})</label>`,
  );
  return `<fieldset><legend>Show</legend>${buttons.join('')}</fieldset>`;
}

/** Returns the parts of the table of requests: iterations, or groups of wallet cases. The mark says whether all is well in it. */
function partsOf(report: RunReport) {
  const groups = Map.groupBy(walletCasesIn(report) ?? [], ({ path }) => path.slice(0, path.indexOf('/')));
  if (groups.size > 0)
    return Array.from(groups, ([group, requests]) => {
      const verdicts = requests.map((request) => request.case?.verdict);
      const mark = verdicts.includes('fails') ? 'error' : verdicts.includes('warns') ? 'warning' : '';
      return { title: `${group}: ${countsText(requests)}`, requests, mark };
    });
  return report.iterations.map((iteration) => {
    const { requests } = iteration;
    const wrong = requests.filter(({ state, unrecorded }) => state !== 'passed' || unrecorded !== '').length;
    const words = wrong === 0 ? 'all passed' : `${counted(wrong)} not passed or not recorded`;
    return { title: `${roundOf(iteration)}: ${words}`, requests, mark: wrong === 0 ? 'good' : 'error' };
  });
}

function section({ title, requests, mark }: ReturnType<typeof partsOf>[number], inParts: boolean, longest: number): string {
  const head =
    '<tr><th>Request</th><th>Result</th><th>Duration</th><th class="number">Code</th><th class="number">HTTP</th><th>Checks</th><th>Findings</th><th class="number">Call</th></tr>';
  const rows = requests.map((request) => row(request, longest)).join('\n');
  const table =
    requests.length === 0
      ? '<p>None.</p>'
      : `<div class="wide"><table class="requests"><thead>${head}</thead><tbody>${rows}</tbody></table></div>`;
  if (!inParts) return table;
  const isBad = mark === 'error' || mark === 'warning';
  return `<details class="iteration ${isBad ? 'wrong' : 'passed'}"${isBad ? ' open' : ''}><summary class="${mark}">${escapeHtml(title)}</summary>\n${table}</details>`;
}

function row(request: ReportedRequest, longest: number): string {
  const { path, operation, state, reason, code, status, durationMs, callId, unrecorded, case: one } = request;
  const [verdict, saw] = one === undefined ? [state, reason] : [one.verdict, one.saw];
  const moves = (one?.moved ?? []).map(moveText);
  const result = [saw === '' ? verdict : `${verdict}: ${saw}`, ...moves, unrecorded].filter((text) => text !== '').join('\n');
  const mark = unrecorded === '' ? marks[shownAs(request)] : 'error';
  const [name, about] = one === undefined ? [path, operation] : [caseName(path), gradeText(one)];
  const cells = [
    `<td>${escapeHtml(name)}${about === null ? '' : ` <small>${escapeHtml(about)}</small>`}</td>`,
    `<td class="result ${mark}">${escapeHtml(result)}</td>`,
    `<td class="time">${durationMs === null ? '' : bar(durationMs, longest)}</td>`,
    ...[code, status].map((value) => `<td class="number">${value ?? ''}</td>`),
    `<td>${one === undefined ? checksOf(request.checks) : stepsOf(one)}</td>`,
    `<td>${findingsOf(request)}</td>`,
    `<td class="number">${callId ?? ''}</td>`,
  ];
  return `<tr class="request ${unrecorded === '' ? state : 'error'}${request.findings.some(needsAttention) ? ' findings' : ''}">${cells.join('')}</tr>`;
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

function stepsOf(one: CaseOutcome): string {
  if (one.steps.length === 0) return '';
  return `<details><summary>${amount(one.steps.length, 'step')}</summary>${stepsTable(one)}</details>`;
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

/**
 * The look of a run's page, in light, dark and print. It has no script, because CI servers that show reports forbid them: the filter is a group
 * of radio buttons.
 */
const pageStyle = `<style>
:root { --good: light-dark(#0a6b47, #6ddba8); --bad: light-dark(#b3261e, #ff8a80); --left: light-dark(#7a5900, #ffcf70); --line: light-dark(#d5d5da, #45454d); --ground: light-dark(#f5f5f7, #212126); }
body { max-width: 80rem; background: light-dark(#fff, #17171a); color: light-dark(#1b1b1f, #e6e6ea); }
h1 { margin-bottom: .25rem; } h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; } h4 { margin: .75rem 0 .25rem; font-size: .9rem; }
small { font-weight: normal; color: light-dark(#5a5a62, #a9a9b3); }
.states { display: flex; height: .75rem; margin: 1rem 0 .5rem; gap: 2px; }
.states span { min-width: 4px; border-radius: 2px; } .states .passed { background: var(--good); } .states :is(.failed, .error, .unfinished) { background: var(--bad); } .states .skipped, .states .cancelled { background: var(--left); }
.failure { margin: .75rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 4px; background: var(--ground); }
.failure p { margin: .35rem 0; white-space: pre-wrap; overflow-wrap: anywhere; } .failure ul { margin: .35rem 0; padding-left: 1.25rem; } .failure li { overflow-wrap: anywhere; white-space: pre-wrap; }
.failure table { margin: .35rem 0; }
.failure pre { margin: .25rem 0; max-height: 24rem; overflow: auto; border: 1px solid var(--line); background: light-dark(#fff, #17171a); }
summary { cursor: pointer; } fieldset { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0 0 1rem; padding: 0; border: 0; } legend { padding: 0; font-weight: 600; }
.wide { overflow-x: auto; } td, th { padding-right: 1rem; } td:first-child { white-space: pre-wrap; min-width: 9rem; } td details { min-width: 12rem; } td details div { margin-top: .35rem; }
.requests th, .requests td.number { white-space: nowrap; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; } td.result { min-width: 8rem; }
td.time { min-width: 9rem; white-space: nowrap; font-variant-numeric: tabular-nums; } .bar { display: inline-block; height: .6rem; min-width: 2px; margin-right: .5rem; border-radius: 2px; background: light-dark(#5b6ee1, #8fa0ff); } .failed .bar, .error .bar { background: var(--bad); }
body:has(#only-wrong:checked) tr.passed, body:has(#only-passed:checked) tr:is(.failed, .error, .unfinished, .skipped, .cancelled), body:has(#only-findings:checked) tr.request:not(.findings) { display: none; }
body:has(#only-wrong:checked) .iteration.passed { display: none; }
@media (width < 40rem) { td.time { min-width: 0; } .bar { max-width: 1.5rem; } td:first-child, td.result { min-width: 6rem; } }
@media print { :root { color-scheme: light; font-size: 10px; } body { margin: 0; max-width: none; } fieldset { display: none; } details::details-content { content-visibility: visible; display: block; height: auto; }
.failure pre { max-height: none; } pre, code { font-size: 9px; } .failure, tr { break-inside: avoid; } .states span, .bar { print-color-adjust: exact; } }
</style>`;
