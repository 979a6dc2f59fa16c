import { describe } from 'vitest';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';
import { createRunsScreen } from '../../../../e2e/pages/runs.ts';

describe('Starter collections', () => {
  test('are offered to who has none open, and a copy passes as it is', async ({ workbench, shell, collections, requests }) => {
    const { page } = workbench;
    await collections.show();
    await expect(collections.starters).toHaveText([
      /^First call .*platform/,
      /^Launch .*launcher URL/,
      /^Wallet session .*balance/,
      /^Free rounds .*many/,
      /^Rounds and replay .*replay link\.$/,
    ]);
    await collections.starters.filter({ hasText: 'Wallet session' }).click();
    await expect(collections.directory).toHaveValue(/\/wallet-session(-\d+)?$/);
    const directory = join(dirname(workbench.home), 'session');
    await collections.directory.fill(directory);
    await collections.dialog.getByRole('button', { name: 'Copy and open' }).click();
    await expect(collections.dialog).toBeHidden();
    await expect(collections.row('Same bet again')).toBeVisible();
    const shipped = 'starter-collections/wallet-session';
    for (const name of await readdir(shipped))
      expect(await readFile(join(directory, name), 'utf8'), name).toBe(await readFile(join(shipped, name), 'utf8'));
    await collections.open('Player info');
    await expect(requests.activeTab).toHaveText(/^Player info$/);

    await shell.notices.getByRole('button', { name: 'Run', exact: true }).click();
    const runs = createRunsScreen(page);
    await runs.run.click();
    await expect(runs.totals).toHaveText(/^6 passed=6 planned$/);
  });

  test('never go over what is there, and say what to do; the menu and the palette offer them too', async ({
    workbench,
    collections,
    palette,
  }) => {
    const { keyboard } = workbench.page;
    const mine = join(dirname(workbench.home), 'mine');
    await outside.writeFiles(mine, { 'notes.txt': 'mine' });
    // By the keyboard alone.
    await palette.run('starter', /New collection from starter/);
    await expect(collections.dialog).toContainText('New from starter');
    await expect(collections.directory).toHaveValue(/\/first-call(-\d+)?$/);
    await collections.directory.focus();
    await keyboard.press('ControlOrMeta+A');
    await keyboard.insertText(mine);
    await keyboard.press('Enter');
    await expect(collections.dialog.locator('[id$="-error"]')).toContainText(
      /Nothing was written: .* already contains notes\.txt\. Name another folder/,
    );
    expect(await readdir(mine)).toEqual(['notes.txt']);
    await keyboard.press('ControlOrMeta+A');
    await keyboard.insertText(join(mine, 'deep', 'new'));
    await keyboard.press('Enter');
    await expect(collections.dialog).toBeHidden();
    await expect(collections.row('Game list')).toBeVisible();
    expect((await readdir(join(mine, 'deep', 'new'))).sort()).toEqual((await readdir('starter-collections/first-call')).sort());
    expect(await readdir(mine)).toEqual(['deep', 'notes.txt']);

    await collections.action('New from starter…');
    await collections.dialog.getByRole('combobox', { name: 'Starter' }).selectOption({ label: 'Free rounds' });
    await expect(collections.dialog).toContainText('free rounds to one player');
    await expect(collections.directory).toHaveValue(/\/free-rounds(-\d+)?$/);
    await collections.directory.fill(join(mine, 'free'));
    await collections.dialog.getByRole('button', { name: 'Copy and open' }).click();
    await expect(collections.row('Many players')).toBeVisible();
    await expect(collections.row('new')).toBeVisible();
  });

  test('in both themes the starters are readable and can be used by everybody', async ({ workbench, shell, collections }) => {
    const { page } = workbench;
    const { found, look } = createLook(workbench);
    await collections.show();
    await expect(collections.starters).toHaveCount(5);
    await look('starters');
    await collections.starters.filter({ hasText: 'Rounds and replay' }).click();
    await look('where to');
    await collections.directory.fill(dirname(workbench.home));
    await page.keyboard.press('Enter');
    await expect(collections.dialog.locator('[id$="-error"]')).toBeVisible();
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
    await collections.directory.fill(join(dirname(workbench.home), 'copied'));
    await collections.dialog.getByRole('button', { name: 'Copy and open' }).click();
    await expect(collections.dialog).toBeHidden();
    await expect(shell.notices.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
    await workbench.resize(1280, 800);
    await look('copied');
    expect(found).toEqual([]);
  });
});
