import { describe, expect, it } from 'vitest';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import { noRequests } from '#shared/collections/run-totals.ts';
import { runWord, sumOf, timeLeft, totalsText, whyText } from './run-words.ts';

const failedCheck = { check: 'code is 7', passed: false, expected: '7', actual: '0', message: 'It is 0.' };

describe('words of a run', () => {
  it('add up to what was planned in every state', () => {
    const totals = { ...noRequests(), requests: 6, passed: 3, failed: 1, errored: 1, skipped: 1 };
    const cases = [
      { run: { state: 'running', planned: 10, totals }, live: { underWay: 3, waiting: 1 } },
      // The list may be newer than the last event.
      { run: { state: 'running', planned: 10, totals }, live: { underWay: 1, waiting: 9 } },
      { run: { state: 'running', planned: 10, totals }, live: null },
      { run: { state: 'interrupted', planned: 10, totals }, live: null },
      { run: { state: 'unknown', planned: 10, totals }, live: null },
      { run: { state: 'finished', planned: 6, totals }, live: null },
    ] as const;
    for (const { run, live } of cases) {
      expect(sumOf(run, live).reduce((sum, { count }) => sum + count, 0)).toBe(run.planned);
    }
    expect(sumOf({ state: 'finished', planned: 6, totals }, null).map(({ label }) => label)).toEqual([
      'passed',
      'failed',
      'error',
      'skipped',
      'cancelled',
    ]);
  });

  it('say that a finished run failed where anything did not pass', () => {
    expect(runWord({ state: 'finished', totals: { ...noRequests(), requests: 2, passed: 2 } }).text).toBe('passed');
    const incomplete = { ...noRequests(), requests: 2, passed: 2, unrecorded: 1 };
    expect(runWord({ state: 'finished', totals: incomplete })).toEqual({ tone: 'warn', text: 'not all recorded' });
    expect(totalsText(incomplete)).toBe('2 passed, 1 not recorded');
    expect(runWord({ state: 'finished', totals: { ...noRequests(), requests: 2, passed: 1, skipped: 1 } }).text).toBe('failed');
    expect(totalsText({ ...noRequests(), passed: 1_200, errored: 1 })).toBe('1,200 passed, 1 error');
  });

  it('name the first check that failed, what was expected and what came', () => {
    const passed = { ...failedCheck, passed: true };
    expect(whyText({ reason: '', checks: [passed], unrecorded: '', findings: [] })).toBe('');
    expect(whyText({ reason: '1 of 2 checks failed.', checks: [passed, failedCheck], unrecorded: '', findings: [] })).toBe(
      'Expected: code is 7. It is 0.',
    );
    expect(whyText({ reason: '', checks: [failedCheck, failedCheck, failedCheck], unrecorded: '', findings: [] })).toMatch(
      / 2 more checks failed\.$/,
    );
    expect(whyText({ reason: 'The run was cancelled.', checks: [], unrecorded: '', findings: [] })).toBe(
      'The run was cancelled.',
    );
    expect(whyText({ reason: '', checks: [passed], unrecorded: 'The disk is full.', findings: [] })).toBe('The disk is full.');
  });

  it('name the first finding that needs attention, of a request that passed, too', () => {
    const finding = { rule: 'type', severity: 'warning', path: '/a', message: 'a must be a string.', about: 'request' } as const;
    const words = (findings: ReportedRequest['findings']) => whyText({ reason: '', checks: [], unrecorded: '', findings });
    expect(words([{ ...finding, severity: 'note' }])).toBe('');
    expect(words([{ ...finding, severity: 'note', rule: 'in-the-past', message: 'It is past.' }])).toBe(
      'Finding about the request: It is past.',
    );
    expect(words([finding, { ...finding, about: 'response' }])).toBe(
      'Finding about the request: a must be a string. 1 more finding.',
    );
  });

  it('estimate the time left once there is something to go by', () => {
    expect(timeLeft(2, 100, 10_000)).toBeNull();
    expect(timeLeft(10, 100, 1_000)).toBeNull();
    expect(timeLeft(50, 100, 10_000)).toBe('about 10 s left');
    expect(timeLeft(50, 1_000, 60_000)).toBe('about 19 min left');
    expect(timeLeft(10, 10, 60_000)).toBeNull();
  });
});
