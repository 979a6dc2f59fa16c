import { describe } from 'vitest';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { addEnvironment } from '../../../../e2e/own-environment.ts';

describe('An exact repeat', () => {
  test('says first what goes out again, then sends the same bytes and selects the new call', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const { page } = workbench;
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(1);
    await history.rows.first().focus();
    await page.keyboard.press('r');
    await expect(shell.dialog).toContainText('Repeat call 1 exactly');
    await expect(shell.dialog).toContainText(/Sends the same \d+ bytes again/);
    await expect(shell.dialog).toContainText(/time stays "\d\d-\d\d-\d{4} \d\d:\d\d:\d\d"/);
    await page.keyboard.press('Escape');
    await expect(shell.dialog).toBeHidden();
    await expect(history.rows.first()).toBeFocused();
    await page.keyboard.press('r');
    await shell.dialog.getByRole('button', { name: 'Repeat exactly' }).click();
    await expect(history.rows).toHaveCount(2);
    const again = history.rows.filter({ has: page.getByRole('img', { name: 'Repeats call 1' }) });
    await expect(again).toContainText('0 ok');
    await expect(again).toHaveAttribute('aria-current', 'true');
    await expect(history.detail.pane).toContainText('Exact repeat of call 1');
    await expect(again).toBeFocused();
    const shown = async (id: number) => {
      const { stdout } = await workbench.cli(['history', 'show', String(id), '--json']);
      return JSON.parse(stdout) as { repeats: number | null; request: unknown };
    };
    const [first, second] = [await shown(1), await shown(2)];
    expect([first.repeats, second.repeats]).toEqual([null, 1]);
    expect(second.request).toEqual(first.request);

    // For the same bytes the page asks once.
    await page.keyboard.press('r');
    await expect(history.rows).toHaveCount(3);
    await expect(history.detail.pane).toContainText('Exact repeat of call 2');
    await page.keyboard.press('Enter');
    await expect(response.pane).toContainText('Exact repeat of call 2: the same bytes, with the old time and hash.');
    await expect(response.facts).toContainText('not re-signed');
  });

  test('names the IDs of a bet, which is a question of its own each time', async ({
    workbench,
    shell,
    requests,
    response,
    history,
    palette,
  }) => {
    await shell.openOperation('/bet');
    const editor = await requests.openEditor();
    await editor.replace('{"externalToken":"t","transactionId":"t-9007199254740993 Zoë","amount":1.50}');
    await requests.send.click();
    await expect(response.code).toHaveText('404 Invalid Token');
    await palette.run('repeat exactly', /Repeat exactly/);
    await expect(shell.dialog).toContainText('It sends the same IDs again: transactionId "t-9007199254740993 Zoë"');
    await shell.dialog.getByRole('button', { name: "Don't send" }).click();
    await expect(shell.dialog).toBeHidden();
    await expect(shell.status).toContainText(/(?<!\d)1 call(?!s)/);
    await shell.goTo('History');
    await history.repeatExactly.click();
    await shell.dialog.getByRole('button', { name: 'Edit and re-sign' }).click();
    await expect(requests.activeTab).toHaveText(/bet/);
    await expect(workbench.page.getByRole('tab', { name: /bet/ })).toHaveCount(1);
  });

  test('from the answer stays in its tab, and edit and re-sign opens another', async ({ workbench, requests, response }) => {
    const { page } = workbench;
    await requests.overrides.open();
    await requests.overrides.hash('Wrong digit');
    await requests.overrides.close();
    await requests.send.click();
    await expect(response.code).toHaveText('8 hash not valid');
    await response.repeatExactly.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Repeat exactly' }).click();
    await expect(response.pane).toContainText('Exact repeat of call 1');
    await expect(response.code).toHaveText('8 hash not valid');
    await expect(page.getByRole('tab', { name: /gameList/ })).toHaveCount(1);
    await response.pane.getByRole('button', { name: 'Open call 1' }).click();
    await expect(response.facts).toContainText('hash digit changed');
    await response.editAndResign.click();
    await expect(page.getByRole('tab', { name: /gameList/ })).toHaveCount(3);
    await expect(response.failure).toHaveText('No response yet');
  });

  test('can be cancelled, and its row says so', async ({ workbench, shell, requests, response, history }) => {
    let answers = true;
    const server = await startHttpsServer((_, answer) => {
      if (answers) answer.end('{"balance":1}');
    });
    try {
      await addEnvironment(workbench, server, 'staging');
      await shell.useEnvironment('staging');
      await shell.openOperation('/playerInfo');
      await requests.send.click();
      await expect(response.facts).toContainText('HTTP 200');
      answers = false;
      await response.repeatExactly.click();
      await shell.dialog.getByRole('button', { name: 'Repeat exactly' }).click();
      await expect(response.pane).toContainText(/Sending \d/);
      await workbench.page.keyboard.press('Escape');
      await expect(response.code).toHaveText('Cancelled');
      await shell.goTo('History');
      await history.rows.first().focus();
      await workbench.page.keyboard.press('r');
      await expect(history.strip).toContainText('Sending call 2 again');
      // Before its row appears nothing has left, and a cancelled repeat has no row.
      await expect(history.rows).toHaveCount(3);
      await workbench.page.keyboard.press('Escape');
      await expect(history.rows.first()).toContainText('cancelled');
      await expect(history.repeatExactly).toBeVisible();
    } finally {
      await server.close();
    }
  });

  test('asks for production, and says why it is not sent where the address is another or the environment is gone', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const bodies: string[] = [];
    const server = await startHttpsServer(({ body }, answer) => {
      bodies.push(body.toString());
      answer.end('{"balance":1}');
    });
    try {
      await addEnvironment(workbench, server, 'live');
      await shell.useEnvironment('live');
      await shell.openOperation('/playerInfo');
      await requests.send.click();
      await expect(response.facts).toContainText('HTTP 200');
      await workbench.cli(['env', 'set', 'live', '--production']);
      await shell.goTo('History');
      await history.repeatExactly.click();
      await shell.dialog.getByRole('button', { name: 'Repeat exactly' }).click();
      await expect(shell.dialog).toContainText('Send playerInfo to live?');
      expect(bodies).toHaveLength(1);
      await shell.dialog.getByRole('button', { name: 'Send playerInfo' }).click();
      await expect(history.rows).toHaveCount(2);
      await expect.poll(() => bodies.length).toBe(2);
      expect(bodies[1]).toBe(bodies[0]);

      await workbench.cli(['env', 'set', 'live', '--base-url', `${server.baseUrl}/v2`]);
      await history.rows.first().focus();
      await workbench.page.keyboard.press('r');
      await expect(shell.dialog).toContainText('Call 2 was not repeated');
      await expect(shell.dialog).toContainText(`was sent to ${server.baseUrl}/playerInfo`);
      await expect(shell.dialog).toContainText(`now sends playerInfo to ${server.baseUrl}/v2/playerInfo`);
      await shell.dialog.getByRole('button', { name: 'Close' }).first().click();
      await workbench.cli(['env', 'remove', 'live', '--yes']);
      // The detail of the new call opens beside the list and takes no focus.
      await expect(history.detail.pane).toHaveAccessibleName('Call 2');
      await expect(history.rows.first()).toBeFocused();
      await workbench.page.keyboard.press('r');
      await expect(shell.dialog).toContainText(/live, was removed/);
      await shell.dialog.getByRole('button', { name: 'Edit and re-sign' }).click();
      await expect(requests.activeTab).toHaveText(/playerInfo/);
      expect(bodies).toHaveLength(2);
    } finally {
      await server.close();
    }
  });
});
