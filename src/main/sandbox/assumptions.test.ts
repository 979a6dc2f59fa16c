import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allOpenPoints } from '#shared/provider/index.ts';

test('what docs/sandbox.md says the built-in provider assumes names a point that exists, once', () => {
  const [, section = ''] = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8').split(
    '## What it assumes\n',
  );
  const named = [...section.matchAll(/^- `([^`]+)`: /gm)].map(([, point]) => point);
  const points = new Set<string>(allOpenPoints.map(({ id }) => id));
  expect(named.length).toBeGreaterThan(50);
  expect(new Set(named).size).toBe(named.length);
  expect(named.filter((point = '') => !points.has(point))).toEqual([]);
});
