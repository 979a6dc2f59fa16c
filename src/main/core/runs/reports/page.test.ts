import { describe, expect, it } from 'vitest';
import { RunReport, type ReportedIteration } from '#shared/collections/run-report.ts';
import type { CheckResult, ReportedFinding, ReportedRequest } from '#shared/collections/reported-request.ts';
import { totalsOf } from '#shared/collections/run-totals.ts';
import { pageReport } from './page.ts';

const check = (passed: boolean, more: Partial<CheckResult> = {}): CheckResult => ({
  check: 'code is 0',
  passed,
  expected: '0',
  actual: passed ? '0' : '7',
  message: passed ? '' : 'It is 7.',
  ...more,
});

const request = (more: Partial<ReportedRequest> = {}): ReportedRequest => ({
  path: 'wallet/Bet',
  operation: 'bet',
  state: 'passed',
  reason: '',
  callId: 12,
  code: 0,
  status: 200,
  durationMs: 12.6,
  checks: [],
  unchecked: false,
  unrecorded: '',
  findings: [],
  ...more,
});

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
      const kind = /class="(\w+)"/.exec(attributes)?.[1];
      return `${kind === undefined ? '' : `${kind}: `}${text}`;
    }),
  );
const titleOf = (html: string) => /<title>(.*?)<\/title>/s.exec(html)?.[1];
const sectionsOf = (html: string) =>
  Array.from(html.matchAll(/<details( open)?><summary class="(\w+)">(.*?)</g), (found) => found.slice(1));
const factOf = (html: string, name: string) => rowsOf(html).find(([first]) => first === name)?.[1];

const failed = request({ state: 'failed', checks: [check(true), check(false)] });
const errored = request({ state: 'error', reason: 'No answer came.', callId: null, code: null, status: null, durationMs: null });
const skipped = request({ state: 'skipped', reason: 'Not reached.', operation: null, callId: null });
const cancelled = request({ state: 'cancelled' });

describe('the page of a run', () => {
  it.each<[string, ReportedRequest[]]>([
    ['Starter: all passed', [request(), request()]],
    ['Starter: not all were run', [request(), skipped]],
    ['Starter: not all were run', [request(), cancelled]],
    ['Starter: 1 of 2 failed', [request(), failed]],
    ['Starter: 2 of 3 failed', [skipped, failed, errored]],
    ['Starter: all passed, 1 outcome is not in the history', [request({ unrecorded: 'Lost.' })]],
    ['Starter: 1 of 1 failed, 1 outcome is not in the history', [{ ...failed, unrecorded: 'Lost.' }]],
  ])('is titled %s', (title, requests) => {
    expect(titleOf(pageOf(one(...requests)))).toBe(title);
  });

  it('begins with the facts of the run, each only where there is one', () => {
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
      ['Requests', '2: 1 passed, 0 failed, 0 with an error, 0 skipped, 1 cancelled'],
      ['Checks', '0: 0 passed, 0 failed'],
      ['Not checked', '1 of 2 requests has no check of its own'],
      ['Not recorded', '1 outcome is not in the history'],
      ['Findings', '1 of 2 requests has findings'],
      ['Not read', 'First.'],
      ['', 'Second.'],
      ['Run', 'r1'],
    ]);
    expect(factOf(pageOf(one(...Array.from({ length: 1_200 }, () => request()))), 'Requests')).toMatch(/^1,200: 1,200 passed/);
  });

  it('says what failed first: each check, or the reason where there is none', () => {
    const lost = { unrecorded: 'Lost.' };
    const rows = rowsOf(
      pageOf(
        one(
          request(lost),
          { ...failed, path: 'A' },
          { ...failed, path: 'B', checks: [], reason: 'It failed.' },
          { ...errored, path: 'C', ...lost, checks: [check(false)] },
          {
            ...failed,
            path: 'D',
            ...lost,
            checks: [check(false), check(false, { check: 'x', message: 'y', expected: 'e', actual: 'a' })],
          },
          skipped,
        ),
      ),
    );
    const from = rows.findIndex(([, second]) => second === 'Check');
    expect(rows.slice(from, from + 9)).toEqual([
      ['Request', 'Check', 'Expected', 'Actual'],
      ['wallet/Bet', 'Lost.', '', ''],
      ['A', 'code is 0\nIt is 7.', '0', '7'],
      ['B', 'It failed.', '', ''],
      ['C', 'No answer came.', '', ''],
      ['C', 'Lost.', '', ''],
      ['D', 'code is 0\nIt is 7.', '0', '7'],
      ['D', 'x\ny', 'e', 'a'],
      ['D', 'Lost.', '', ''],
    ]);
    expect(pageOf(one(request(), skipped))).not.toContain('What failed');
    expect(pageOf(one(failed))).toContain('<h2>What failed</h2>');
    expect(rowsOf(pageOf(many(2, null, failed))).filter(([where]) => where?.startsWith('wallet/Bet, '))).toEqual([
      ['wallet/Bet, iteration 1', 'code is 0\nIt is 7.', '0', '7'],
      ['wallet/Bet, iteration 2', 'code is 0\nIt is 7.', '0', '7'],
    ]);
  });

  it('has a row for each request, marked by what it is', () => {
    const rows = rowsOf(pageOf(one(request(), failed, errored, skipped, cancelled, request({ unrecorded: 'Lost.' }))));
    const from = rows.findIndex(([, second]) => second === 'Operation');
    const checks =
      '<details><summary>1 of 2</summary><div class="good">✓ code is 0</div><div class="error">✗ code is 0: It is 7.</div></details>';
    expect(rows.slice(from)).toEqual([
      ['Request', 'Operation', 'Result', 'Code', 'HTTP', 'ms', 'Checks', 'Findings', 'Call'],
      ['wallet/Bet', 'bet', 'good: passed', '0', '200', '13', '', '', '12'],
      ['wallet/Bet', 'bet', 'error: failed', '0', '200', '13', checks, '', '12'],
      ['wallet/Bet', 'bet', 'error: error: No answer came.', '', '', '', '', '', ''],
      ['wallet/Bet', '', 'warning: skipped: Not reached.', '0', '200', '13', '', '', ''],
      ['wallet/Bet', 'bet', 'warning: cancelled', '0', '200', '13', '', '', '12'],
      ['wallet/Bet', 'bet', 'error: passed\nLost.', '0', '200', '13', '', '', '12'],
    ]);
  });

  it('has nothing in a row but its cells', () => {
    const page = pageOf(one(request(), failed, errored, skipped));
    const rows = [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, cells = '']) => cells);
    expect(rows.length).toBeGreaterThan(4);
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
