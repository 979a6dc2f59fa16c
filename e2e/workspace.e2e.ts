import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect, test } from './fixtures.ts';
import { keptLists } from './kept-tabs.ts';
import { addEnvironment, addBareEnvironment } from './own-environment.ts';

const gone =
  /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)|401 \(Unauthorized\)/;

test.describe('Nothing typed is lost', () => {
  test('open requests, files of a collection, typed text and the chosen environment survive a reload and a restart of the workbench', async ({
    workbench,
    shell,
    requests,
    response,
    collections,
  }) => {
    const directory = join(dirname(workbench.home), 'team');
    await mkdir(join(directory, 'wallet'), { recursive: true });
    await writeFile(join(directory, 'wallet', 'info.yaml'), 'operation: playerInfo\n');
    const file = join(directory, 'launch.yaml');
    await writeFile(file, 'operation: getLauncherURL\ndata: |\n  {"gameId": "1001"}\n');
    await addBareEnvironment(workbench, 'staging', 'https://s.example');
    await shell.openOperation('getGameRound');
    const editor = await requests.openEditor();
    await editor.replace('{"roundId": 9007199254740993, "half');
    await collections.show();
    // The host found what is shipped beside the program.
    await expect(collections.starters).toHaveCount(5);
    await collections.openDirectory(directory);
    await collections.open('wallet', 'launch');
    await requests.form.field('gameId').fill('unsaved');
    await shell.openOperation('/bet');
    await requests.form.field('amount').fill('0.10');
    await shell.useEnvironment('staging');

    const tabs = [/gameList/, /getGameRound/, /^launch, changed$/, /\/bet/];
    const check = async () => {
      await expect(requests.tabs).toHaveText(tabs);
      await expect(requests.form.field('amount')).toHaveValue('0.10');
      await expect(shell.environment).toHaveAccessibleName(/^Environment: staging\b/);
      const list = keptLists(workbench.home);
      await requests.tabs.nth(1).click();
      await expect.poll(() => editor.text()).toContain('{"roundId": 9007199254740993, "half');
      await requests.tabs.nth(2).click();
      await expect(requests.form.field('gameId')).toHaveValue('unsaved');
      await collections.show();
      await expect(collections.row('info')).toBeVisible();
      await requests.tabs.nth(3).click();
      // A restart that follows at once finds the tab that is open now.
      await expect.poll(() => keptLists(workbench.home)).toBe(list);
    };
    await workbench.page.reload();
    await check();
    await workbench.restart();
    await check();

    await shell.useEnvironment('sandbox');
    await shell.openOperation('gameList');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    // Saved text survives a reload, and a kill, in which the host cleans nothing up.
    await workbench.page.reload();
    await expect(response.code).toHaveText('0 ok');
    workbench.troubles.expect(gone);
    await workbench.restart('kill');
    await expect(requests.tabs).toHaveText(tabs);
    await expect(response.code).toHaveText('0 ok');
    await requests.tabs.nth(2).click();
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await expect.poll(() => readFile(file, 'utf8')).toContain('unsaved');
  });

  test('what was typed last is there after a reload that follows at once', async ({ workbench, shell, requests }) => {
    await shell.openOperation('getGameRound');
    for (const number of ['41', '42', '43']) {
      await requests.form.field('roundId').fill(number);
      await workbench.page.reload();
      await expect(requests.form.field('roundId')).toHaveValue(number);
    }
  });

  test('a call that was under way when the workbench was killed is in the history as interrupted', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    let received = 0;
    const server = await startHttpsServer(() => void (received += 1));
    try {
      await addEnvironment(workbench, server, 'slow');
      await shell.useEnvironment('slow');
      await shell.openOperation('/playerInfo');
      await requests.send.click();
      await expect.poll(() => received).toBe(1);
      workbench.troubles.expect(gone);
      await workbench.restart('kill');
      await shell.goTo('History');
      await expect(history.rows).toHaveCount(1);
      await expect(history.rows.first()).toContainText(/\/playerInfo.*interrupted/);
      await history.open(0);
      await expect(response.pane).toContainText('Croupier exited before the response');
    } finally {
      await server.close();
    }
  });
});
