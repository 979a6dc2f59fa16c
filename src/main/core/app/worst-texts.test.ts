import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../../testing/worst-jobs.ts', import.meta.url));

it('the worst text within the limits of a job is done or refused in words, and ends no program', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { name: string; outcome: string });
  expect(status, `${stdout}\n${stderr.slice(0, 1_000)}`).toBe(0);
  expect(lines.map(({ name }) => name)).toHaveLength(9);
  for (const { name, outcome } of lines) expect(`${name}: ${outcome}`).toMatch(/: (?:done|[A-Z][^]*\.)$/);
  for (const { outcome } of lines) expect(outcome).not.toMatch(/failed:|mistake/);
});
