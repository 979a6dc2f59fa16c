import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from './command.ts';
import { readInputFile } from './read-input.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-input-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function input(stop: AbortSignal): Pick<Context, 'terminal' | 'stop'> {
  return { terminal: { stdin: Readable.from([]) } as unknown as Context['terminal'], stop };
}

describe('readInputFile', () => {
  it('reads a file', async () => {
    const path = join(folder, 'a');
    await writeFile(path, 'text');
    const { signal } = new AbortController();
    expect((await readInputFile('input.key', path, input(signal))).toString()).toBe('text');
    await expect(readInputFile('input.key', join(folder, 'b'), input(signal))).rejects.toThrow('there is no such file');
    await expect(readInputFile('input.key', folder, input(signal))).rejects.toThrow('Croupier cannot read');
  });

  it.skipIf(process.platform === 'win32')('reads a pipe, and stops where nobody writes into it', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const stop = new AbortController();
    const read = readInputFile('input.key', path, input(stop.signal));
    const writer = spawn('sh', ['-c', 'printf one; printf two'], { stdio: ['ignore', 'pipe', 'ignore'] });
    spawn('sh', ['-c', 'cat > "$0"', path], { stdio: [writer.stdout, 'ignore', 'ignore'] });
    expect((await read).toString()).toBe('onetwo');
    const waiting = readInputFile('input.key', path, input(stop.signal));
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled', message: `Stopped before ${path} was read.` });
  });
});
