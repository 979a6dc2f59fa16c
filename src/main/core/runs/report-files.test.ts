import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createTestApp } from '#testing/app.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

it.skipIf(process.platform === 'win32')('a pipe among the reports keeps nobody waiting', async () => {
  const { client, home, close } = await createTestApp();
  ended.push(close);
  await mkdir(join(home, 'collection-runs'), { recursive: true });
  const runId = 'mwskhxnt00-0818ad66';
  execFileSync('mkfifo', [join(home, 'collection-runs', `${runId}.jsonl`)]);
  expect(await client.call('runs.list', {})).toEqual({ runs: [] });
  await expect(client.call('runs.export', { runId, as: 'json' })).rejects.toThrow();
  await expect(client.call('runs.requests', { runId })).rejects.toThrow();
});
