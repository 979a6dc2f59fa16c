import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import { runCommand, type Said } from '#testing/command-runner.ts';
import { recordCalls } from '#testing/record-calls.ts';
import { historyExportCommand } from './history-export.ts';

it('history export says how far it is, and leaves nothing where it is stopped', async () => {
  const home = await temporaryFolder();
  const out = await temporaryFolder();
  const ids = await recordCalls(home, 60, { filling: 60_000 });
  const said: Said = { printed: [], told: [] };
  const stop = new AbortController();
  const args = [...ids.map(String), '--as', 'har', '--out', join(out, 'calls.har')];
  await expect(
    runCommand(historyExportCommand, { home, said }, args, {
      stop: stop.signal,
      onTold: (text) => void (text.startsWith('Writing') && stop.abort()),
    }),
  ).rejects.toMatchObject({ code: 'cancelled' });
  expect(said.told).toContainEqual(expect.stringMatching(/^(Looking for tokens in|Writing) \d+ of 60 calls$/));
  expect(said.told.at(-1)).toBe('');
  expect(said.printed).toEqual([]);
  expect(await readdir(out)).toEqual([]);
  await Promise.all([home, out].map((folder) => rm(folder, { recursive: true })));
});
