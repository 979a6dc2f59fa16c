import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepPort, keptPorts } from './ports.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'croupier-ports-'));
});
afterEach(() => rm(home, { recursive: true }));

it('keeps the ports of the last hosts, each once, the newest first', async () => {
  expect(await keptPorts(home)).toEqual([]);
  for (const port of [1_001, 1_002, 1_003, 1_001, 1_004, 1_005]) await keepPort(home, port);
  expect(await keptPorts(home)).toEqual([1_005, 1_004, 1_001, 1_003]);
});

it('keeps the ports of hosts that start at the same moment', async () => {
  await Promise.all([1_001, 1_002, 1_003, 1_004].map((port) => keepPort(home, port)));
  expect(new Set(await keptPorts(home))).toEqual(new Set([1_001, 1_002, 1_003, 1_004]));
});

it.each(['', 'null', '{"ports":80}', '{"ports":["80"]}', '{"ports":[0]}', '{"ports":[70000]}', '{"ports":[80'])(
  'takes any port where the file is damaged: %s',
  async (text) => {
    await writeFile(join(home, 'browser-host.json'), text);
    expect(await keptPorts(home)).toEqual([]);
    await keepPort(home, 4_000);
    expect(await readFile(join(home, 'browser-host.json'), 'utf8')).toBe('{"ports":[4000]}\n');
  },
);
