import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';

describe('The first call', () => {
  test('every operation of the spec stands in its group with its section, and one without a name says so', async ({
    workbench,
    shell,
  }) => {
    await workbench.cli(['env', 'set', 'sandbox', '--answer', 'cancelFreeRounds.action=']);
    const groups = {
      Launch: ['getLauncherURL§4'],
      Catalogue: ['gameList§1', 'currencyList§8'],
      Rounds: ['roundReplayInfo§2', 'getGameRound§3'],
      'Free rounds': ['freeRounds§5', 'freeRoundsByBet§6', 'cancelFreeRoundsopen point'],
      Wallet: ['/playerInfo§9', '/bet§10', '/win§11', '/cancel§12', '/tournamentWin§13', '/promoWin§14', '/generateNewToken§15'],
    };
    for (const [title, operations] of Object.entries(groups)) {
      await expect(shell.group(title).getByRole('listitem')).toHaveText(operations);
    }
  });

  test('a hash with one digit changed is refused with 8, with what it means and what to do', async ({ requests, response }) => {
    await requests.overrides.open();
    await requests.overrides.hash('Wrong digit');
    await requests.overrides.close();
    await expect(requests.chips).toHaveCount(1);
    await requests.send.click();
    await expect(response.code).toHaveText('8 hash not valid');
    await expect(response.explanation).toContainText('The hash was made wrong on purpose, in its last digit');
    await expect(response.explanation).toContainText(
      "The built-in provider's reason: The hash is right but for one digit, at byte 63",
    );

    await requests.chips.getByRole('button').click();
    await expect(requests.chips).toHaveCount(0);
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
  });

  test('getLauncherURL answers a launcher URL that agrees with the request', async ({ shell, requests, response }) => {
    await shell.openOperation('getLauncherURL');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await expect(response.explanation).toContainText('The launcher URL agrees with the request');
    await expect(response.facts).toContainText('signed = sent');
    await expect(response.body.frame).toContainText('"launcherURL"');
  });
});
