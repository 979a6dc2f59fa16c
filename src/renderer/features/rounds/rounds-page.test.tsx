import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createRoundsScreen } from '../../../../e2e/pages/rounds.ts';
import { createLauncher, providerOf } from '../../../../e2e/pages/launcher.ts';

describe('A round', () => {
  test('is looked up by the ID that a bet gave, exactly beyond 2^53', async ({ workbench, shell, requests, response }) => {
    const { page } = workbench;
    const rounds = createRoundsScreen(page);
    await shell.goTo('Rounds');
    await expect(rounds.empty.first()).toBeVisible();
    await rounds.main.getByRole('button', { name: ' Open /bet ' }).click();
    await requests.form.takeToken(/player-1/);
    await requests.send.click();
    await expect(response.body.frame).toContainText('externalTrxId');
    const roundId = /"externalTrxId": "(\d+)"/.exec(await response.body.text())?.[1] ?? '';
    expect(BigInt(roundId)).toBeGreaterThan(2n ** 53n);

    await shell.goTo('Rounds');
    await rounds.roundId.fill(roundId);
    await expect(rounds.logMonth).toHaveText('0');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(rounds.rows).toHaveCount(1);
    await expect(rounds.rows.first()).toContainText(roundId);
    await expect(rounds.records).toContainText('0 ok');
    await expect(rounds.replay).toContainText('0 ok');
    await expect(rounds.checks.filter({ hasText: /^Passed: / })).toHaveCount(await rounds.checks.count());
    await expect(rounds.recent).toHaveCount(1);

    await rounds.roundId.fill('55555');
    await rounds.lookUp.click();
    await expect(rounds.records).toContainText('No records');
    await expect(rounds.recent).toHaveCount(2);
    await rounds.recent.nth(1).click();
    await expect(rounds.roundId).toHaveValue(roundId);
    await rounds.records.getByRole('button', { name: /^Open call/ }).click();
    await expect(requests.activeTab).toHaveText(/getGameRound/);
  });

  test('is asked for only with a whole id and a day that has been', async ({ workbench, shell }) => {
    const rounds = createRoundsScreen(workbench.page);
    await shell.goTo('Rounds');
    await rounds.roundId.fill('12a');
    await expect(rounds.fault).toHaveText('A round ID has digits only.');
    await expect(rounds.lookUp).toBeDisabled();
    await rounds.roundId.fill('12');
    await expect(rounds.lookUp).toBeEnabled();
    await rounds.date.fill('2026-01-01');
    await expect(rounds.fault).toContainText('Day first');
    await rounds.date.fill('31-12-2999');
    await expect(rounds.fault).toContainText('is in the future');
    await expect(rounds.lookUp).toBeDisabled();
  });

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
      await expect(rounds.checks.filter({ hasText: `Passed: ${name} present` })).toBeVisible();
    await rounds.openReplay.click();

    await expect(launcher.tabs.first()).toHaveText(/^Replay of a round/);
    const replay = await launcher.replay(await providerOf(workbench));
    await expect(replay.locator('main')).toContainText(roundId);
    // It has no mode, and nothing to launch again.
    await expect(shell.main.getByRole('radiogroup', { name: 'Mode' })).toHaveCount(0);
    await expect(launcher.launch).toHaveCount(0);
    await expect(launcher.checks).toHaveCount(5);
    await expect(launcher.checks.filter({ hasText: 'Passed' })).toHaveCount(5);
    await expect(launcher.entries.filter({ hasText: 'roundReplayInfo answered 0' })).toBeVisible();
    // A replay's token counts as a token, too.
    const token = URL.parse(replay.url())?.searchParams.get('replayToken') ?? '';
    expect(token).not.toBe('');
    await expect(launcher.record).not.toContainText(token);
  });
});
