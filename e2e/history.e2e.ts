import { expect, test } from './fixtures.ts';

test.describe('The history', () => {
  test('teaches the first step while it is empty', async ({ shell, history, requests }) => {
    await shell.goTo('History');
    await expect(history.empty).toHaveText('No call was sent yet');
    await shell.main.getByRole('button', { name: 'Open gameList' }).click();
    await expect(requests.activeTab).toHaveText(/gameList/);
  });

  test('holds every call exactly as sent and received, and opens it again', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    await shell.openOperation('getLauncherURL');
    await requests.form.field('exitURL').fill('https://example.com/lobby?x=ü');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.openOperation('gameList');
    await requests.overrides.open();
    await requests.overrides.hash('Wrong digit');
    await requests.overrides.close();
    await requests.send.click();
    await expect(response.code).toHaveText('8 hash not valid');

    await shell.goTo('History');
    await expect(history.rows).toHaveCount(2);
    await expect(history.rows.nth(0)).toContainText(/gameList.*sandbox.*code 8.*hash not valid/);
    await expect(history.rows.nth(1)).toContainText(/getLauncherURL.*0 ok/);
    await history.search('example.com/lobby');
    await expect(history.count).toHaveText('1 call found');
    await history.open(0);
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
    await expect(requests.form.field('exitURL')).toHaveValue('https://example.com/lobby?x=ü');
    await expect(response.code).toHaveText('0 ok');
    const { stdout } = await workbench.cli(['history', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      total: 2,
      calls: [
        { id: 2, operation: 'gameList', code: 8 },
        { id: 1, operation: 'getLauncherURL', code: 0 },
      ],
    });
  });

  test('has the calls that other programs send on the same home', async ({ workbench, shell, history }) => {
    await shell.goTo('History');
    await expect(history.empty).toBeVisible();
    await workbench.cli(['env', 'set', 'dead', '--base-url', 'https://localhost:1', '--platform', '1', '--partner-id', '2']);
    const { code } = await workbench.cli(['call', 'playerInfo', '--env', 'dead']);
    expect(code).toBe(4);
    await shell.goTo('Requests');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(1);
    await expect(history.rows.first()).toContainText(/\/playerInfo.*dead.*no connection/);
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
});
