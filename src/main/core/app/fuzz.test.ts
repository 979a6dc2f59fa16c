import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fuzz, keepText, readKept } from '#testing/fuzz.ts';
import type { FuzzTarget } from '#testing/fuzz.ts';
import { fuzzTargets } from '#testing/fuzz-targets.ts';
import { chooseSeed } from '#testing/seeded-random.ts';

// `npm run test:long -- fuzz` goes on for as long as is asked.
it.each(fuzzTargets.map((target) => [target.name, target] as const))(
  '%s keeps its promises of any text',
  { timeout: 180_000 },
  async (_, target) => {
    const report = await fuzz(target, chooseSeed(), (tried) => tried >= 400);
    expect(report.faults).toEqual([]);
    expect(Math.min(report.refused, report.through)).toBeGreaterThan(0);
  },
);

it('a text that broke a promise is kept, and is the first that is read from then on', async () => {
  const kept = mkdtempSync(join(tmpdir(), 'croupier-test-'));
  try {
    const read: string[] = [];
    const target: FuzzTarget = { name: 'a target', corpus: ['b'], words: ['c'], read: (text) => (read.push(text), 'through') };
    const text = 'half of a character \ud800, a \u0000 and a line\r\n';
    keepText(target, text, kept);
    keepText(target, text, kept);
    expect(readKept(target, kept)).toEqual([text]);
    await fuzz(target, 1, (tried) => tried >= 3, kept);
    expect(read.slice(0, 2)).toEqual([text, 'b']);
  } finally {
    rmSync(kept, { recursive: true });
  }
});

it('what a target needs is closed however it ends, and made again in between', async () => {
  const told: string[] = [];
  const target: FuzzTarget = {
    name: 'a target',
    corpus: ['a'],
    words: ['b'],
    read: () => 'refused',
    open: () => Promise.resolve(() => Promise.resolve(void told.push('closed'))),
  };
  await fuzz(target, 1, (tried) => tried >= 401);
  expect(told).toEqual(['closed', 'closed']);
  await expect(
    fuzz(target, 1, () => {
      throw new Error('stopped');
    }),
  ).rejects.toThrow('stopped');
  expect(told).toHaveLength(3);
});
