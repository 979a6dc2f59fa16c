import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chooseSeed } from '#testing/seeded-random.ts';
import { openFilesIn } from '#testing/open-files.ts';
import { saveRounds, startWriter } from '#testing/save-rounds.ts';
import { revisionOf } from './disk.ts';
import { createReplacing, type Replacing, type ReplacingDeps } from './replace-file.ts';
import { vouched } from '../files/passed.ts';

const before = Buffer.from('operation: bet\n');
const ours = Buffer.from('operation: win\n');
const theirs = 'operation: playerInfo\n';
const revision = revisionOf(before);

let writer: ReturnType<typeof startWriter>;
let folder: string;
let path: string;
let kept: string[];
let again: (() => void)[];
let made: Replacing[];
beforeAll(() => (writer = startWriter()));
afterAll(() => writer.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-replace-'));
  path = join(folder, 'a.yaml');
  await writeFile(path, before);
  kept = [];
  again = [];
  made = [];
});
afterEach(async () => {
  await Promise.all(made.map((replacing) => replacing.close()));
  await rm(folder, { recursive: true, force: true });
});

const make = (deps: Partial<ReplacingDeps> = {}) => {
  const replacing = createReplacing({
    onKept: (_, copy) => kept.push(copy),
    onFault(error) {
      throw error;
    },
    later: (work) => {
      again.push(work);
      return () => undefined;
    },
    ...deps,
  });
  made.push(replacing);
  return replacing;
};
const names = async () => (await readdir(folder)).sort();
const read = (name: string) => readFile(join(folder, name), 'utf8');

