import { startHttpsServer } from '#testing/https-server.ts';
import { expect, test } from './fixtures.ts';
import { createLauncher, providerOf, spin, type LauncherScreen } from './pages/launcher.ts';
import { faultsWhile } from './audit.ts';
import { addBareEnvironment, addEnvironment, enterWithKey } from './own-environment.ts';

const lobby = 'https://casino.example/lobby';

async function openGame(launcher: LauncherScreen, gameId = '1042'): Promise<void> {
  await launcher.field('gameId').fill(gameId);
  await launcher.field('exitURL').fill(lobby);
  await launcher.launch.click();
}

test.describe('The launcher', () => {
  test('teaches the first step and asks for a game before anything is sent', async ({ workbench, shell }) => {
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    await expect(shell.main.getByRole('heading', { name: 'No game is open' })).toBeVisible();
    await launcher.launch.click();
    await expect(launcher.settings).toContainText('Say which game');
    await launcher.mode('real');
    await launcher.field('gameId').fill('1042');
    await launcher.launch.click();
    await expect(launcher.settings).toContainText('Real mode needs a session token.');
    await expect(shell.status).toContainText('0 calls in the history');
  });

  test('launches in fun mode, shows what was checked, and says when the game left through exitURL', async ({
    workbench,
    shell,
  }) => {
    const launcher = createLauncher(workbench);
    workbench.troubles.expect(/casino\.example|frame-src refused/);
    await shell.goTo('Launcher');
    await openGame(launcher);
    await expect(launcher.checks.filter({ hasText: '6 of 6 parameters present' })).toBeVisible();
    await expect(launcher.checks.filter({ hasText: 'No token in fun mode' })).toBeVisible();
    const game = await launcher.game(await providerOf(workbench), 'fun');
    await spin(game);
    await expect(launcher.entries.filter({ hasText: 'getLauncherURL answered 0' })).toBeVisible();
    await game.locator('#exit').click();
    await expect(launcher.banner).toContainText('The game left through exitURL.');
    await expect(launcher.entries.filter({ hasText: 'Left through exitURL' })).toHaveCount(1);
  });

  test('launches in real mode with a token of the wallet session, and the spin is in the record and in the balance', async ({
    workbench,
    shell,
  }) => {
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    await launcher.mode('real');
    await launcher.takeToken(/^player-1/);
    await openGame(launcher);
    await expect(launcher.checks.filter({ hasText: '7 of 7 parameters present' })).toBeVisible();
    const game = await launcher.game(await providerOf(workbench), 'real');
    const { bet, win, balance } = await spin(game);
    await expect(launcher.entries.filter({ hasText: `/bet ${bet} EUR` })).toHaveCount(1);
    await expect(launcher.entries.filter({ hasText: `/win ${win} EUR` })).toHaveCount(1);
    // Sometimes a win equals the bet, and the balance is unchanged.
    await expect(launcher.settings).toContainText(`player-1, ${balance} EUR`);
    await expect(launcher.record).not.toContainText(await launcher.field('externalToken').inputValue());
  });

  test('shows what the provider refused, with what it means and the way to the call', async ({ workbench, shell, requests }) => {
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    await openGame(launcher, '999999');
    await expect(launcher.refusal).toContainText('There is no game to open');
    await expect(launcher.refusal).toContainText(/code \d+/);
    await expect(launcher.games).toHaveCount(0);
    await launcher.refusal.getByRole('button', { name: 'Open the call' }).click();
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
  });

  test('can be used by everybody while it waits for the URL of a game', async ({ workbench, shell, environments }) => {
    const launcher = createLauncher(workbench);
    const asked = Promise.withResolvers<void>();
    const server = await startHttpsServer(() => asked.resolve());
    try {
      await addEnvironment(workbench, server, 'staging');
      await enterWithKey({ shell, environments }, 'staging', 'a-key-of-the-test');
      await shell.goTo('Launcher');
      await openGame(launcher);
      await asked.promise;
      expect(await faultsWhile(workbench, 'a launch under way')).toEqual([]);
      await expect(launcher.refusal).toHaveCount(0);
    } finally {
      await server.close();
    }
    await expect(launcher.refusal).toContainText('There is no game to open');
  });

  test('shows fun and real side by side, each with its record', async ({ workbench, shell }) => {
    const launcher = createLauncher(workbench);
    const origin = await providerOf(workbench);
    await shell.goTo('Launcher');
    await launcher.mode('both');
    await launcher.takeToken(/^player-1/);
    await openGame(launcher);
    await launcher.game(origin, 'real');
    await launcher.game(origin, 'fun');
    await expect(launcher.games).toHaveCount(2);
    await expect(launcher.entries.filter({ hasText: '/playerInfo' }).first()).toBeVisible();
    await launcher.record.getByRole('radio', { name: 'fun' }).click();
    await expect(launcher.entries.filter({ hasText: 'getLauncherURL answered 0' })).toBeVisible();
    await expect(launcher.entries.filter({ hasText: '/playerInfo' })).toHaveCount(0);
  });

  test('keeps a game as it is while another screen is shown, and ends it with its tab', async ({ workbench, shell }) => {
    const launcher = createLauncher(workbench);
    const origin = await providerOf(workbench);
    await shell.goTo('Launcher');
    await openGame(launcher);
    const game = await launcher.game(origin, 'fun');
    await spin(game);
    await shell.goTo('History');
    await shell.goTo('Launcher');
    await expect((await launcher.game(origin, 'fun')).locator('body')).toHaveAttribute('data-spins', '1');
    // It still belongs to the environment of its launch, whichever is selected.
    const mark = shell.main.getByText(/^Another environment: /);
    await expect(mark).toHaveCount(0);
    await addBareEnvironment(workbench, 'staging');
    await shell.useEnvironment('staging');
    await expect(mark).toHaveText('Another environment: call 1 went to sandbox, and staging is selected.');
    await launcher.tabs.first().press('Delete');
    await expect(launcher.games).toHaveCount(0);
    const earlier = shell.main.getByRole('grid', { name: 'Earlier launches' }).locator('tbody tr');
    await expect(earlier).toHaveText(/player-1.*sandbox.*\d\d:\d\d:\d\d$/);
    await earlier.click();
    await expect(launcher.entries.filter({ hasText: 'Closed' })).toBeVisible();
  });

  test('stops a page that tries to get out, and each attempt shows in the record', async ({ workbench, shell }) => {
    const launcher = createLauncher(workbench);
    workbench.troubles.expect(/./);
    await shell.goTo('Launcher');
    await openGame(launcher);
    const game = await launcher.game(await providerOf(workbench), 'fun');
    await game.evaluate(() => {
      window.open('https://example.com/popup');
      const link = document.createElement('a');
      link.href = 'data:application/octet-stream,hello';
      link.download = 'hello.bin';
      document.body.append(link);
      link.click();
      navigator.geolocation.getCurrentPosition(
        () => (document.body.dataset['position'] = 'given'),
        () => (document.body.dataset['position'] = 'denied'),
      );
    });
    await expect(game.locator('body')).toHaveAttribute('data-position', 'denied');
    const observed = workbench.desktop !== null;
    if (observed) {
      await launcher.show('Blocked');
      await expect(launcher.entries.filter({ hasText: 'New window refused' })).toHaveCount(1);
      await expect(launcher.entries.filter({ hasText: 'Download refused: hello.bin' })).toHaveCount(1);
      await expect(launcher.entries.filter({ hasText: 'Permission denied: geolocation' })).not.toHaveCount(0);
    } else {
      expect(workbench.page.context().pages()).toHaveLength(1);
      await expect(shell.main.getByText('What cannot be observed in a browser')).toBeVisible();
    }
    await game.evaluate(() => window.top?.location.assign('https://127.0.0.1:5900/')).catch(() => undefined);
    await expect(shell.main).toBeVisible();
    await game.evaluate(() => location.assign('https://127.0.0.1:5900/')).catch(() => undefined);
    await launcher.show('Blocked');
    await expect(
      launcher.entries.filter({ hasText: observed ? 'Blocked: request to 127.0.0.1:5900' : 'about to leave its origin' }).first(),
    ).toBeVisible();
  });

  test('opens the launcher URL of an answer, and exports the evidence without the token', async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    const launcher = createLauncher(workbench);
    await shell.openOperation('getLauncherURL');
    await requests.form.choose('gameMode', 'real');
    await requests.form.takeToken(/^player-1/);
    const token = await requests.form.field('externalToken').inputValue();
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await response.explanation.getByRole('button', { name: 'Open in launcher' }).click();
    await launcher.game(await providerOf(workbench), 'real');
    const download = workbench.page.waitForEvent('download');
    if (workbench.desktop === null) {
      await launcher.exportAs('As one HTML file');
      const stream = await (await download).createReadStream();
      const text = (await stream.toArray()).join('');
      expect(text).toContain('[token]');
      expect(text).not.toContain(token);
    } else {
      download.catch(() => undefined);
      await launcher.exportAs('As a folder');
      await expect(shell.notices).toContainText(workbench.home);
    }
  });
});
