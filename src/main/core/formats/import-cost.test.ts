import type * as Fs from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '#testing/app.ts';

const counts = vi.hoisted(() => ({ readdir: 0, lstat: 0, sync: 0 }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Fs>();
  return {
    ...real,
    readdir: (...given: Parameters<typeof real.readdir>) => ((counts.readdir += 1), real.readdir(...given)),
    lstat: (...given: Parameters<typeof real.lstat>) => ((counts.lstat += 1), real.lstat(...given)),
    async open(...given: Parameters<typeof real.open>) {
      const file = await real.open(...given);
      const sync = file.sync.bind(file);
      file.sync = () => ((counts.sync += 1), sync());
      return file;
    },
  };
});

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

it('looks at a folder a fixed number of times, at a file, syncs each file and each folder once, and tells of it once', async () => {
  const most = 60;
  const item = Array.from({ length: most }, (_, at) => ({
    name: `request ${at}`,
    request: { method: 'POST', url: 'https://w.example/bet', body: { mode: 'raw', raw: `{"amount": ${at}}` } },
  }));
  const info = { name: 'a', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' };
  const { id } = await test.client.call('collections.open', { directory: join(test.home, 'collection'), create: true });
  let told = 0;
  test.client.on('collections.changed', () => (told += 1));
  await test.client.call('collections.tree', { id });
  for (const at of Object.keys(counts) as (keyof typeof counts)[]) counts[at] = 0;
  const files = [{ name: 'a.json', text: JSON.stringify({ info, item: [...item, { name: 'folder', item }] }) }];
  const { requests } = await test.client.call('collections.import', { files, id, folder: '' });
  expect(requests).toHaveLength(2 * most);
  // A test of cost: nothing of it grows with existing files.
  expect(counts.readdir).toBeLessThan(20);
  // Once, once more because there is a new folder to watch, and once or twice for the watcher's events after the change.
  expect(counts.lstat).toBeLessThan(5 * 2 * most);
  expect(counts.sync).toBeLessThan(2 * most + 20);
  expect(counts.sync).toBeGreaterThanOrEqual(2 * most + 2);
  expect(told).toBe(1);
  const { nodes } = await test.client.call('collections.tree', { id });
  expect(nodes.filter(({ path }) => path.endsWith('.yaml'))).toHaveLength(2 * most);
  expect(test.faults).toEqual([]);
});
