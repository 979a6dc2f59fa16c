import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestAppOptions } from '#testing/app.ts';
import { editorProblems } from '#testing/file-validator.ts';
import { ownFolder } from '../host/own-folder.ts';
import { placeForCollections } from './directory-list.ts';
import { createStarters } from './starters.ts';

const shipped = fileURLToPath(new URL('../../../../starter-collections', import.meta.url));

let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-starters-'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: TestAppOptions = {}) {
  const test = await createTestApp(options);
  closing.push(() => test.close());
  return test;
}

describe('the starter collections', () => {
  it('are listed in the order in which they teach, each with a sentence and a free directory of the user', async () => {
    const { client } = await open();
    const { starters } = await client.call('collections.starters', {});
    expect(starters.map(({ title, requests }) => `${title} ${requests}`)).toEqual([
      'First call 2',
      'Launch 3',
      'Wallet session 6',
      'Free rounds 4',
      'Rounds and replay 5',
    ]);
    expect(starters.map(({ id }) => id).sort()).toEqual(readdirSync(shipped).sort());
    const place = placeForCollections(homedir(), process.cwd());
    for (const { id, summary, directory } of starters) {
      expect(summary, id).toMatch(/^[A-Z].{20,140}\.$/);
      expect(directory.startsWith(join(place, id)), id).toBe(true);
      expect(existsSync(directory), id).toBe(false);
    }
    const [first] = await createStarters({ folder: ownFolder(shipped), parent: shipped }).list();
    expect(first?.directory).toBe(join(shipped, 'first-call-2'));
  });

  it('have the schemas that an editor gets', () => {
    for (const path of readdirSync(shipped, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.yaml')) continue;
      const kind = path.endsWith('collection.yaml') ? 'collection' : path.endsWith('folder.yaml') ? 'folder' : 'request';
      expect([path, editorProblems(kind, readFileSync(join(shipped, path), 'utf8'))]).toEqual([path, []]);
    }
  });

  it('are none where the host ships none, or they say why they cannot be read', async () => {
    expect(await createStarters({ folder: null, parent: folder }).list()).toEqual([]);
    const lost = createStarters({ folder: ownFolder(join(folder, 'lost')), parent: folder });
    await expect(lost.list()).rejects.toMatchObject({ code: 'storage' });
    await expect(lost.copy('first-call', join(folder, 'new'))).rejects.toMatchObject({ code: 'storage' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are copied byte for byte into a directory of any depth and opened', async () => {
    const { client } = await open();
    const directory = join(folder, 'my team', 'wallet');
    const made = await client.call('collections.createFromStarter', { starter: 'wallet-session', directory });
    expect(made).toMatchObject({ directory, name: 'wallet', problem: null });
    expect((await client.call('collections.list', {})).collections).toEqual([made]);
    const names = readdirSync(join(shipped, 'wallet-session')).sort();
    expect(readdirSync(directory).sort()).toEqual(names);
    for (const name of names) {
      expect(readFileSync(join(directory, name))).toEqual(readFileSync(join(shipped, 'wallet-session', name)));
    }
    expect((await client.call('collections.tree', { id: made.id })).nodes.filter(({ problem }) => problem !== null)).toEqual([]);
  });

  it('never go over anything: a directory with something in it, or a file, stays as it is', async () => {
    const { client } = await open();
    const copy = (directory: string, starter = 'first-call') =>
      client.call('collections.createFromStarter', { starter, directory });
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    await expect(copy(folder)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^Nothing was written: .* already contains notes\.txt\. Name another folder/) as unknown,
    });
    await expect(copy(join(folder, 'notes.txt'))).rejects.toMatchObject({ code: 'conflict' });
    await expect(copy(join(folder, 'notes.txt', 'below'))).rejects.toMatchObject({ code: 'storage' });
    await expect(copy('relative')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(copy(join(folder, 'new'), '..')).rejects.toMatchObject({ code: 'not_found' });
    await expect(copy(join(folder, 'new'), 'first-call/../launch')).rejects.toMatchObject({ code: 'not_found' });
    expect(readdirSync(folder)).toEqual(['notes.txt']);
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
    expect((await client.call('collections.list', {})).collections).toEqual([]);
    // A new repository holds nothing but hidden files.
    mkdirSync(join(folder, 'repository', '.git'), { recursive: true });
    await copy(join(folder, 'repository'));
    expect(readdirSync(join(folder, 'repository')).sort()).toEqual(['.git', ...readdirSync(join(shipped, 'first-call'))].sort());
    await expect(copy(join(folder, 'repository'))).rejects.toMatchObject({ code: 'conflict' });
  });

  it('leave nothing of a copy that failed halfway', async () => {
    const broken = {
      path: folder,
      list: async () => ['broken/a.yaml', 'broken/z.yaml'],
      // It fails after the first file was copied.
      read: async (name: string) => (name.endsWith('a.yaml') ? Buffer.from('operation: gameList\n') : readFileSync(folder)),
    };
    const { copy } = createStarters({ folder: broken, parent: folder });
    await expect(copy('broken', join(folder, 'deep', 'new'))).rejects.toMatchObject({ code: 'storage' });
    expect(readdirSync(folder)).toEqual([]);
    mkdirSync(join(folder, 'mine', '.git'), { recursive: true });
    await expect(copy('broken', join(folder, 'mine'))).rejects.toMatchObject({ code: 'storage' });
    expect(readdirSync(join(folder, 'mine'))).toEqual(['.git']);
  });
});
