import { expect, test } from './fixtures.ts';
import { createLauncher, providerOf } from './pages/launcher.ts';

// None of these expects Chromium to prevent something: what the shell cannot do would pass for nothing.
test.use({ doubleChromium: 'shell' });

test('a game that is well is passed, and says why it is ready', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await launcher.field('gameId').fill('1042');
  await launcher.launch.click();
  await launcher.game(await providerOf(workbench), 'fun');
  await expect(launcher.verdict.state).toHaveText('passed');
  await launcher.verdict.showAll();
  await expect(launcher.verdict.rules.filter({ hasText: /Ready after \d+\.\d s: / })).toBeVisible();
  await expect(launcher.verdict.rules.filter({ hasText: 'Failed: ' })).toHaveCount(0);
});
