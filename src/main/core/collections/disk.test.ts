import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { moveEntry } from './disk.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'croupier-disk-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

it('moves to where nothing is, and takes the place of nothing that another program has just put there', async () => {
  const [from, to] = [join(folder, 'a.yaml'), join(folder, 'b.yaml')];
  await writeFile(from, 'ours');
  await writeFile(to, 'theirs');
  await expect(moveEntry(from, to)).rejects.toMatchObject({ code: 'conflict' });
  expect([await readFile(from, 'utf8'), await readFile(to, 'utf8')]).toEqual(['ours', 'theirs']);
  await moveEntry(from, join(folder, 'c.yaml'));
  for (const name of ['f', 'g']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'f', 'ours'), '');
  await writeFile(join(folder, 'g', 'theirs'), '');
  await expect(moveEntry(join(folder, 'f'), join(folder, 'g'))).rejects.toThrow();
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(['b.yaml', 'c.yaml', 'f', 'f/ours', 'g', 'g/theirs']);
});
