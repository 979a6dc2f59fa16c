import { expect, test } from './fixtures.ts';
import { createLauncher, providerOf } from './pages/launcher.ts';

test('a session token is renewed in the launcher: the new one plays, the old one is refused', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  const token = launcher.field('externalToken');
  await shell.goTo('Launcher');
  await launcher.mode('real');
  await expect(launcher.renewToken).toBeHidden();
  await launcher.field('gameId').fill('1001');
  await launcher.takeToken(/^player-1/);
  const old = await token.inputValue();
  await launcher.renewToken.click();
  await expect(shell.notices).toContainText('The token was renewed.');
  await expect(token).not.toHaveValue(old);
  await expect(launcher.settings).toContainText('player-1, 1,000.00 EUR');
  const renewed = await token.inputValue();
  await launcher.launch.click();
  await launcher.game(await providerOf(workbench), 'real');
  await expect(launcher.entries.filter({ hasText: '/playerInfo' }).first()).toBeVisible();

  await token.fill(old);
  await launcher.renewToken.click();
  await expect(launcher.settings).toContainText('Invalid Token');
  await expect(token).toHaveValue(old);
  // The provider returns the launcher URL for any token; the game asks the wallet.
  await launcher.launch.click();
  await expect(launcher.entries.filter({ hasText: /\/playerInfo.*404 Invalid Token/ })).toBeVisible();
  await expect(launcher.record).not.toContainText(old);
  await expect(launcher.record).not.toContainText(renewed);
});
