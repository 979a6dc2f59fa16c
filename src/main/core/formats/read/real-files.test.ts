import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AppError } from '#shared/errors.ts';
import type { ImportPlan } from '#shared/ipc/index.ts';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { readBru } from './bru.ts';

// Files that other tools wrote, and their own samples: fixtures/real/README.md names each with its origin.
const directory = join(import.meta.dirname, 'fixtures/real');
const own = ['README.md', 'LICENSES.txt', 'bodies.json', 'outcome.txt'];
const names = readdirSync(directory)
  .filter((name) => !own.includes(name))
  .sort();
const textOf = (name: string) => readFileSync(join(directory, name), 'utf8');
const bodies = Object.values(JSON.parse(textOf('bodies.json')) as Record<string, string>);

let test: TestApp;
const outcomes = new Map<string, string>();

beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

/** Every text that a file holds, as its tool reads it: among them are its bodies. */
function textsIn(name: string): string[] {
  const text = textOf(name);
  const found = [text, ...bodies];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  if (/\.(?:json|har)$/.test(name)) visit(JSON.parse(text));
  else if (/\.ya?ml$/.test(name)) visit(parse(text));
  else if (name.endsWith('.bru')) found.push(...readBru(text, name).map((block) => block.text));
  return found;
}

/** An outcome in words: the requests, and each reason with how often it is given. */
function wordsOf({ formats, requests, variables, notCarried }: ImportPlan): string {
  const reasons = new Map<string, number>();
  for (const { why } of notCarried) reasons.set(why, (reasons.get(why) ?? 0) + 1);
  return [
    `read as ${formats.join(', ')}`,
    ...requests.map(({ path, request }) => `request ${path}: ${request.operation} ${request.data.replaceAll('\n', '⏎')}`),
    ...Object.entries(variables).map(([name, value]) => `variable ${name}: ${value}`),
    ...[...reasons].map(([why, count]) => `${count} × ${why}`),
  ].join('\n');
}

describe('files that other tools wrote', () => {
  it('are at least 40, and each is in the table', () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    const table = [...textOf('README.md').matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name);
    expect(table).toEqual(names);
  });

  it.each(names)('%s: no body differs by a byte, and a refused file leaves nothing', async (name) => {
    const into = await mkdtemp(join(test.home, 'real-'));
    const { id } = await test.client.call('collections.open', { directory: into, create: true });
    const before = await readdir(into);
    const input = { files: [{ name, text: textOf(name) }], id, folder: '' };
    const plan = await test.client.call('collections.import', input).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'invalid_input') return error;
      throw error;
    });
    if (plan instanceof AppError) {
      outcomes.set(name, `refused: ${plan.message}`);
      expect(await readdir(into)).toEqual(before);
      return;
    }
    outcomes.set(name, wordsOf(plan));
    const texts = textsIn(name);
    for (const { request } of plan.requests) {
      const data = request.data.replaceAll('{{$braces}}', '{{').trim();
      const members = data.startsWith('{') && request.operation === 'gameList' ? data.slice(1, -1).trim() : data;
      expect(
        texts.some((text) => text.includes(members)),
        `${name}: ${data}`,
      ).toBe(true);
    }
    if (plan.requests.length + plan.folders.length + Object.keys(plan.variables).length === 0 && plan.notes === '')
      expect((await readdir(into)).filter((file) => !before.includes(file))).toEqual([]);
  });

  it('come in as they were reviewed, each notice with its reason', async () => {
    const text = names.map((name) => `${name}\n${(outcomes.get(name) ?? 'no outcome').replace(/^/gm, '  ')}\n`).join('\n');
    await expect(text).toMatchFileSnapshot(join(directory, 'outcome.txt'));
  });
});
