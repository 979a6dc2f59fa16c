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
  expect(keptPorts(home)).toEqual([]);
  for (const port of [1_001, 1_002, 1_003, 1_001, 1_004, 1_005]) await keepPort(home, port);
  expect(keptPorts(home)).toEqual([1_005, 1_004, 1_001, 1_003]);
});

it('keeps the ports of hosts that start at the same moment', async () => {
  await Promise.all([1_001, 1_002, 1_003, 1_004].map((port) => keepPort(home, port)));
  expect(new Set(keptPorts(home))).toEqual(new Set([1_001, 1_002, 1_003, 1_004]));
});

it('takes any port where the file is damaged, and leaves one of a newer version alone', async () => {
  const path = join(home, 'browser-host.json');
  for (const text of ['{"format":2,"ports":[4001]}', '{"ports":["80"]}', '{"ports":[0]}', '{"ports":[70000]}']) {
    await writeFile(path, text);
    expect(keptPorts(home)).toEqual([]);
    await expect(keepPort(home, 4_000)).rejects.toMatchObject({ code: 'storage' });
    expect(await readFile(path, 'utf8')).toBe(text);
  }
  await writeFile(path, '{"ports":[80');
  expect(keptPorts(home)).toEqual([]);
  await keepPort(home, 4_000);
  expect(await readFile(path, 'utf8')).toBe('{"ports":[4000]}\n');
});
