import { expect, it, vi } from 'vitest';
import { partsNotShown } from '#shared/collections/run-words.ts';
import { noRequests } from '#shared/collections/run-totals.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { someReported, someStart } from '#testing/some-run.ts';
import { createReportFiles } from './report-files.ts';
import { readEntry, reportOf } from './report-lines.ts';

const start = someStart();
const check = { check: 'code is 0', passed: true, expected: '0', actual: '0', message: '' };
const request = someReported({ path: 'a', checks: [check] });

it('a line that a newer version wrote is read without what this one does not understand', () => {
  expect(readEntry(JSON.stringify({ start: { ...start, machine: { name: 'x' } }, later: 1 }))).toEqual({ start });
  const end = { state: 'finished', durationMs: 1, totals: noRequests() };
  expect(readEntry(JSON.stringify({ end: { ...end, totals: { ...end.totals, skippedLater: 1 }, later: 1 } }))).toEqual({ end });
  const finished = { iteration: 1, row: null, request: { ...request, later: 1, checks: [{ ...check, hint: 'h' }] }, later: 1 };
  const read = readEntry(JSON.stringify({ index: 3, request: finished, later: [] }));
  expect(read).toMatchObject({ request: { index: 3, iteration: 1, row: null, request } });
  expect(JSON.stringify(read)).not.toMatch(/later|hint/);
  for (const line of [
    '',
    '{"index":1',
    'null',
    '{"later":1}',
    '{"index":"1","request":{}}',
    JSON.stringify({ start: { ...start, runId: 1 } }),
  ])
    expect(readEntry(line)).toBeNull();
});

const finished = { iteration: 1, row: null, request };
const end = { state: 'finished', durationMs: 1, totals: noRequests() };
const lines = {
  start: { start },
  request: { index: 0, request: finished },
  end: { end },
};
it('a report is in the order of its requests, not in that of their ends', () => {
  const requestAt = (iteration: number, index: number) => ({
    index,
    request: { ...finished, iteration, request: { ...request, path: `${iteration}.${index}` } },
  });
  const written = [lines.start, requestAt(2, 1), requestAt(1, 1), requestAt(2, 0), requestAt(1, 0)];
  const { iterations } = reportOf(Buffer.from(written.map((one) => `${JSON.stringify(one)}\n`).join('')));
  expect(iterations.map(({ number, requests }) => [number, ...requests.map(({ path }) => path)])).toEqual([
    [1, '1.0', '1.1'],
    [2, '2.0', '2.1'],
  ]);
});

/** Lines that a newer version might write, each beside sound lines. */
const newer: readonly (readonly [string, unknown])[] = [
  ['a field of the start', { start: { ...start, machine: 'x' } }],
  ['a field of a request', { index: 1, request: { ...finished, request: { ...request, later: 1 } } }],
  ['a field of a check', { index: 1, request: { ...finished, request: { ...request, checks: [{ ...check, hint: 'h' }] } } }],
  ['a field beside a request', { index: 1, request: finished, later: [] }],
  ['a value that is not known', { index: 1, request: { ...finished, request: { ...request, state: 'postponed' } } }],
  ['a line of another kind', { later: 1 }],
  ['a field of the end', { end: { ...end, later: 1 } }],
];

it.each(newer)('says that a report holds %s that this version does not show', async (_what, line) => {
  const text = (all: readonly unknown[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');
  // The last line of a program that was killed says nothing about another version.
  const known = `${text([lines.start, lines.request, lines.end])}{"index":2,"req`;
  const other = text([lines.start, line, lines.request, lines.end]);
  expect(reportOf(Buffer.from(known)).warnings).toEqual([]);
  expect(reportOf(Buffer.from(other)).warnings).toEqual([partsNotShown]);
  const folder = mkdtempSync(join(tmpdir(), 'croupier-report-'));
  const files = createReportFiles(folder, () => false, vi.fn());
  for (const [runId, written] of [
    ['k-0', known],
    ['o-0', other],
  ] as const) {
    writeFileSync(join(folder, `${runId}.jsonl`), written);
  }
  expect((await files.part('k-0', 0, 10)).unknown).toBe(false);
  expect((await files.part('o-0', 0, 10)).unknown).toBe(true);
  rmSync(folder, { recursive: true });
});

it('does not call a run interrupted whose end another version wrote', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'croupier-report-'));
  const write = (runId: string, all: readonly unknown[]) =>
    writeFileSync(join(folder, `${runId}.jsonl`), all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  write('n-0', [lines.start, lines.request, { end: { ...end, state: 'paused' } }]);
  write('i-0', [lines.start, lines.request]);
  const found = await createReportFiles(folder, () => false, vi.fn()).list();
  expect(Object.fromEntries(found.map(({ planned: _planned, state, totals }) => [state, totals.requests]))).toEqual({
    unknown: 1,
    interrupted: 1,
  });
  rmSync(folder, { recursive: true });
});

it('has to name what was run', () => {
  const text = [lines.request, lines.end].map((one) => `${JSON.stringify(one)}\n`).join('');
  expect(() => reportOf(Buffer.from(text))).toThrow(
    expect.objectContaining({
      code: 'not_found',
      message: "The beginning of the report is damaged, so it doesn't say what ran.",
    }),
  );
});
