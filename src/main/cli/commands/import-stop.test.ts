import { watch } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { locatePrograms } from '../../loopback/programs.ts';
import { readArguments } from '../arguments.ts';
import { createTerminal } from '../../process/terminal.ts';
import { importCommand } from './import.ts';

const entry = fileURLToPath(new URL('../main.ts', import.meta.url));
const command = `curl https://a.example/serviceApi.php -d '{"action":"gameList"}'\n`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-stop-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An import of what comes from standard input, stopped as Ctrl+C stops it. */
function run(stdin: Readable, stop: AbortSignal) {
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createTerminal({
    stdin,
    stdout: sink(),
    stderr: sink(),
    env: { CROUPIER_HOME: join(folder, 'home') },
  });
  stop.addEventListener('abort', terminal.endInput);
  const args = readArguments(importCommand.spec, ['-', '--into', join(folder, 'new')]);
  return importCommand.run(args, {
    terminal,
    programs: locatePrograms(entry),
    stop,
    takeUncaught: () => undefined,
    report: () => undefined,
  });
}

it('an import is cancelled while it waits for its input', async () => {
  const stop = new AbortController();
  const stdin = new Readable({ read: () => stop.abort() });
  await expect(run(stdin, stop.signal)).rejects.toMatchObject({
    code: 'cancelled',
  });
});

it('an import is cancelled after its input came, and makes nothing', async () => {
  const stop = new AbortController();
  const stdin = Readable.from([Buffer.from(command)]);
  stdin.once('end', () => setImmediate(() => stop.abort()));
  await expect(run(stdin, stop.signal)).rejects.toMatchObject({
    code: 'cancelled',
    // The home may not be open yet on a busy machine.
    message: expect.stringMatching(
      /^(?:The import was cancelled\. Nothing was imported|Croupier was stopped while it opened its home\. Nothing was done)\.$/,
    ) as string,
  });
  expect(await readdir(folder)).not.toContain('new');
});

it('an import is cancelled while it writes, and takes the directory along that it made', async () => {
  const stop = new AbortController();
  const watcher = watch(folder, (_, name) => name === 'new' && stop.abort());
  await expect(run(Readable.from([Buffer.from(command.repeat(1_000))]), stop.signal)).rejects.toMatchObject({
    code: 'cancelled',
  });
  watcher.close();
  expect(await readdir(folder)).not.toContain('new');
});
