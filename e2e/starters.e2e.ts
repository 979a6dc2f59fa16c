import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLook } from './audit.ts';
import { expect, test, type Workbench } from './fixtures.ts';
import { createRunsScreen } from './pages/runs.ts';
import { root } from './program.ts';

/** The home directory of the user whose workbench it is. */
const userFolder = ({ home }: Workbench) => path.join(path.dirname(home), 'home');
const shipped = (name: string) => path.join(root, 'starter-collections', name);

test.describe('Starter collections', () => {
  test('are offered to who has none open, and a copy passes as it is', async ({ workbench, shell, collections, requests }) => {
    const { page } = workbench;
    await collections.show();
    await expect(collections.starters).toHaveText([
      /^First call .*accepts the platform/,
      /^Launch .*launcher URL/,
      /^Wallet session .*balance/,
      /^Free rounds .*many/,
      /^Rounds and replay .*replay\.$/,
    ]);
    await collections.starters.filter({ hasText: 'Wallet session' }).click();
    const directory = path.join(userFolder(workbench), 'wallet-session');
    await expect(collections.directory).toHaveValue(directory);
    await collections.dialog.getByRole('button', { name: 'Copy and open' }).click();
    await expect(collections.dialog).toBeHidden();
    await expect(collections.row('Same bet again')).toBeVisible();
    for (const name of readdirSync(shipped('wallet-session'))) {
      expect(readFileSync(path.join(directory, name)), name).toEqual(readFileSync(path.join(shipped('wallet-session'), name)));
    }
    await collections.open('Player info');
    await expect(requests.activeTab).toHaveText(/^Player info$/);

    await shell.notices.getByRole('button', { name: 'Run it' }).click();
    const runs = createRunsScreen(page);
    await runs.run.click();
    await expect(runs.totals).toHaveText(/^6 passed\+0 failed\+0 errors\+0 skipped\+0 cancelled=6 planned$/);
  });

  test('never go over what is there, and say what to do; the menu and the palette offer them too', async ({
    workbench,
    collections,
    palette,
  }) => {
    const { keyboard } = workbench.page;
    const mine = path.join(userFolder(workbench), 'mine');
    await mkdir(mine);
    await writeFile(path.join(mine, 'notes.txt'), 'mine');
    // By the keyboard alone.
    await palette.run('starter', /New collection from a starter/);
    await expect(collections.dialog).toContainText('New from a starter collection');
    await expect(collections.directory).toHaveValue(path.join(userFolder(workbench), 'first-call'));
    await collections.directory.focus();
    await keyboard.press('ControlOrMeta+A');
    await keyboard.insertText(mine);
    await keyboard.press('Enter');
    await expect(collections.dialog.getByRole('alert')).toContainText(/notes\.txt.*nothing was written\. Name another directory/);
    expect(readdirSync(mine)).toEqual(['notes.txt']);
    await keyboard.press('ControlOrMeta+A');
    await keyboard.insertText(path.join(mine, 'deep', 'new'));
    await keyboard.press('Enter');
    await expect(collections.dialog).toBeHidden();
    await expect(collections.row('Game list')).toBeVisible();
    expect(readdirSync(path.join(mine, 'deep', 'new')).sort()).toEqual(readdirSync(shipped('first-call')).sort());
    expect(existsSync(path.join(userFolder(workbench), 'first-call'))).toBe(false);

    await collections.action('New from a starter collection…');
    await collections.dialog.getByRole('combobox', { name: 'Starter' }).selectOption({ label: 'Free rounds' });
    await expect(collections.dialog).toContainText('Free rounds for one player');
    await expect(collections.directory).toHaveValue(path.join(userFolder(workbench), 'free-rounds'));
    await collections.dialog.getByRole('button', { name: 'Copy and open' }).click();
    await expect(collections.row('Many players')).toBeVisible();
    await expect(collections.row('new')).toBeVisible();
  });
});

test('in both themes the starters are readable and can be used by everybody', async ({ workbench, shell, collections }) => {
  test.slow();
  const { page } = workbench;
  const { found, look } = createLook(workbench);
  await collections.show();
  await expect(collections.starters).toHaveCount(5);
  await look('starters');
  await collections.starters.filter({ hasText: 'Rounds and replay' }).click();
  await look('where to');
  await collections.directory.fill(userFolder(workbench).replace(/home$/, ''));
  await page.keyboard.press('Enter');
  await expect(collections.dialog.getByRole('alert')).toBeVisible();
  await look('something is there');
  await page.keyboard.press('Escape');
  await workbench.resize(1024, 700);
  await look('starters, narrow');
  await workbench.resize(700, 600);
  await page.keyboard.press('ControlOrMeta+B');
  await expect(collections.starters.first()).toBeVisible();
  await look('starters, in the drawer');
  await collections.starters.first().click();
  await expect(collections.dialog).toBeVisible();
  await look('where to, narrow');
  await collections.dialog.getByRole('button', { name: 'Copy and open' }).click();
  await expect(collections.dialog).toBeHidden();
  await expect(shell.notices.getByRole('button', { name: 'Run it' })).toBeVisible();
  await workbench.resize(1280, 800);
  await look('copied');
  expect(found).toEqual([]);
});
