import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDirectoryList, placeForCollections } from './directory-list.ts';

let root: string;
let home: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'croupier-list-')));
  home = join(root, 'home');
  for (const path of ['team/wallet', 'team 10', 'team 2', '.git', 'node_modules'])
    mkdirSync(join(home, path), { recursive: true });
  mkdirSync(join(root, 'home of another'));
  writeFileSync(join(home, 'secret.txt'), 'nobody reads this');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the directories to choose from', () => {
  it('are those of the user by name, without files, hidden ones and links', async () => {
    symlinkSync(root, join(home, 'out'), 'junction');
    const directories = createDirectoryList({ home, parent: join(home, 'Croupier') });
    expect(await directories.list(null)).toEqual({
      directory: home,
      parent: null,
      names: ['team', 'team 2', 'team 10'],
      more: false,
      suggested: join(home, 'Croupier', 'requests'),
    });
    mkdirSync(join(home, 'Croupier', 'requests'), { recursive: true });
    expect(await directories.list(join(home, 'team'))).toMatchObject({
      directory: join(home, 'team'),
      parent: home,
      names: ['wallet'],
      suggested: join(home, 'Croupier', 'requests-2'),
    });
  });

  it('lead nowhere else, by no path and no link', async () => {
    symlinkSync(root, join(home, 'out'), 'junction');
    const directories = createDirectoryList({ home, parent: home });
    for (const path of [root, join(home, '..'), join(home, 'out'), join(root, 'home of another')]) {
      await expect(directories.list(path)).rejects.toMatchObject({ code: 'refused' });
    }
    await expect(directories.list(join(home, 'gone'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(directories.list('team')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(directories.list(join(home, 'secret.txt'))).rejects.toMatchObject({ code: 'storage' });
    await expect(createDirectoryList({ home: join(root, 'gone'), parent: root }).list(null)).rejects.toMatchObject({
      code: 'storage',
    });
  });

  it('are at most 1,000', async () => {
    for (let at = 0; at < 1_001; at += 1) mkdirSync(join(home, 'team', `d${at}`));
    const { names, more } = await createDirectoryList({ home, parent: home }).list(join(home, 'team'));
    expect([names.length, more]).toEqual([1_000, true]);
  });
});

describe('the directory below which collections are offered', () => {
  it.each([
    ['/home/ana', '/work', '/home/ana'],
    ['/root', '/work', '/work'],
    ['/root', '/', '/root/croupier'],
    ['/var/root', '/work', '/work'],
    ['/', '/work', '/work'],
  ])('of %s, started in %s, is %s', (own, startedIn, place) => {
    expect(placeForCollections(own, startedIn)).toBe(place);
  });
});
