import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import { recordCalls } from '#testing/record-calls.ts';
import { readArguments } from '../arguments.ts';
import type { Terminal } from '../print.ts';
import { locatePrograms } from '../../loopback/programs.ts';
import { historySearchCommand } from './history.ts';

it('history search goes through calls that are not indexed look by look, says how far it is, and ends where it is stopped', async () => {
  const home = await temporaryFolder();
  await recordCalls(home, 1_200);
  const stop = new AbortController();
  const told: string[] = [];
  const printed: string[] = [];
  let stopAt = '';
  const terminal: Terminal = {
    stdin: process.stdin,
    env: { CROUPIER_HOME: home },
    interactive: false,
    line: async (text) => void printed.push(text),
    result: async (text) => void printed.push(text),
    resultBytes: async () => undefined,
    note: (line) => void told.push(line),
    ask: () => undefined,
    progress(text) {
      told.push(text);
      if (stopAt !== '' && text.startsWith(stopAt)) stop.abort();
    },
  };
  const programs = locatePrograms(join(import.meta.dirname, '..', 'main.ts'));
  const search = (...args: string[]) =>
    historySearchCommand.run(readArguments(historySearchCommand.spec, args), { terminal, programs, stop: stop.signal });

  expect(await search('token-of-call-3-x', '--json')).toBe(0);
  // The call with the token, and the next one, whose response quotes it.
  expect(JSON.parse(printed.join(''))).toMatchObject({ calls: [{ id: 5 }, { id: 4 }], total: 2, totalIsExact: true });
  expect(told).toEqual(['Searching: 1,000 of 1,200 calls, 0 found', '']);

  stopAt = 'Searching';
  await expect(search('nowhere')).rejects.toMatchObject({ code: 'cancelled' });
  expect(told.at(-1)).toBe('');
  await rm(home, { recursive: true });
});
