import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, type Workbench } from './fixtures.ts';
import type { BrowserHost } from './browser-host.ts';
import { keptLists, keptTabs } from './kept-tabs.ts';
import { hostGone } from './troubles.ts';

function hostOf({ browserHost }: Workbench): BrowserHost {
  if (browserHost === null) throw new Error('Not the browser host.');
  return browserHost;
}

test.describe('The browser host', () => {
  test('an address opens one page, once; the token is not left in it', async ({ workbench, shell }) => {
    const host = hostOf(workbench);
    expect(workbench.page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const other = await workbench.page.context().newPage();
    await other.goto(host.address());
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('This address no longer works');
    await other.goto(new URL('/', host.address()).href);
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Open the address from the terminal');
    await other.goto(await host.newAddress());
    await expect(other.getByRole('button', { name: /^Send/ })).toBeVisible();
    await other.close();
    await expect(shell.environment).toBeVisible();
  });

  test('a directory is chosen from a list of the names on its machine, without the system having a dialog', async ({
    workbench,
    collections,
    palette,
  }) => {
    const home = path.join(path.dirname(workbench.home), 'home');
    mkdirSync(path.join(home, 'team', 'wallet'), { recursive: true });
    mkdirSync(path.join(home, '.hidden'));
    writeFileSync(path.join(home, 'team', 'wallet', 'list.yaml'), 'operation: gameList\n');
    await palette.run('open collection', /Open a collection/);
    await collections.choose.click();
    const list = collections.dialog.getByRole('listbox', { name: /^Folders in / });
    await expect(list.getByRole('option').filter({ hasText: /^(team|\.hidden)$/ })).toHaveText(['team']);
    await list.selectOption('team');
    await list.press('Enter');
    await expect(list.getByRole('option')).toHaveText(['Up', 'wallet']);
    await expect(collections.directory).toHaveValue(path.join(home, 'team'));
    await list.selectOption('wallet');
    await collections.dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(collections.row('list')).toBeVisible();
  });

  test('when it is killed the page says so, keeps what was typed, and says how to go on', async ({
    workbench,
    shell,
    requests,
  }) => {
    const host = hostOf(workbench);
    workbench.troubles.expect(hostGone);
    workbench.troubles.expect(/401 \(Unauthorized\)/);
    await shell.openOperation('getGameRound');
    await requests.form.field('roundId').fill('123');
    await expect.poll(() => keptTabs(workbench.home)).toContain(': 123');
    // The list that says which tab was in front is written beside it.
    const id = await requests.activeTab.getAttribute('id');
    await expect.poll(() => keptLists(workbench.home)).toContain(`"active":"${id?.replace('request-tab-panel-', '')}"`);
    await expect(shell.status).not.toContainText('No connection');
    await host.kill();
    await expect(shell.banner).toContainText(/The workbench at 127\.0\.0\.1:\d+ does not respond\./);
    await expect(shell.banner).toContainText('What you typed is kept');
    await expect(shell.status).toContainText('No connection');
    await requests.form.field('roundId').fill('456');
    await requests.send.click();
    await expect(requests.refusal).toContainText('does not respond');
    await expect(requests.form.field('roundId')).toHaveValue('456');

    // The restarted host has another address; the saved text is there again.
    await host.start();
    await expect(requests.send).toBeEnabled();
    await expect(requests.activeTab).toHaveText(/getGameRound/);
    await expect(requests.form.field('roundId')).toHaveValue('123');
  });

  test('the line is taken up again by itself when the host was only away for a moment', async ({
    workbench,
    shell,
    requests,
  }) => {
    workbench.troubles.expect(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK/);
    const { page } = workbench;
    const session = await page.context().newCDPSession(page);
    const offline = (away: boolean) =>
      session.send('Network.emulateNetworkConditions', {
        offline: away,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await session.send('Network.enable');
    // The page has loaded: a further part of it would wait for the host, too.
    await expect(requests.send).toBeEnabled();
    await offline(true);
    await requests.send.click();
    await expect(shell.banner).toContainText('does not respond');
    await offline(false);
    // The next automatic attempt may come before the click and remove the button.
    void shell.banner
      .getByRole('button', { name: 'Try now' })
      .click()
      .catch(() => undefined);
    await expect(shell.banner).toHaveCount(0);
  });

  test('ends on SIGTERM with nothing left behind, and its home can be used at once', async ({ workbench }) => {
    const host = hostOf(workbench);
    workbench.troubles.expect(hostGone);
    await host.stop();
    expect((await workbench.cli(['env', 'list'])).stdout).toContain('sandbox');
    expect(existsSync(path.join(workbench.home, 'history.sqlite'))).toBe(true);
  });
});
