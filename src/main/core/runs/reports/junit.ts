import type { ReportedIteration, RunReport } from '#shared/collections/run-report.ts';
import type { CheckResult, ReportedCall, ReportedRequest, RunTotals } from '#shared/collections/reported-request.ts';
import { failedCheckText } from '#shared/collections/run-words.ts';
import { totalsOf } from '#shared/collections/run-totals.ts';
import { findingText } from '#shared/provider/findings.ts';
import { attributesOf, escapeXml } from '../../files/xml.ts';

/**
 * Writes a run as JUnit XML, valid by Jenkins's and by Ant's schema: a suite for each iteration, a test case for each request.
 * `failed` is a failure, `error` an error; skipped and cancelled requests are skipped. One that passed and whose outcome is not in
 * the history is an error: JUnit has no other word for it.
 */
export function junitReport(report: RunReport): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>'];
  for (const [id, iteration] of report.iterations.entries()) lines.push(...suite(report, iteration, id));
  lines.push('</testsuites>', '');
  return lines.join('\n');
}

function suite(report: RunReport, iteration: ReportedIteration, id: number): string[] {
  const { requests } = iteration;
  const count = (...states: readonly ReportedRequest['state'][]) => requests.filter(({ state }) => states.includes(state)).length;
  const attributes = {
    name: nameOf(report, iteration),
    package: report.collection,
    id,
    // Ant's schema has no zone and demands a host name; ours is not for others.
    timestamp: new Date(report.startedAt).toISOString().slice(0, 19),
    hostname: 'localhost',
    tests: requests.length,
    failures: count('failed'),
    errors: count('error', 'unfinished') + requests.filter(isIncomplete).length,
    skipped: count('skipped', 'cancelled'),
    time: seconds(requests.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)),
  };
  const suffix = report.iterations.length === 1 ? '' : ` (${roundOf(iteration)})`;
  return [
    `  <testsuite${attributesOf(attributes)}>`,
    '    <properties>',
    `      <property${attributesOf({ name: 'environment', value: report.environment })}/>`,
    `      <property${attributesOf({ name: 'run', value: report.runId })}/>`,
    ...countsOf(totalsOf(requests)).map(([name, value]) => `      <property${attributesOf({ name, value })}/>`),
    '    </properties>',
    ...requests.flatMap((request) => testCase(report, request, suffix)),
    printed('system-out', requests.flatMap(findingsOf)),
    printed('system-err', report.warnings),
    '  </testsuite>',
  ];
}

function nameOf(report: RunReport, iteration: ReportedIteration): string {
  const name = report.collection.trim() === '' ? 'Collection' : report.collection;
  return report.iterations.length === 1 ? name : `${name}, ${roundOf(iteration)}`;
}

function roundOf({ number, row }: ReportedIteration): string {
  return row === null ? `iteration ${number}` : `row ${row}`;
}

function testCase(report: RunReport, request: ReportedRequest, suffix: string): string[] {
  const steps = request.path.split('/');
  const name = (steps.pop() ?? '') + suffix;
  // Jenkins shows what stands before the last dot as a package.
  const classname = [report.collection, ...steps].join('.');
  const opening = `    <testcase${attributesOf({ name, classname, time: seconds(request.durationMs ?? 0) })}`;
  const body = outcomeOf(request);
  return body === null ? [`${opening}/>`] : [`${opening}>`, `      ${body}`, '    </testcase>'];
}

/** Returns the counts for which JUnit has no attribute, without zeros. */
function countsOf({ unchecked, unrecorded, withFindings }: RunTotals): readonly (readonly [string, number])[] {
  const counts = [
    ['requests without a check', unchecked],
    ['outcomes not in the history', unrecorded],
    ['requests with findings', withFindings],
  ] as const;
  return counts.filter(([, count]) => count > 0);
}

function isIncomplete({ state, unrecorded }: ReportedRequest): boolean {
  return state === 'passed' && unrecorded !== '';
}

function outcomeOf({ state, reason, checks, callId, unrecorded, call }: ReportedRequest): string | null {
  switch (state) {
    case 'passed': {
      if (unrecorded === '') return null;
      return `<error${attributesOf({ message: unrecorded, type: 'history' })}>${escapeXml(`Every check passed. ${unrecorded}`)}</error>`;
    }
    case 'skipped':
    case 'cancelled':
      return `<skipped>${escapeXml([reason === '' ? state : reason, unrecorded].filter((text) => text !== '').join('\n'))}</skipped>`;
    case 'unfinished':
      return `<error${attributesOf({ message: reason, type: 'unfinished' })}/>`;
    case 'failed':
    case 'error': {
      const failed = checks.filter(({ passed }) => !passed);
      const message = state === 'error' || failed[0] === undefined ? reason : failedCheckText(failed[0]);
      const details = [
        ...(reason === '' ? [] : [reason]),
        ...failed.map(describeCheck),
        ...(unrecorded !== '' ? [unrecorded] : callId === null ? [] : [`Call ${callId} in the history.`]),
        ...(call === undefined ? [] : linesOfCall(call)),
      ];
      const element = state === 'error' ? 'error' : 'failure';
      return `<${element}${attributesOf({ message, type: state === 'error' ? 'error' : 'check' })}>${escapeXml(details.join('\n'))}</${element}>`;
    }
  }
}

/**
 * Writes output. For a case that is neither a failure nor an error, JUnit has only its output, and Ant's schema only that of a
 * whole suite.
 */
function printed(element: 'system-out' | 'system-err', lines: readonly string[]): string {
  return lines.length === 0 ? `    <${element}/>` : `    <${element}>${escapeXml(lines.join('\n'))}</${element}>`;
}

function findingsOf({ path, findings }: ReportedRequest): string[] {
  return findings.map((finding) => `${path}: ${finding.about}, ${findingText(finding)}`);
}

function describeCheck({ check, expected, actual, message }: CheckResult): string {
  return `${check}\n  expected: ${expected}\n  actual: ${actual}\n  ${message}`;
}

function linesOfCall({ url, requestBody, hashInput, hash, responseBody, verdict }: ReportedCall): string[] {
  return [
    ...(verdict === '' ? [] : ['', 'Verdict', verdict]),
    '',
    'Request',
    `POST ${url}`,
    requestBody,
    '',
    'Response',
    responseBody ?? '(none)',
    ...(hashInput === null ? [] : ['', 'Hash input', hashInput, `hash as sent: ${hash ?? 'none'}`]),
  ];
}

function seconds(milliseconds: number): string {
  return (Math.max(0, milliseconds) / 1_000).toFixed(3);
}
