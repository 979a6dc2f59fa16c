import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allOpenPoints } from '#shared/provider/index.ts';
import { assumptions } from './assumptions.ts';

const page = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');

test('docs/sandbox.md lists exactly the assumptions, in their order and under their topics', () => {
  const listed: string[] = [];
  for (const line of page.slice(page.indexOf('## What it assumes')).split('\n')) {
    if (line.startsWith('### ') || line.startsWith('- ')) listed.push(line);
  }
  const expected: string[] = [];
  for (const [index, { id, topic, point, text }] of assumptions.entries()) {
    if (assumptions[index - 1]?.topic !== topic) expected.push(`### ${topic}`);
    // The formatter of the page escapes what would read as markup.
    expected.push(`- \`${id}\`: ${text}${point === null ? '' : ` (open point \`${point}\`)`}`);
  }
  expect(listed.map(plain)).toEqual(expected.map(plain));
});

function plain(line: string): string {
  return line.replaceAll('\\', '');
}

test('each has an id of its own and names a point that exists', () => {
  expect(new Set(assumptions.map(({ id }) => id)).size).toBe(assumptions.length);
  const points = new Set<string>(allOpenPoints.map(({ id }) => id));
  for (const { id, point } of assumptions) if (point !== null) expect(points.has(point), id).toBe(true);
});

test('each that concerns the API is an open point of its own', () => {
  const own = assumptions.filter(({ point }) => point === null).map(({ id }) => id);
  // The form of its JSON, what it starts with, how long it remembers, and its demo game.
  expect(own).toEqual(['answers.form', 'rounds.start', 'memory', 'game.exit', 'game.fun']);
});
