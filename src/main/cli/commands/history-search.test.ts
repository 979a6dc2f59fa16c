import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import { runCommand, type Said } from '#testing/command-runner.ts';
import { recordCalls } from '#testing/record-calls.ts';
import { historySearchCommand } from './history.ts';

it('history search goes through calls that are not indexed look by look, says how far it is, and ends where it is stopped', async () => {
  const home = await temporaryFolder();
  await recordCalls(home, 1_200);
  const said: Said = { printed: [], told: [] };
  const place = { home, said };

  expect(await runCommand(historySearchCommand, place, ['token-of-call-3-x', '--json'])).toBe(0);
  // The call with the token, and the next one, whose response quotes it.
  expect(JSON.parse(said.printed.join(''))).toMatchObject({ calls: [{ id: 5 }, { id: 4 }], total: 2, totalIsExact: true });
  expect(said.told).toEqual(['Searching: 1,000 of 1,200 calls, 0 found', '']);

  const stop = new AbortController();
  await expect(
    runCommand(historySearchCommand, place, ['nowhere'], { stop: stop.signal, onTold: () => stop.abort() }),
  ).rejects.toMatchObject({ code: 'cancelled' });
  expect(said.told).toEqual(['Searching: 1,000 of 1,200 calls, 0 found', '']);
  await rm(home, { recursive: true });
});
