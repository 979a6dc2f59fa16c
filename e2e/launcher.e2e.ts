import { expect, test } from './fixtures.ts';
import { createLauncher, providerOf, spin, type LauncherScreen } from './pages/launcher.ts';

async function openGame(launcher: LauncherScreen): Promise<void> {
  await launcher.field('gameId').fill('1042');
  await launcher.field('exitURL').fill('https://casino.example/lobby');
  await launcher.launch.click();
}

test.describe('The launcher', () => {
  test('launches in real mode with a token of the wallet session, and the spin is in the record and in the balance', async ({
    workbench,
    shell,
  }) => {
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    await launcher.mode('real');
    await launcher.takeToken(/^player-1/);
    await openGame(launcher);
    await expect(launcher.checks.filter({ hasText: '7 of 7 parameters present' })).toBeAttached();
    const game = await launcher.game(await providerOf(workbench), 'real');
    const { bet, win, balance } = await spin(game);
    await expect(launcher.entries.filter({ hasText: `/bet ${bet} EUR` })).toHaveCount(1);
    await expect(launcher.entries.filter({ hasText: `/win ${win} EUR` })).toHaveCount(1);
    // Sometimes a win equals the bet, and the balance is unchanged.
    await expect(launcher.settings).toContainText(`player-1, ${balance} EUR`);
    await expect(launcher.record).not.toContainText(await launcher.field('externalToken').inputValue());
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
      await expect(shell.main.getByText('Not observed in a browser')).toBeVisible();
    }
    await game.evaluate(() => window.top?.location.assign('https://127.0.0.1:5900/')).catch(() => undefined);
    await expect(shell.main).toBeVisible();
    await game.evaluate(() => location.assign('https://127.0.0.1:5900/')).catch(() => undefined);
    await launcher.show('Blocked');
    await expect(
      launcher.entries.filter({ hasText: observed ? 'Blocked: request to 127.0.0.1:5900' : 'about to leave its origin' }).first(),
    ).toBeVisible();
  });
});
