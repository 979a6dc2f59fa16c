import { expect, test } from './fixtures.ts';
import { createLauncher, providerOf } from './pages/launcher.ts';

test('a framed game is to check at best, and the record says only what the browser showed', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await launcher.field('gameId').fill('1042');
  await launcher.launch.click();
  await launcher.game(await providerOf(workbench), 'fun');
  const { verdict, entries } = launcher;
  await expect(verdict.state).toHaveText('to check');
  // The first line says how much of the verdict rests on nothing.
  await expect(verdict.rules.first()).toHaveText(
    /^To check: 6 of 35 rules could look\. A browser does not show what is in a frame; /,
  );
  await expect(entries.filter({ hasText: 'Something loaded in the frame' })).toBeVisible();
  // The built-in provider's authority is nobody's but this machine's.
  await expect(verdict.rules.filter({ hasText: 'comes from an authority that this machine does not know' })).toBeVisible();
  await expect(entries.filter({ hasText: 'It did not ask for the launcher URL.' })).toHaveCount(1);
  await expect(entries.filter({ hasText: 'The browser around the frame states its user agent' })).toHaveCount(1);
  await verdict.showAll();
  // Its address was asked for without the token.
  await expect(verdict.region).toContainText("Without parameters, the page's address says: any page may embed it");
  await expect(verdict.region).toContainText('29 rules not observed');
});

test('a framed game that posts a message for leaving has left; any other message is in the record', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await launcher.field('gameId').fill('1042');
  await launcher.field('exitURL').fill('https://casino.example/lobby');
  await launcher.launch.click();
  const game = await launcher.game(await providerOf(workbench), 'fun');
  await game.evaluate(() => parent.postMessage({ type: 'balance', amount: 4 }, '*'));
  await expect(launcher.entries.filter({ hasText: '{"type":"balance","amount":4}' })).toBeVisible();
  await expect(launcher.banner).toHaveCount(0);
  await game.evaluate(() => parent.postMessage('exit', '*'));
  await expect(launcher.banner).toContainText('The game left through exitURL.');
  await expect(launcher.entries.filter({ hasText: 'The game posted exit' })).toBeVisible();
});
