import { expect, it } from 'vitest';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import { readArguments, type CommandSpec } from '../arguments.ts';
import { createAnnotations } from './run.ts';

const spec: CommandSpec = { name: 'run', summary: '', positionals: [], options: { annotations: { value: 'CI', help: '' } } };
const github = () => createAnnotations(readArguments(spec, ['--annotations', 'github']), `${process.cwd()}/a`);

function finished(request: Partial<FinishedRequest['request']>, more: Partial<FinishedRequest> = {}): FinishedRequest {
  const check = { check: '/message is ok', passed: false, expected: 'ok', actual: 'x\n::warning::y%', message: '' };
  const whole = { path: 'b:c,d', state: 'failed', reason: 'No response.', checks: [check], ...request };
  return { index: 0, iteration: 1, row: null, request: whole as FinishedRequest['request'], ...more };
}

it('names the file of a failure for GitHub, and no response can begin a command of its own', () => {
  expect(github()?.(finished({}))).toBe(
    '::error file=a/b%3Ac%2Cd.yaml,title=b%3Ac%2Cd failed::/message is ok: expected ok, actual x%0A::warning::y%25. ',
  );
  expect(github()?.(finished({ state: 'error' }, { row: 3 }))).toBe(
    '::error file=a/b%3Ac%2Cd.yaml,title=b%3Ac%2Cd had an error in row 3::No response.',
  );
  expect(github()?.(finished({}, { iteration: 2 }))).toContain('failed in iteration 2::');
});

it('is silent about what passed or was skipped, after fifty failures, and without its option', () => {
  const annotations = github();
  for (const state of ['passed', 'skipped', 'cancelled'] as const) expect(annotations?.(finished({ state }))).toBeNull();
  const lines = Array.from({ length: 60 }, () => annotations?.(finished({})));
  expect(lines.filter((line) => line !== null)).toHaveLength(50);
  expect(createAnnotations(readArguments(spec, []), '/a')).toBeNull();
  expect(() => createAnnotations(readArguments(spec, ['--annotations', 'jenkins']), '/a')).toThrow(
    '--annotations must be github.',
  );
});