describe('replace', () => {
  it('puts the new content in the place and leaves nothing else', async () => {
    const replacing = make();
    await replacing.replace(path, vouched('team', 'own', ours), revision);
    await replacing.close();
    expect([await names(), await read('a.yaml'), kept]).toEqual([['a.yaml'], ours.toString(), []]);
  });

  it.each(['rename', 'truncate'] as const)('refuses where another program has written by %s since it was read', async (does) => {
    // At the latest moment at which another process can be let in between.
    const writing: typeof link = async (from, to) => {
      await writer.tell({ does, path, text: theirs });
      await link(from, to);
    };
    const replacing = make({ link: writing });
    await expect(replacing.replace(path, vouched('team', 'own', ours), revision)).rejects.toMatchObject({ code: 'conflict' });
    await replacing.close();
    expect([await names(), await read('a.yaml'), kept]).toEqual([['a.yaml'], theirs, []]);
  });

  it.each(['rename', 'truncate'] as const)('refuses where that is so after the old file was named (%s)', async (does) => {
    const writing: typeof link = async (from, to) => {
      await link(from, to);
      await writer.tell({ does, path, text: theirs });
    };
    const replacing = make({ link: writing });
    await expect(replacing.replace(path, vouched('team', 'own', ours), revision)).rejects.toMatchObject({ code: 'conflict' });
    expect([await names(), await read('a.yaml'), kept]).toEqual([['a.yaml'], theirs, []]);
  });

  it('refuses where another program has removed it', async () => {
    const removing: typeof link = async (from, to) => {
      await rm(path);
      await link(from, to);
    };
    await expect(make({ link: removing }).replace(path, vouched('team', 'own', ours), revision)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await names()).toEqual([]);
  });

  it('keeps what a program writes that had opened the old file, under a name of its own each time', async () => {
    const writing: typeof link = async (from, to) => {
      await link(from, to);
      await writer.tell({ does: 'open', path, text: '' });
    };
    const replacing = make({ link: writing });
    for (const name of ['a.yaml.other-version', 'a.yaml.other-version-2']) {
      await writeFile(path, before);
      await replacing.replace(path, vouched('team', 'own', ours), revision);
      await writer.tell({ does: 'write', path, text: theirs });
      if (again.length > 1) await replacing.close();
      else again.forEach((run) => run());
      await expect.poll(() => kept.at(-1)).toBe(join(folder, name));
      expect([await read('a.yaml'), await read(name)]).toEqual([ours.toString(), theirs]);
    }
    expect(await names()).toEqual(['a.yaml', 'a.yaml.other-version', 'a.yaml.other-version-2']);
  });

  it('keeps nothing where the other program wrote the very same', async () => {
    const writing: typeof link = async (from, to) => {
      await link(from, to);
      await writer.tell({ does: 'open', path, text: '' });
    };
    const replacing = make({ link: writing });
    await replacing.replace(path, vouched('team', 'own', ours), revision);
    await writer.tell({ does: 'write', path, text: ours.toString() });
    await replacing.close();
    expect(await names()).toEqual(['a.yaml']);
  });

  it.each(['linux', 'win32'] as const)('does as much as it can where there are no links (%s)', async (platform) => {
    const replacing = make({ platform, link: () => Promise.reject(Object.assign(new Error('no links'), { code: 'ENOTSUP' })) });
    await replacing.replace(path, vouched('team', 'own', ours), revision);
    await expect(replacing.replace(path, vouched('team', 'own', before), revision)).rejects.toMatchObject({ code: 'conflict' });
    expect([await names(), await read('a.yaml'), kept]).toEqual([['a.yaml'], ours.toString(), []]);
  });

  it.each([
    ['linux', ['a.yaml', 'a.yaml.other-version']],
    // No file is replaced there that is open.
    ['win32', ['a.yaml']],
  ] as const)('keeps without links what is written late where the old file can be held open (%s)', async (platform, left) => {
    const link = async () => {
      await writer.tell({ does: 'open', path, text: '' });
      throw Object.assign(new Error('no links'), { code: 'ENOTSUP' });
    };
    const replacing = make({ platform, link });
    await replacing.replace(path, vouched('team', 'own', ours), revision);
    await writer.tell({ does: 'write', path, text: theirs });
    await replacing.close();
    expect([await names(), await read('a.yaml')]).toEqual([left, ours.toString()]);
  });

  it('finds what a killed program left: an old file that is as it was goes, another one is kept', async () => {
    const replacing = make();
    const [same, other, young] = ['1', '2', '3'].map((digit) => `.a.yaml.${revision}.${digit.repeat(8)}.old`) as [
      string,
      string,
      string,
    ];
    await writeFile(join(folder, same), before);
    await writeFile(join(folder, other), theirs);
    expect(await replacing.sweep(folder)).toBe(true);
    expect(await names()).toEqual([same, other, 'a.yaml'].sort());
    const later = make({ now: () => Date.now() + 120_000 });
    await writeFile(join(folder, young), before);
    await writeFile(join(folder, 'a.yaml.other-version'), 'of an earlier save');
    expect(await later.sweep(folder)).toBe(false);
    expect(await names()).toEqual(['a.yaml', 'a.yaml.other-version', 'a.yaml.other-version-2']);
    const contents = await Promise.all((await names()).map(read));
    expect(contents).toEqual([before.toString(), 'of an earlier save', theirs]);
  });

  it.runIf(process.platform === 'linux')('holds nothing open that it cannot read', async () => {
    await mkdir(join(folder, `.a.yaml.${revision}.11111111.old`));
    const faults: unknown[] = [];
    await make({ now: () => Date.now() + 120_000, onFault: (error) => faults.push(error) }).sweep(folder);
    expect(faults).toMatchObject([{ code: 'EISDIR' }]);
    expect(openFilesIn(folder)).toEqual([]);
  });

  it('keeps the permissions', async () => {
    await rm(path);
    await writeFile(path, before, { mode: 0o640 });
    await utimes(path, 1, 1);
    await make().replace(path, vouched('team', 'own', ours), revision);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });
});

it('loses no version that another process writes at a random moment', async () => {
  const report = await saveRounds(folder, 25, chooseSeed(), ['truncate']);
  expect(report.lost).toEqual([]);
});
