import { describe, expect, it } from 'vitest';
import { RunReport, type ReportedIteration } from '#shared/collections/run-report.ts';
import type { CheckResult, ReportedFinding, ReportedRequest } from '#shared/collections/reported-request.ts';
import { totalsOf } from '#shared/collections/run-totals.ts';
import { someReported } from '#testing/some-run.ts';
import { pageReport } from './page.ts';

const check = (passed: boolean, more: Partial<CheckResult> = {}): CheckResult => ({
  check: 'code is 0',
  passed,
  expected: '0',
  actual: passed ? '0' : '7',
  message: passed ? '' : 'It is 7.',
  ...more,
});

const request = (more: Partial<ReportedRequest> = {}) =>
  someReported({ path: 'wallet/Bet', callId: 12, durationMs: 12.6, ...more });

function pageOf(iterations: ReportedIteration[], more: Partial<RunReport> = {}): string {
  const totals = totalsOf(iterations.flatMap(({ requests }) => requests));
  const facts = {
    runId: 'r1',
    collection: 'Starter',
    environment: 'Sandbox',
    startedAt: Date.UTC(2026, 0, 2),
    durationMs: 999.4,
  };
  return pageReport(RunReport.parse({ ...facts, totals, iterations, ...more }));
}

const one = (...requests: ReportedRequest[]): ReportedIteration[] => [{ number: 1, row: null, requests }];
const many = (count: number, row: number | null, ...requests: ReportedRequest[]): ReportedIteration[] =>
  Array.from({ length: count }, (_, at) => ({ number: at + 1, row: row === null ? null : row + at, requests }));

/** The texts of the cells of each row of a page, a blank for each tag between. */
const rowsOf = (html: string) =>
  Array.from(html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs), ([, row = '']) =>
    Array.from(row.matchAll(/<t[dh]([^>]*)>(.*?)<\/t[dh]>/gs), ([, attributes = '', text = '']) => {
      const kind = /class="([\w ]+)"/.exec(attributes)?.[1];
      return `${kind === undefined ? '' : `${kind}: `}${text}`;
    }),
  );
const titleOf = (html: string) => /<title>(.*?)<\/title>/s.exec(html)?.[1];
const sectionsOf = (html: string) =>
  Array.from(html.matchAll(/<details class="iteration \w+"( open)?><summary class="(\w+)">(.*?)</g), (found) => found.slice(1));
const factOf = (html: string, name: string) => rowsOf(html).find(([first]) => first === name)?.[1];

const failed = request({ state: 'failed', checks: [check(true), check(false)] });
const errored = request({ state: 'error', reason: 'No answer came.', callId: null, code: null, status: null, durationMs: null });
const skipped = request({ state: 'skipped', reason: 'Not reached.', operation: null, callId: null });
const cancelled = request({ state: 'cancelled' });

