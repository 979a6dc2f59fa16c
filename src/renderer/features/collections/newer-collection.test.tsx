import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, outside } from '#testing/page/playwright.ts';
import { test as base } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';
import { createRunsScreen } from '../../../../e2e/pages/runs.ts';

const bet = 'operation: bet\ndata: |\n  {"gameId": "1042", "amount": {{amount}}}\n';
const reason = 'This collection has format 2, and this version of Croupier knows format 1';

/** A collection that a newer version wrote. */
const test = base.extend<{ directory: string }>({
  directory: async ({ workbench }, provide) => {
    const directory = join(dirname(workbench.home), 'team');
    await outside.writeFiles(directory, {
      'collection.yaml': "format: 2\nservers: []\nvariables:\n  amount: '1.50'\n",
      'wallet/bet.yaml': bet,
    });
    await provide(directory);
  },
});

test('a collection of a newer format is shown, and neither saved nor run until its format is one that is known', async ({
  workbench,
  shell,
  collections,
  requests,
  directory,
}) => {
  const { page } = workbench;
  const runs = createRunsScreen(page);
  const banner = page.getByRole('status', { name: 'team is read-only' });
  const inTab = page.getByRole('status', { name: '"bet" is read-only' });
  await collections.openDirectory(directory);
  await expect(banner).toContainText(reason);
  await expect(banner).toContainText('install a newer version of Croupier');
  await collections.open('wallet', 'bet');
  await expect(inTab).toContainText(reason);
  await requests.form.field('gameId').fill('1001');
  await page.keyboard.press('ControlOrMeta+S');
  await expect(requests.activeTab).toHaveText(/changed/);
  await expect(requests.send).toBeDisabled();
  // The banner below has the whole reason.
  await expect(requests.send).toHaveAccessibleDescription('The collection is read-only.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(requests.refusal).toContainText(reason);
  await requests.refusal.getByRole('button', { name: 'Close' }).click();
  await requests.activeTab.click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: /^Save\b(?! as)/ })).toBeDisabled();
  await page.keyboard.press('Escape');

  await collections.row('bet').click({ button: 'right' });
  for (const name of ['Run this request', 'New request', 'Rename', 'Duplicate', 'Move to…', 'Delete'])
    await expect(page.getByRole('menuitem', { name })).toBeDisabled();
  await expect(page.getByRole('menuitem', { name: 'Open' })).toBeEnabled();
  await page.keyboard.press('Escape');
  await collections.row('bet').focus();
  for (const key of ['F2', 'Delete', 'Alt+ArrowUp', 'Alt+ArrowLeft', 'Alt+KeyM']) await page.keyboard.press(key);
  await expect(collections.tree.getByRole('textbox')).toHaveCount(0);
  await expect(collections.dialog).toHaveCount(0);
  await expect(collections.row('bet')).toHaveAttribute('draggable', 'false');
  await expect(shell.notices).toHaveText('');
  await collections.menu('team', 'Variables and notes');
  await expect(collections.dialog).toContainText(reason);
  await expect(collections.dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.keyboard.press('Escape');

  await shell.goTo('Runs');
  await runs.newRun.click();
  await expect(runs.dialog).toContainText(reason);
  await expect(runs.run).toBeDisabled();
  await page.keyboard.press('Escape');
  expect(await readFile(join(directory, 'wallet', 'bet.yaml'), 'utf8')).toBe(bet);

  // As when its owner goes back to the format of this version: the same tab can be saved.
  await writeFile(join(directory, 'collection.yaml'), "format: 1\nvariables:\n  amount: '1.50'\n");
  await shell.goTo('Requests');
  await expect(banner).toBeHidden();
  await expect(inTab).toBeHidden();
  await expect(requests.send).toBeEnabled();
  await page.keyboard.press('ControlOrMeta+S');
  await expect(requests.activeTab).toHaveText(/^bet$/);
  expect(await readFile(join(directory, 'wallet', 'bet.yaml'), 'utf8')).toBe(bet.replace('1042', '1001'));
});

test('in both themes its banners are readable and can be used by everybody', async ({
  workbench,
  shell,
  collections,
  requests,
  directory,
}) => {
  const { page } = workbench;
  const { found, look } = createLook(workbench);
  await collections.openDirectory(directory);
  await collections.open('wallet', 'bet');
  await expect(requests.activeTab).toHaveText(/^bet$/);
  await look('a newer collection');
  await collections.row('bet').click({ button: 'right' });
  await look('its menu');
  await page.keyboard.press('Escape');
  await workbench.resize(700, 800);
  await look('narrow');
  await workbench.resize(1440, 900);
  await shell.goTo('Runs');
  await createRunsScreen(page).newRun.click();
  await expect(collections.dialog).toContainText(reason);
  await look('the run dialog');
  expect(found).toEqual([]);
});
