import { expect, it } from 'vitest';
import type { Expectation } from '#shared/collections/model.ts';
import type { CheckResult } from '#shared/collections/reported-request.ts';
import { failedChecks } from './open-of-run.ts';

function result(check: string, passed = false): CheckResult {
  return { check, passed, expected: '', actual: '', message: '' };
}

const expectations: readonly Expectation[] = [
  { code: '0' },
  { path: '/a', present: true, equals: '1', above: '0' },
  { path: '/b' },
  { balance: { before: '1', change: '0' } },
];

it('finds the check of each failed result of a run, and none if the file has other checks by now', () => {
  const results = ['code is 0', '/a exists', '/a is 1', '/a is above 0', '/b exists', 'balance'].map((one, at) =>
    result(one, at === 0 || at === 1 || at === 5),
  );
  const failed = failedChecks(expectations, [...results, result('/c gives token')], ['token']);
  expect([...failed].map(([at, { check }]) => [at, check])).toEqual([
    [1, '/a is 1'],
    [2, '/b exists'],
  ]);
  expect(failedChecks(expectations.slice(1), results, []).size).toBe(0);
  expect(failedChecks([], [result('code is 0')], []).size).toBe(0);
});