describe('the page of a run', () => {
  it.each<[string, ReportedRequest[]]>([
    ['Starter: all passed', [request(), request()]],
    ['Starter: nothing was run', []],
    ['Starter: 1 skipped, of 2 requests', [request(), skipped]],
    ['Starter: 1 cancelled, of 2 requests', [request(), cancelled]],
    ['Starter: 1 failed, of 2 requests', [request(), failed]],
    ['Starter: 1 failed, 1 with an error, 1 skipped, of 3 requests', [skipped, failed, errored]],
    ['Starter: all passed, 1 outcome is not in the history', [request({ unrecorded: 'Lost.' })]],
    ['Starter: 1 failed, of 1 request, 1 outcome is not in the history', [{ ...failed, unrecorded: 'Lost.' }]],
  ])('is titled %s', (title, requests) => {
    expect(titleOf(pageOf(one(...requests)))).toBe(title);
  });

  it('has the facts of the run, each only where there is one', () => {
    const plain = pageOf(one(request(), failed, errored, skipped));
    expect(rowsOf(plain).slice(0, 6)).toEqual([
      ['Environment', 'Sandbox'],
      ['Started', '2026-01-02T00:00:00.000Z (UTC)'],
      ['Took', '999 ms'],
      ['Requests', '4: 1 passed, 1 failed, 1 with an error, 1 skipped'],
      ['Checks', '2: 1 passed, 1 failed'],
      ['Run', 'r1'],
    ]);
    const finding: ReportedFinding = { rule: 'r', severity: 'warning', path: '/a', message: 'm', about: 'request' };
    const full = pageOf(one(request({ unchecked: true, unrecorded: 'Lost.', findings: [finding] }), cancelled), {
      durationMs: 1_000,
      warnings: ['First.', 'Second.'],
    });
    expect(rowsOf(full).slice(2, 11)).toEqual([
      ['Took', '1.0 s'],
      ['Requests', '2: 1 passed, 1 cancelled'],
      ['Checks', '0: 0 passed, 0 failed'],
      ['Not checked', '1 of 2 requests has no check of its own'],
      ['Not recorded', '1 outcome is not in the history'],
      ['Findings', '1 of 2 requests has findings'],
      ['Warnings', 'First.'],
      ['', 'Second.'],
      ['Run', 'r1'],
    ]);
    expect(factOf(pageOf(one(...Array.from({ length: 1_200 }, () => request()))), 'Requests')).toMatch(/^1,200: 1,200 passed/);
  });

  it('says what failed first, in words: the reason, each check, and what the history lacks', () => {
    const lost = { unrecorded: 'Lost.' };
    const saidOf = (html: string) =>
      Array.from(
        html.matchAll(/<h3>(.*?) <small>(.*?)<\/small><\/h3>\n<p class="error">(.*?)<\/p>(?:<ul>(.*?)<\/ul>)?/gs),
        (found) => found.slice(1).filter((text) => text !== undefined),
      );
    const html = pageOf(
      one(
        request(lost),
        { ...failed, path: 'A' },
        { ...failed, path: 'B', checks: [], reason: 'It failed.' },
        { ...errored, path: 'C', ...lost, checks: [check(false)] },
        {
          ...failed,
          path: 'D',
          checks: [check(false), check(false, { check: 'x', message: 'e is not a', expected: 'e', actual: 'a' })],
        },
        skipped,
      ),
    );
    expect(saidOf(html)).toEqual([
      ['First: wallet/Bet', 'bet, passed', 'Lost.'],
      ['A', 'bet, failed', 'code is 0: expected 0, actual 7. It is 7.'],
      ['B', 'bet, failed', 'It failed.'],
      ['C', 'bet, with an error', 'No answer came.', '<li>Lost.</li>'],
      ['D', 'bet, failed', 'code is 0: expected 0, actual 7. It is 7.', '<li>x: e is not a</li>'],
    ]);
    expect(html.indexOf('What failed')).toBeLessThan(html.indexOf('About this run'));
    expect(pageOf(one(request(), skipped))).not.toContain('What failed');
    expect(saidOf(pageOf(many(2, null, failed))).map((said) => said.slice(0, 2))).toEqual([
      ['First: wallet/Bet', 'bet, iteration 1, failed'],
      ['wallet/Bet', 'bet, iteration 2, failed'],
    ]);
  });

  it('tells a hundred failures whole, and each of the others in a row', () => {
    const html = pageOf(many(103, 1, failed));
    expect(html.match(/<article/g)).toHaveLength(100);
    expect(html).toContain('<summary>And 3 more</summary>');
    expect(rowsOf(html).filter(([where]) => where?.startsWith('wallet/Bet, row 10'))).toEqual(
      [101, 102, 103].map((row) => [`wallet/Bet, row ${row}`, 'code is 0: expected 0, actual 7. It is 7.']),
    );
  });

  it('holds the call of a failed request, escaped, the first one open; without it, its number in the history', () => {
    const call = {
      url: 'https://a.example/?<',
      requestBody: '{"a":"<b>"}',
      hashInput: '<PRIVATE_KEY>01-01-2026{}',
      hash: 'abc',
      responseBody: '{"code":7}',
      verdict: 'One.\nTwo.',
    };
    const html = pageOf(
      one(
        { ...failed, call },
        { ...failed, call: { ...call, hashInput: null, hash: null, responseBody: null, verdict: '' } },
        failed,
        errored,
      ),
    );
    const articles = html.split('<article').slice(1);
    expect(articles[0]).toContain('<h4>Verdict</h4><p>One.\nTwo.</p><details open>');
    for (const text of [
      'POST https://a.example/?&lt;\n\n{&quot;a&quot;:&quot;&lt;b&gt;&quot;}',
      '&lt;PRIVATE_KEY&gt;01-01-2026{}',
      'HTTP 200 after 13 ms',
      '<code>abc</code>',
    ])
      expect(articles[0]).toContain(text);
    expect(articles[1]).toContain('</p><details><summary>');
    expect(articles[1]).toContain('<h4>Response</h4><p>None.</p>');
    expect(articles[1]).toContain('This method is not signed.');
    expect(articles[2]).toContain('call 12 in the history of the machine that ran it');
    expect(articles[3]).not.toContain('in the history');
  });

  it('has a row for each request, marked by its outcome, with its duration as a bar of the longest', () => {
    const rows = rowsOf(
      pageOf(one(request(), failed, errored, skipped, cancelled, request({ unrecorded: 'Lost.', durationMs: 25.2 }))),
    );
    const from = rows.findIndex(([, second]) => second === 'Result');
    const checks =
      '<details><summary>1 of 2</summary><div class="good">✓ code is 0</div><div class="error">✗ code is 0: expected 0, actual 7. It is 7.</div></details>';
    const time = (rem: string, words: string) => `time: <span class="bar" style="width:${rem}rem"></span>${words}`;
    const bet = 'wallet/Bet <small>bet</small>';
    const [half, zero, answered] = [time('2.50', '13 ms'), 'number: 0', 'number: 200'];
    expect(rows.slice(from)).toEqual([
      ['Request', 'Result', 'Duration', 'number: Code', 'number: HTTP', 'Checks', 'Findings', 'number: Call'],
      [bet, 'result good: passed', half, zero, answered, '', '', 'number: 12'],
      [bet, 'result error: failed', half, zero, answered, checks, '', 'number: 12'],
      [bet, 'result error: error: No answer came.', 'time: ', 'number: ', 'number: ', '', '', 'number: '],
      ['wallet/Bet', 'result warning: skipped: Not reached.', half, zero, answered, '', '', 'number: '],
      [bet, 'result warning: cancelled', half, zero, answered, '', '', 'number: 12'],
      [bet, 'result error: passed\nLost.', time('5.00', '25 ms'), zero, answered, '', '', 'number: 12'],
    ]);
  });

  it('has a filter whose counts are those of the run, where outcomes differ', () => {
    const choices = (html: string) => Array.from(html.matchAll(/id="only-\w+"[^>]*> (.*?)<\/label>/g), ([, words]) => words);
    expect(choices(pageOf(one(request(), request(), failed, skipped)))).toEqual([
      'All (4)',
      'Not passed (2)',
      'Passed (2)',
      'With findings (0)',
    ]);
    expect(choices(pageOf(one(request())))).toEqual([]);
  });

  it('has nothing in a row but its cells', () => {
    const page = pageOf(one(request(), failed, errored, skipped));
    const rows = [...page.matchAll(/<tr class="request[^>]*>(.*?)<\/tr>/gs)].map(([, cells = '']) => cells);
    expect(rows).toHaveLength(4);
    for (const cells of rows) expect(cells.replaceAll(/<(t[dh])[^>]*>.*?<\/\1>/gs, '').trim()).toBe('');
  });

  it('has the findings of a request, each by its weight', () => {
    const finding: ReportedFinding = { rule: 'r', severity: 'warning', path: '/a<b', message: 'a < b', about: 'request' };
    const page = pageOf(
      one(
        request({ findings: [finding, { ...finding, severity: 'error', about: 'response' }, { ...finding, severity: 'note' }] }),
      ),
    );
    expect(page).toContain('<details><summary>3</summary><div class="warning">request, warning at /a&lt;b: a &lt; b</div>');
    expect(page).toContain('<div class="error">response, error at /a&lt;b: a &lt; b</div><div class="">request, note at');
  });

  it('folds its iterations, and opens those in which not all is well', () => {
    expect(sectionsOf(pageOf(many(2, 7, request())))).toEqual([
      [undefined, 'good', 'row 7: all passed'],
      [undefined, 'good', 'row 8: all passed'],
    ]);
    expect(
      sectionsOf(
        pageOf([
          ...many(1, null, request(), failed, skipped),
          { number: 2_000, row: null, requests: [request({ unrecorded: 'Lost.' })] },
        ]),
      ),
    ).toEqual([
      [' open', 'error', 'iteration 1: 2 not passed or not recorded'],
      [' open', 'error', 'iteration 2,000: 1 not passed or not recorded'],
    ]);
    expect(sectionsOf(pageOf(one(failed)))).toEqual([]);
    expect(pageOf(one())).toContain('<p>None.</p>');
    expect(pageOf([])).toContain('<h2>Requests</h2>');
  });
});
