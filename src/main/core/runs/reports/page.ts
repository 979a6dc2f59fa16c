import type { ReportedIteration, RunReport } from '#shared/collections/run-report.ts';
import type { CheckResult, ReportedFinding, ReportedRequest, RequestState } from '#shared/collections/reported-request.ts';
import { uncheckedText, unrecordedText, withFindingsText } from '#shared/collections/run-words.ts';
import { findingText, needsAttention } from '#shared/provider/findings.ts';
import { escapeHtml, htmlPage, htmlTable } from '../../files/html.ts';

/** Paths may be long, and the place of a check is read best on few lines. */
const style =
  '<style>body { max-width: 80rem; } td:first-child { white-space: pre-wrap; min-width: 8rem; } td:nth-child(2) { overflow-wrap: normal; } td details { min-width: 12rem; } td details div { margin-top: .35rem; } summary { cursor: pointer; }</style>';

const marks: Readonly<Record<RequestState, string>> = {
  passed: 'good',
  failed: 'error',
  error: 'error',
  skipped: 'warning',
  cancelled: 'warning',
};

/** A run as one HTML file for a person: what failed first, then every request. No script, nothing loaded. */
export function pageReport(report: RunReport): string {
  const { totals, iterations } = report;
  const facts = [
    ['Environment', report.environment],
    ['Started', `${new Date(report.startedAt).toISOString()} (UTC)`],
    ['Took', duration(report.durationMs)],
    ['Requests', `${counted(totals.requests)}: ${statesOf(totals)}`],
    ['Checks', `${counted(totals.checks)}: ${counted(totals.checksPassed)} passed, ${counted(totals.checksFailed)} failed`],
    ...[uncheckedText(totals.unchecked, totals.requests)].filter((text) => text !== '').map((text) => ['Not checked', text]),
    ...[unrecordedText(totals.unrecorded)].filter((text) => text !== '').map((text) => ['Not recorded', text]),
    ...[withFindingsText(totals.withFindings, totals.requests)].filter((text) => text !== '').map((text) => ['Findings', text]),
    ...report.warnings.map((warning, at) => [at === 0 ? 'Not read' : '', warning]),
    ['Run', report.runId],
  ];
  const overview = htmlTable(
    [],
    facts.map((cells) => ({ cells })),
  );
  const sections = iterations.map((iteration) => section(iteration, iterations.length > 1));
  return htmlPage(
    `${report.collection}: ${verdict(report)}`,
    `${style}\n${overview}\n${failures(report)}\n<h2>Requests</h2>\n${sections.join('\n')}`,
  );
}

function verdict({ totals }: RunReport): string {
  const wrong = totals.failed + totals.errored;
  const words =
    wrong > 0
      ? `${counted(wrong)} of ${counted(totals.requests)} failed`
      : totals.passed === totals.requests
        ? 'all passed'
        : 'not all were run';
  return [words, unrecordedText(totals.unrecorded)].filter((text) => text !== '').join(', ');
}

function statesOf({ passed, failed, errored, skipped, cancelled }: RunReport['totals']): string {
  const parts = [
    `${counted(passed)} passed`,
    `${counted(failed)} failed`,
    `${counted(errored)} with an error`,
    `${counted(skipped)} skipped`,
    ...(cancelled === 0 ? [] : [`${counted(cancelled)} cancelled`]),
  ];
  return parts.join(', ');
}

function failures({ iterations }: RunReport): string {
  const rows = iterations.flatMap((iteration) =>
    iteration.requests.flatMap((request) => {
      const where = iterations.length === 1 ? request.path : `${request.path}, ${roundOf(iteration)}`;
      const lost = request.unrecorded === '' ? [] : [{ cells: [where, request.unrecorded, '', ''] }];
      if (request.state !== 'failed' && request.state !== 'error') return lost;
      const failed = request.checks.filter(({ passed }) => !passed);
      if (request.state === 'error' || failed.length === 0) return [{ cells: [where, request.reason, '', ''] }, ...lost];
      const rowsOfChecks = failed.map(({ check, expected, actual, message }) => ({
        cells: [where, `${check}\n${message}`, expected, actual],
      }));
      return [...rowsOfChecks, ...lost];
    }),
  );
  if (rows.length === 0) return '';
  return `<h2>What failed</h2>\n${htmlTable(['Request', 'Check', 'Expected', 'Actual'], rows)}`;
}

function section(iteration: ReportedIteration, inParts: boolean): string {
  const head =
    '<tr><th>Request</th><th>Operation</th><th>Result</th><th>Code</th><th>HTTP</th><th>ms</th><th>Checks</th><th>Findings</th><th>Call</th></tr>';
  const table =
    iteration.requests.length === 0 ? '<p>None.</p>' : `<table>${head}${iteration.requests.map(row).join('\n')}</table>`;
  if (!inParts) return table;
  const wrong = iteration.requests.filter(({ state, unrecorded }) => state !== 'passed' || unrecorded !== '').length;
  const title = `${roundOf(iteration)}: ${wrong === 0 ? 'all passed' : `${counted(wrong)} not passed or not recorded`}`;
  return `<details${wrong === 0 ? '' : ' open'}><summary class="${wrong === 0 ? 'good' : 'error'}">${escapeHtml(title)}</summary>\n${table}</details>`;
}

function roundOf({ number, row: dataRow }: ReportedIteration): string {
  return dataRow === null ? `iteration ${counted(number)}` : `row ${counted(dataRow)}`;
}

function row(request: ReportedRequest): string {
  const { path, operation, state, reason, code, status, durationMs, callId, unrecorded } = request;
  const result = [reason === '' ? state : `${state}: ${reason}`, unrecorded].filter((text) => text !== '').join('\n');
  const cells = [path, operation ?? ''].map((text) => `<td>${escapeHtml(text)}</td>`);
  cells.push(`<td class="${unrecorded === '' ? marks[state] : 'error'}">${escapeHtml(result)}</td>`);
  for (const value of [code, status, durationMs === null ? null : Math.round(durationMs)]) cells.push(`<td>${value ?? ''}</td>`);
  cells.push(`<td>${checksOf(request.checks)}</td>`, `<td>${findingsOf(request)}</td>`, `<td>${callId ?? ''}</td>`);
  return `<tr>${cells.join('')}</tr>`;
}

function checksOf(checks: readonly CheckResult[]): string {
  if (checks.length === 0) return '';
  const passed = checks.filter((check) => check.passed).length;
  const items = checks.map(
    ({ passed: isPassed, check, message }) =>
      `<div class="${isPassed ? 'good' : 'error'}">${isPassed ? '✓' : '✗'} ${escapeHtml(message === '' ? check : `${check}: ${message}`)}</div>`,
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

function duration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

function counted(value: number): string {
  return value.toLocaleString('en');
}
