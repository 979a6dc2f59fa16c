import { expect, it } from 'vitest';
import { noRequests } from '#shared/collections/run-report.ts';
import { readEntry } from './report-lines.ts';

const start = {
  runId: 'r',
  collectionId: 'c',
  collection: 'C',
  path: '',
  environmentId: 'e',
  environment: 'E',
  startedAt: 1,
  planned: 1,
  warnings: [],
  process: 'p',
  repeat: 1,
  hasData: false,
};
const check = { check: 'code is 0', passed: true, expected: '0', actual: '0', message: '' };
const request = {
  path: 'a',
  operation: 'bet',
  state: 'passed',
  reason: '',
  callId: 1,
  code: 0,
  status: 200,
  durationMs: 1,
  checks: [check],
};

it('a line that a newer version wrote is read without what this one does not understand', () => {
  expect(readEntry(JSON.stringify({ start: { ...start, machine: { name: 'x' } }, later: 1 }))).toEqual({ start });
  const end = { state: 'finished', durationMs: 1, totals: noRequests() };
  expect(readEntry(JSON.stringify({ end: { ...end, totals: { ...end.totals, skippedLater: 1 }, later: 1 } }))).toEqual({ end });
  const finished = { iteration: 1, row: null, request: { ...request, later: 1, checks: [{ ...check, hint: 'h' }] }, later: 1 };
  const read = readEntry(JSON.stringify({ index: 3, request: finished, later: [] }));
  expect(read).toMatchObject({ index: 3, request: { iteration: 1, row: null, request } });
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
