import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLook } from './audit.ts';
import { expect, test as base } from './fixtures.ts';

/** A collection in a git repository, with one commit. */
const test = base.extend<{ directory: string }>({
  // Playwright wants the pattern there.
  // eslint-disable-next-line no-empty-pattern
  directory: async ({}, provide) => {
    const directory = await mkdtemp(join(tmpdir(), 'croupier-git-'));
    await mkdir(join(directory, 'wallet'));
    await writeFile(join(directory, 'list.yaml'), 'operation: gameList\n');
    await writeFile(join(directory, 'wallet', 'bet.yaml'), 'operation: bet\nnotes: one\n');
    git(directory, 'init', '--quiet', '--initial-branch=main');
    commit(directory);
    await provide(directory);
    await rm(directory, { recursive: true, force: true });
  },
});

function git(directory: string, ...args: string[]): void {
  const settings = ['user.name=t', 'user.email=t@localhost', 'commit.gpgSign=false'].flatMap((one) => ['-c', one]);
  execFileSync('git', ['-C', directory, ...settings, ...args], { stdio: 'ignore' });
}

function commit(directory: string): void {
  git(directory, 'add', '-A');
  git(directory, 'commit', '--quiet', '--message', 'm');
}

test('the tree marks what differs from the last commit, and a file is compared with it', async ({
  workbench,
  collections,
  directory,
}) => {
  const { page } = workbench;
  const { look, found } = createLook(workbench);
  await collections.openDirectory(directory);
  const label = (name: string) => collections.row(name).getAttribute('aria-label');
  await expect(collections.row('list')).toHaveAttribute('aria-label', 'list gameList');

  await writeFile(join(directory, 'list.yaml'), 'operation: gameList\nnotes: a change\n');
  await writeFile(join(directory, 'wallet', 'win.yaml'), 'operation: win\n');
  await expect.poll(() => label('list')).toBe('list gameList, changed since the last commit');
  await expect.poll(() => label('wallet')).toBe('wallet, folder, 1 file differs from the last commit');
  await collections.row('wallet').click();
  await expect.poll(() => label('win')).toBe('win, request, not committed yet');
  await look('marks in the tree');

  await collections.menu('list', 'Compare with the last commit');
  await expect(collections.dialog).toContainText('Two versions of list.yaml');
  await expect(collections.dialog.getByRole('textbox', { name: /^Committed, [0-9a-f]{7}/ })).toHaveCount(1);
  await expect(collections.dialog.locator('.line-insert').first()).toBeVisible();
  await look('a file beside that of the last commit');
  await page.keyboard.press('Escape');
  await expect(collections.row('list')).toBeFocused();

  commit(directory);
  await expect.poll(() => label('list')).toBe('list gameList');
  await expect.poll(() => label('wallet')).toBe('wallet, folder');
  expect(found).toEqual([]);
});

test('a file in which git left a conflict opens on both versions, by the keyboard', async ({
  workbench,
  collections,
  directory,
}) => {
  const { page } = workbench;
  const { look, found } = createLook(workbench);
  const bet = (notes: string) => writeFile(join(directory, 'wallet', 'bet.yaml'), `operation: bet\nnotes: ${notes}\n`);
  git(directory, 'checkout', '--quiet', '-b', 'theirs');
  await bet('of theirs');
  commit(directory);
  git(directory, 'checkout', '--quiet', 'main');
  await bet('of ours');
  commit(directory);
  await collections.openDirectory(directory);
  await collections.row('wallet').click();
  await expect(collections.row('bet')).toBeVisible();
  expect(() => git(directory, 'merge', 'theirs')).toThrow();

  await expect.poll(() => collections.row('bet').getAttribute('aria-label')).toBe('bet, cannot be read, in conflict');
  await page.keyboard.press('ArrowDown');
  await expect(collections.row('bet')).toBeFocused();
  await expect(collections.trouble).toContainText('Git has left both versions of a change here');
  await look('a conflict in the tree');
  await page.keyboard.press('Enter');
  await expect(collections.dialog).toContainText('Two versions of wallet/bet.yaml');
  for (const name of ['Ours, HEAD', 'Theirs, theirs'])
    await expect(collections.dialog.getByRole('textbox', { name })).toHaveCount(1);
  await expect(collections.dialog).toContainText('of ours');
  await expect(collections.dialog).toContainText('of theirs');
  await look('both versions of a conflict');
  await page.keyboard.press('Escape');
  await expect(collections.row('bet')).toBeFocused();
  await bet('of both');
  commit(directory);
  await expect.poll(() => collections.row('bet').getAttribute('aria-label')).toBe('bet, request');
  expect(found).toEqual([]);
});
