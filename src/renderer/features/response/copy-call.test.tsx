import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { keepCopies } from '../../../../e2e/copies.ts';

test('a call is copied as a program that a developer would write, its hash input by the palette, another form in the history', async ({
  workbench,
  shell,
  requests,
  response,
  palette,
  history,
}) => {
  const { page } = workbench;
  await shell.openOperation('getGameRound');
  await requests.form.field('roundId').fill('1001');
  await requests.send.click();
  await expect(response.code).toBeVisible();
  const copied = await keepCopies(page);
  await shell.main.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'PHP, re-signed' }).click();
  await expect(shell.notices).toContainText('Copied call 1: PHP, re-signed.');
  expect(await copied()).toContain("$data = json_encode([\n    'roundId' => 1001,");
  await palette.run('copy hash input', /^Copy hash input/);
  await expect.poll(copied).toMatch(/^<PRIVATE_KEY>\d\d-\d\d-\d{4} \d\d:\d\d:\d\d\{"roundId":1001/);
  await shell.goTo('History');
  await history.chooseInMenu(0, 'Copy as');
  await page.getByRole('menuitem', { name: 'Node, re-signed' }).click();
  await expect.poll(copied).toContain('roundId: 1001');
});
