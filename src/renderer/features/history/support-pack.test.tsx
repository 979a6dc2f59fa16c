import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, outside } from '#testing/page/playwright.ts';
import { test, type Screens } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';
import { announced } from '../../../../e2e/pages/announced.ts';
import { createComparison } from '../../../../e2e/pages/comparison.ts';
import { createDoctor } from '../../../../e2e/pages/doctor.ts';
import { dropFile } from '../../../../e2e/pages/drop-file.ts';

/** Sends two calls, one with a token and one with a wrong hash, and returns the JSON of a pack of them. */
async function makePack({
  workbench,
  shell,
  requests,
  response,
}: Pick<Screens, 'workbench' | 'shell' | 'requests' | 'response'>): Promise<string> {
  await shell.openOperation('getLauncherURL');
  await requests.form.field('exitURL').fill('https://example.com/lobby?token=s-123456789');
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
  await shell.openOperation('gameList');
  await requests.overrides.open();
  await requests.overrides.hash('Wrong digit');
  await requests.overrides.close();
  await requests.send.click();
  await expect(response.code).toHaveText('8 hash not valid');
  const file = join(dirname(workbench.home), 'theirs.json');
  const out = ['--as', 'support', '--out', file.replace('.json', '.html')];
  expect((await workbench.cli(['history', 'export', '1', '2', ...out])).code).toBe(0);
  return readFile(file, 'utf8');
}

async function showCallsOf(page: Page, source: RegExp): Promise<void> {
  const choice = page.getByRole('combobox', { name: 'Whose calls' });
  const value = await choice.getByRole('option', { name: source }).getAttribute('value');
  await choice.selectOption(value);
}

test('A support pack is dropped on the window, read, compared with an own call, examined, and closed', async ({
  workbench,
  shell,
  requests,
  response,
  history,
}) => {
  const { page } = workbench;
  const json = await makePack({ workbench, shell, requests, response });
  const { found, look } = createLook(workbench);

  // A file that is not a pack says why, anywhere.
  await dropFile(shell.main, 'other.json', '{"a":1}');
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText(
    'other.json: This is not a Croupier support pack. It is other JSON.',
  );
  await dropFile(shell.main, 'theirs.json', json);
  const line = page.getByRole('region', { name: 'Support pack' });
  await expect(line).toContainText(/theirs\.json 2 calls, written .* by Croupier .*Read-only\./);
  await expect(line).toContainText('Masked in 1 of 2 calls: ');
  await expect(announced(page, /theirs\.json is open, read-only: 2 calls\. Masked in 1 of 2 calls: /)).toBeAttached();
  await expect(history.rows).toHaveCount(2);
  await look('a support pack');

  // Everything that reads is there, and nothing else.
  await expect(history.strip.getByRole('button')).toHaveText([/^Compare/, 'Open in Doctor']);
  await history.rows.nth(0).click({ button: 'right' });
  await expect(page.getByRole('menuitem')).toHaveText([/^Tick/, /^Tick up to here/, /^Compare/, 'Open in Doctor']);
  await page.keyboard.press('Escape');
  await expect(history.rows.nth(0)).toBeFocused();
  await history.search('lobby');
  await expect(history.count).toHaveText('1 call found');
  const detail = page.getByRole('region', { name: 'Call 1 of theirs.json', exact: true });
  await expect(detail).toContainText('Masked in the pack: ');
  await expect(detail).toContainText('masked, not compared');
  // The lengths are not those of the masked texts.
  await detail.getByRole('tab', { name: 'Sent' }).click();
  await expect(detail).toContainText(/data \d+ B \(masked\)/);
  await expect(detail).toContainText(/\d+ B, \d+ B masked/);
  await history.strip.getByRole('button', { name: 'Open in Doctor' }).click();
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText(
    "Call 1 of theirs.json can't be examined: the pack masks its request",
  );
  await history.search('');
  await expect(history.rows).toHaveCount(2);

  // Ticks of both histories are compared.
  await history.rows.nth(1).getByRole('checkbox').click();
  await showCallsOf(page, /^Your calls$/);
  await expect(line).toBeHidden();
  await history.rows.nth(0).getByRole('checkbox').click();
  await history.strip.getByRole('button', { name: /^Compare/ }).click();
  const comparison = createComparison(page);
  await expect(comparison.title).toHaveText('Comparison of call 1 of theirs.json and call 2');
  await expect(comparison.screen).toContainText('Call 1 of theirs.json. Masked in the pack: ');
  await comparison.back.click();

  // The doctor has the key of the environment here.
  await showCallsOf(page, /^theirs\.json: 2 calls, written .* by Croupier /);
  await history.rows.nth(0).click();
  await history.strip
    .getByRole('button', { name: 'Untick all' })
    .or(page.getByRole('button', { name: 'Untick all' }))
    .click();
  await history.strip.getByRole('button', { name: 'Open in Doctor' }).click();
  await expect(createDoctor(page).finding).toContainText('digit');
  await shell.goTo('History');

  await line.getByRole('button', { name: 'Close pack' }).click();
  await expect(announced(page, /theirs\.json is closed\. The history shows your own calls\./)).toBeAttached();
  await expect(line).toBeHidden();
  await expect(page.getByRole('combobox', { name: 'Whose calls' })).toBeHidden();
  await expect(history.rows).toHaveCount(2);
  await shell.goTo('Requests');
  await expect(requests.tabs).toHaveCount(2);
  expect(found).toEqual([]);
});

test('A support pack is opened and read by the keyboard, and stays open when the page is loaded again', async ({
  workbench,
  shell,
  history,
  palette,
}) => {
  const { page } = workbench;
  const file = join(dirname(workbench.home), 'theirs.json');
  const beside = file.replace('.json', '.html');
  await writeFile(file, await outside.supportPack(2));
  await writeFile(beside, 'another page');
  const chosen = outside.chooseFiles([file, beside]);
  await palette.open();
  await page.keyboard.type('open support pack');
  await expect(page.getByRole('option').first()).toHaveText(/Open support pack…/);
  await page.keyboard.press('Enter');
  await chosen;
  const line = page.getByRole('region', { name: 'Support pack' });
  await expect(line).toContainText('The HTML page next to it belongs to another pack or was changed.');
  await expect(history.rows).toHaveCount(2);
  await expect(history.rows.nth(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(history.rows.nth(1)).toBeFocused();
  await expect(page.getByRole('region', { name: 'Call 1 of theirs.json', exact: true })).toBeVisible();
  // Keys of actions that a call of a pack does not have.
  for (const key of ['p', 'n', 'r', 'e', 'Delete']) await page.keyboard.press(key);
  await expect(history.rows.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Sent' })).toBeFocused();

  await page.reload();
  await shell.goTo('History');
  await showCallsOf(page, /^theirs\.json: 2 calls, written .* by Croupier /);
  await expect(line).toBeVisible();
  await expect(history.rows).toHaveCount(2);
});
