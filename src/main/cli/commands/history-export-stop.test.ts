import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import { recordCalls } from '#testing/record-calls.ts';
import { readArguments } from '../arguments.ts';
import type { Terminal } from '../print.ts';
import { locatePrograms } from '../../loopback/programs.ts';
import { historyExportCommand } from './history-export.ts';

it('history export says how far it is, and leaves nothing where it is stopped', async () => {
  const home = await temporaryFolder();
  const out = await temporaryFolder();
  const ids = await recordCalls(home, 60, { filling: 60_000 });
  const stop = new AbortController();
  const told: string[] = [];
  const unused = () => Promise.reject(new Error('Nothing is printed.'));
  const terminal: Terminal = {
    stdin: process.stdin,
    env: { CROUPIER_HOME: home },
    interactive: false,
    line: unused,
    result: unused,
    resultBytes: unused,
    note: (line) => void told.push(`note ${line}`),
    ask: () => undefined,
    progress(text) {
      told.push(text);
      if (text.startsWith('Writing')) stop.abort();
    },
  };
  const path = join(out, 'calls.har');
  const args = readArguments(historyExportCommand.spec, [...ids.map(String), '--as', 'har', '--out', path]);
  const programs = locatePrograms(join(import.meta.dirname, '..', 'main.ts'));
  await expect(historyExportCommand.run(args, { terminal, programs, stop: stop.signal })).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(
    told.some((text) => /^Looking for tokens in \d+ of 60 calls$/.test(text) || /^Writing \d+ of 60 calls$/.test(text)),
  ).toBe(true);
  expect(told.at(-1)).toBe('');
  expect(await readdir(out)).toEqual([]);
  await Promise.all([home, out].map((folder) => rm(folder, { recursive: true })));
});
