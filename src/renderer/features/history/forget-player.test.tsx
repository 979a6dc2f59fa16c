import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';

const player = 'zqxw-7731';

test('A player is forgotten: what names it is shown, and then gone', async ({ workbench, shell, history }) => {
  const { page, home } = workbench;
  const { found, look } = createLook(workbench);
  const bet = (playerId: string) => ['call', 'bet', '--env', 'sandbox', '--data', JSON.stringify({ playerId, amount: 1 })];
  await workbench.cli(bet(player));
  await workbench.cli(bet('another'));
  const aside = join(home, 'history.sqlite.set-aside-20260101T000000');
  // The record is written first: without it the workbench reads what it can of the file and writes a record of its own.
  await writeFile(`${aside}.json`, JSON.stringify({ reason: 'was damaged', at: 1, recovered: 0 }));
  await writeFile(aside, player);
  await shell.goTo('History');
  await expect(history.rows).toHaveCount(2);
  await history.chooseInMenu(1, 'Forget a player…');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Player ID')).toHaveValue(player);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveAccessibleName(`Forget player "${player}"?`);
  await expect(dialog.getByRole('list', { name: 'Will be removed' })).toHaveText('1 call');
  await expect(dialog.getByRole('list', { name: 'Not covered' })).toContainText('Damaged histories that were set aside');
  await dialog.getByRole('checkbox').check();
  await look('found');
  await workbench.resize(360, 640);
  await look('found, narrow');
  await workbench.resize(1_440, 900);
  await dialog.getByRole('button', { name: 'Forget player' }).click();
  await expect(dialog).toHaveAccessibleName(`Removed everything about "${player}" that Croupier can reach`);
  await expect(dialog.getByRole('list', { name: 'Removed' })).toHaveText(/1 call\s*2 files of damaged histories/);
  await look('done');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(history.rows).toHaveCount(1);
  expect(await outside.filesWith(home, 'zqxw')).toEqual([]);
  expect(found).toEqual([]);
});
