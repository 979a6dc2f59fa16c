import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import { fillHistory } from './history-data.ts';
import type { Figure } from './measure.ts';

const typedMs = 200;

/**
 * Measures five searches typed one after the other on a history that is not indexed yet, each of which ends the one before it, and
 * a filter in the middle of the last one: the time until the first result, until the end, and the ratio to reading the history
 * once.
 */
export async function measureSearches(calls: number): Promise<Figure[]> {
  const home = await temporaryFolder();
  await fillHistory(home, calls);
  const searchWorker = fileURLToPath(new URL('../src/main/core/history/search-worker.ts', import.meta.url));
  const test = await createTestApp({ home, host: { searchWorker } });
  try {
    // The thread starts with the first question.
    await test.client.call('calls.list', { limit: 1, filter: { codes: [8] } });
    const once = await search(test, 'q7-not-anywhere-at-all', () => true);
    let wanted = 0;
    const typed: Promise<Searched>[] = [];
    const begun = performance.now();
    for (const text of ['nowher', 'nowhere', 'nowhere-', 'nowhere-a', 'nowhere-at']) {
      const mine = (wanted += 1);
      typed.push(search(test, text, () => mine === wanted));
      await setTimeout(typedMs);
    }
    const asked = performance.now();
    await test.client.call('calls.list', { limit: 50, filter: { codes: [8] } });
    const filterMs = performance.now() - asked;
    const all = await Promise.all(typed);
    const endMs = performance.now() - begun - 4 * typedMs;
    const newest = await search(test, 'Golden Orchard', () => true);
    return [
      { name: 'the last of five: until its first look is shown', ours: all.at(-1)?.firstMs ?? 0, unit: 'ms', goal: 500 },
      { name: 'the last of five: to its end, against a search alone', ours: endMs, baseline: once.endMs, unit: 'ms', goal: 1.5 },
      { name: 'a filter in the middle of it', ours: filterMs, unit: 'ms', goal: 500 },
      { name: 'a search that fills its page with the newest calls', ours: newest.firstMs, unit: 'ms', goal: 500 },
    ];
  } finally {
    await test.close();
    rmSync(home, { recursive: true });
  }
}

interface Searched {
  readonly firstMs: number;
  readonly endMs: number;
}

/** Look after look, as long as it is wanted. */
async function search({ client }: TestApp, text: string, isWanted: () => boolean): Promise<Searched> {
  const begun = performance.now();
  let firstMs: number | null = null;
  for (let before: number | undefined; ;) {
    const { rest } = await client.call('calls.list', { text, limit: 100, ...(before === undefined ? {} : { before }) });
    firstMs ??= performance.now() - begun;
    if ((rest ?? null) === null || !isWanted()) return { firstMs, endMs: performance.now() - begun };
    before = rest?.before;
  }
}
