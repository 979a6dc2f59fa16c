import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, outside } from '#testing/page/playwright.ts';
import { test as base } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';

/** A collection in a git repository, with one commit. */
const test = base.extend<{ directory: string }>({
  directory: async ({ workbench }, provide) => {
    const directory = join(dirname(workbench.home), 'team');
    await outside.writeFiles(directory, {
      'list.yaml': 'operation: gameList\n',
      'wallet/bet.yaml': 'operation: bet\nnotes: one\n',
    });
    await outside.git(directory, 'init', '--quiet', '--initial-branch=main');
    await commit(directory);
    await provide(directory);
  },
});

async function commit(directory: string): Promise<void> {
  await outside.git(directory, 'add', '-A');
  await outside.git(directory, 'commit', '--quiet', '--message', 'm');
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

  await commit(directory);
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
  await outside.git(directory, 'checkout', '--quiet', '-b', 'theirs');
  await bet('of theirs');
  await commit(directory);
  await outside.git(directory, 'checkout', '--quiet', 'main');
  await bet('of ours');
  await commit(directory);
  await collections.openDirectory(directory);
  await collections.row('wallet').click();
  await expect(collections.row('bet')).toBeVisible();
  await expect(outside.git(directory, 'merge', 'theirs')).rejects.toThrow();

  await expect.poll(() => collections.row('bet').getAttribute('aria-label')).toBe('bet, cannot be read, in conflict');
  await page.keyboard.press('ArrowDown');
  await expect(collections.row('bet')).toBeFocused();
  await expect(collections.trouble).toContainText('This is an unresolved Git merge conflict');
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
  await commit(directory);
  await expect.poll(() => collections.row('bet').getAttribute('aria-label')).toBe('bet, request');
  expect(found).toEqual([]);
});
