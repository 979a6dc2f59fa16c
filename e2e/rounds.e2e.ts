import { expect, test } from './fixtures.ts';
import { createLauncher, providerOf } from './pages/launcher.ts';
import { createRoundsScreen } from './pages/rounds.ts';

test.describe('A round', () => {
  test('is replayed in the launcher, once its link was checked', async ({ workbench, shell, requests, response }) => {
    const rounds = createRoundsScreen(workbench.page);
    const launcher = createLauncher(workbench);
    await shell.openOperation('/bet');
    await requests.form.takeToken(/player-1/);
    await requests.send.click();
    await expect(response.body.frame).toContainText('externalTrxId');
    const roundId = /"externalTrxId": "(\d+)"/.exec(await response.body.text())?.[1] ?? '';
    await shell.goTo('Rounds');
    await rounds.roundId.fill(roundId);
    await rounds.lookUp.click();
    for (const name of ['replayToken', 'tableM', 'lang'])
      await expect(rounds.checks.filter({ hasText: `Passed: ${name} is present.` })).toBeVisible();
    await rounds.openReplay.click();

    await expect(launcher.tabs.first()).toHaveText(/^Replay of a round/);
    const replay = await launcher.replay(await providerOf(workbench));
    await expect(replay.locator('main')).toContainText(roundId);
    // It has no mode, and nothing to launch again.
    await expect(shell.main.getByRole('radiogroup', { name: 'Mode' })).toHaveCount(0);
    await expect(launcher.launch).toHaveCount(0);
    await expect(launcher.checks).toHaveCount(5);
    await expect(launcher.checks.filter({ hasText: 'In order' })).toHaveCount(5);
    await expect(launcher.entries.filter({ hasText: 'roundReplayInfo answered 0' })).toBeVisible();
    // A replay's token counts as a token, too.
    const token = URL.parse(replay.url())?.searchParams.get('replayToken') ?? '';
    expect(token).not.toBe('');
    await expect(launcher.record).not.toContainText(token);
  });
});
