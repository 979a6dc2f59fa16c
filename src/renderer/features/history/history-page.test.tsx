import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createComparison } from '../../../../e2e/pages/comparison.ts';
import { addBareEnvironment } from '../../../../e2e/own-environment.ts';

describe('The history', () => {
  test('tells calls apart by their subject, and compares two that one filter never shows together', async ({
    workbench,
    shell,
    history,
  }) => {
    const { page } = workbench;
    const comparison = createComparison(page);
    await addBareEnvironment(workbench, 'dead');
    for (const [method, amount, transactionId] of [
      ['bet', 99_999, 'a-80'],
      ['bet', 1.5, 'a-81'],
      ['win', 1.5, 'a-82'],
    ] as const) {
      const data = { externalToken: 'tok-1', transactionId, amount, currency: 'EUR', playerId: 'player-2', gameId: '1042' };
      await workbench.cli(['call', method, '--env', 'dead', '--data', JSON.stringify(data)]);
    }
    await shell.goTo('History');
    await expect(history.rows).toHaveText([
      /win.*player-2 · game 1042 · 1\.5 EUR · trx a-82/,
      /bet.*player-2 · game 1042 · 1\.5 EUR · trx a-81/,
      /bet.*player-2 · game 1042 · 99999 EUR · trx a-80/,
    ]);
    expect((await history.rows.allTextContents()).join()).not.toContain('tok-1');
    await history.rows.nth(0).getByRole('checkbox').click();
    await history.filter('Operation', '/bet');
    await expect(history.rows).toHaveCount(2);
    await expect(history.ticked).toContainText('1 ticked, 1 not in the list');
    // No row, and so no strip: the tick is still told of.
    await history.search('no such text');
    await expect(history.empty).toHaveText('Nothing found');
    await expect(history.ticked).toContainText('1 ticked');
    await history.search('');
    await history.rows.nth(1).getByRole('checkbox').click();
    await expect(history.strip).toContainText('2 ticked, 1 not in the list');
    await page.keyboard.press('c');
    await expect(comparison.title).toHaveText('Comparison of call 1 and call 3');
    await expect(comparison.tab('Fields')).toHaveAttribute('aria-selected', 'true');
    await expect(comparison.finding).toContainText('in amount: 99999 against 1.5');
    await expect(comparison.lines).toHaveText([
      /^playerId/,
      /^gameId/,
      /^amount/,
      /^currency/,
      /^externalToken/,
      /^transactionId/,
    ]);
    await page.keyboard.press('Escape');
    await history.ticked.getByRole('button', { name: 'Untick all' }).click();
    await expect(history.ticked).toHaveCount(0);
    await expect(history.rows.nth(1)).toBeFocused();
  });

  test('takes turns with the selected call where the window is too small for both', async ({ workbench, shell, history }) => {
    const { page } = workbench;
    await addBareEnvironment(workbench, 'dead');
    for (const player of ['1', '2']) {
      await workbench.cli(['call', 'bet', '--env', 'dead', '--data', `{"playerId":"${player}"}`]);
    }
    await workbench.resize(720, 450);
    await shell.goTo('History');
    const tab = (name: string) => shell.main.getByRole('tab', { name });
    await expect(tab('Calls')).toHaveAttribute('aria-selected', 'true');
    await history.rows.nth(1).getByRole('gridcell').nth(2).click();
    await expect(tab('Call 1')).toBeFocused();
    await expect(history.detail.pane).toHaveAccessibleName('Call 1');
    await expect(history.rows.nth(1)).toBeHidden();
    expect((await history.detail.pane.boundingBox())?.height).toBeGreaterThan(240);
    await page.keyboard.press('Escape');
    await expect(history.rows.nth(1)).toBeFocused();
    await expect(history.detail.pane).toBeHidden();
    await page.keyboard.press('Home');
    await expect(tab('Call 2')).toBeVisible();
    await tab('Calls').focus();
    await page.keyboard.press('ArrowRight');
    await expect(history.detail.pane).toHaveAccessibleName('Call 2');
    await expect(history.detail.pane.getByRole('button', { name: 'Edit and re-sign' })).toBeInViewport();
    await shell.main.getByRole('tab', { name: 'Calls' }).click();
    await expect(history.rows.first()).toBeInViewport();
    await workbench.resize(320, 640);
    await expect(history.rows.first()).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });

  test('says that nothing was found, and shows all again', async ({ shell, requests, response, history }) => {
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await history.search('no such text');
    await expect(history.empty).toHaveText('Nothing found');
    await shell.main.getByRole('button', { name: 'Show all calls' }).click();
    await expect(history.rows).toHaveCount(1);
  });

  test('pins, notes and deletes calls by the keyboard alone, and undoes a deletion', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const { page } = workbench;
    for (const operation of ['gameList', 'getLauncherURL']) {
      await shell.openOperation(operation);
      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
    }
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(2);
    await history.rows.nth(0).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('p');
    const gameList = history.rows.filter({ hasText: 'gameList' });
    await expect(gameList.getByRole('img', { name: 'Pinned' })).toBeVisible();
    await page.keyboard.press('n');
    await expect(history.note).toBeFocused();
    await page.keyboard.type('The one for the provider');
    await page.keyboard.press('Enter');
    await expect(gameList.getByRole('img', { name: 'Note: The one for the provider' })).toBeVisible();
    await expect(gameList).toBeFocused();
    await page.keyboard.press('n');
    await expect(history.note).toBeFocused();
    await page.keyboard.type(' and more');
    await page.keyboard.press('Escape');
    await expect(history.note).toHaveValue('The one for the provider');
    await expect(gameList).toBeFocused();
    await history.pinnedOnly.click();
    await expect(history.count).toHaveText('1 call found');
    await history.pinnedOnly.click();
    await expect(history.rows).toHaveCount(2);

    await history.rows.nth(0).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expect(history.strip).toContainText('2 ticked');
    await page.keyboard.press('Delete');
    await expect(history.empty).toHaveText('No calls in the history');
    await expect(shell.status).toContainText('0 calls in the history');
    await shell.notices.getByRole('button', { name: 'Undo' }).click();
    await expect(history.rows).toHaveCount(2);
    await expect(gameList.getByRole('img', { name: 'Pinned' })).toBeVisible();
    await expect(shell.status).toContainText('2 calls in the history');
  });

  test('has the same in a menu and in the strip below the list', async ({ workbench, shell, requests, response, history }) => {
    for (let sent = 0; sent < 2; sent += 1) {
      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
      await expect(shell.status).toContainText(`${sent + 1} call`);
    }
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(2);
    await history.chooseInMenu(1, /^Pin/);
    await expect(history.rows.nth(1).getByRole('img', { name: 'Pinned' })).toBeVisible();
    await history.chooseInMenu(1, /^Write a note/);
    await expect(history.note).toBeFocused();
    await history.note.fill('first');
    await history.strip.getByRole('button', { name: 'Unpin' }).click();
    await expect(history.rows.nth(1).getByRole('img', { name: 'Pinned' })).toHaveCount(0);
    await expect(history.rows.nth(1).getByRole('img', { name: 'Note: first' })).toBeVisible();
    await history.rows.nth(0).getByRole('checkbox').click();
    await expect(history.strip).toContainText('1 ticked');
    await history.strip.getByRole('button', { name: 'Delete' }).click();
    await expect(history.rows).toHaveCount(1);
    await expect(shell.notices).toContainText('Deleted 1 call.');
    const { stdout } = await workbench.cli(['history', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ total: 1, calls: [{ id: 1, pinned: false, note: 'first' }] });
  });

  test('says its size on disk and what is kept, which can be limited', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.storage).toHaveText(/^1 call, [\d.]+ [kM]B on disk$/);
    await expect(history.retention).toHaveText('Keeps all calls');
    await history.retention.click();
    const age = shell.dialog.getByRole('textbox', { name: 'Age' });
    await age.fill('none');
    await expect(shell.dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await age.fill('30');
    await shell.dialog.getByRole('textbox', { name: 'Number' }).fill('10000');
    await expect(shell.dialog).toContainText('These limits remove nothing now: 1 call stays.');
    await shell.dialog.getByRole('button', { name: 'Save' }).click();
    await expect(history.retention).toHaveText('Keeps 30 days, at most 10,000 calls');
    await expect(history.rows).toHaveCount(1);
    await workbench.page.reload();
    await shell.goTo('History');
    await expect(history.retention).toHaveText('Keeps 30 days, at most 10,000 calls');
  });
});
