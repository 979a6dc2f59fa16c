import { watch } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import { runCommand, type Said } from '#testing/command-runner.ts';
import { recordCalls } from '#testing/record-calls.ts';
import type { Command } from '../command.ts';
import { exportCommand } from './export.ts';
import { historySaveCommand } from './history-save.ts';
import { runCommand as run } from './run.ts';

let folder: string;
let home: string;
let requests: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  home = join(folder, 'home');
  requests = join(folder, 'requests');
  await mkdir(join(requests, 'environments'), { recursive: true });
  await mkdir(home);
  await recordCalls(home, 1);
  const settings = 'baseUrl: https://p.example\nplatform: 1\npartnerId: 42\nproduction: false\n';
  await writeFile(join(requests, 'environments', 'test.yaml'), settings);
  for (let at = 0; at < 400; at += 1) await writeFile(join(requests, `${at}.yaml`), 'operation: gameList\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const reading: [string, Command, () => string[]][] = [
  ['run', run, () => [requests, '--env', 'test']],
  ['export', exportCommand, () => [requests, '--as', 'postman', '--out', join(folder, 'out.json')]],
  ['history save', historySaveCommand, () => ['1', '--into', requests, '--name', 'Saved']],
];

it.each(reading)(
  '%s that is stopped while it reads a collection reads no further and writes nothing',
  async (_, command, args) => {
    const stop = new AbortController();
    const said: Said = { printed: [], told: [] };
    // The last that each does before: it opens the collection, or takes its environment.
    const watcher = watch(home, (_event, name) => name === 'collections.json' && stop.abort());
    const onTold = (text: string) => void (text.includes('added environment test') && stop.abort());
    await expect(runCommand(command, { home, said }, args(), { stop: stop.signal, onTold })).rejects.toMatchObject({
      code: 'cancelled',
      message: 'Croupier was stopped while it read the collection.',
    });
    watcher.close();
    expect(said.printed).toEqual([]);
    expect(await readdir(folder)).not.toContain('out.json');
    expect(await readdir(requests)).not.toContain('Saved.yaml');
  },
);
