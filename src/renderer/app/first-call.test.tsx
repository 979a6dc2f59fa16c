import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';

describe('The first call', () => {
  test('the environment sandbox is there at the first start, with its key and the built-in provider running', async ({
    shell,
    environments,
  }) => {
    await expect(shell.environment).toHaveAccessibleName(/^Environment: sandbox\b/);
    await expect(shell.status).toContainText(/Key [0-9a-f]{4}-[0-9a-f]{2}/);
    await expect(shell.status).toContainText(/Built-in provider(?! not running)/);
    await expect(shell.status).toContainText(/(?<!\d)0 calls/);
    await shell.goTo('Environments');
    await expect(environments.title).toHaveText('sandbox');
    await expect(environments.key.slot).toContainText('64 bytes');
    await expect(environments.key.field).toHaveCount(0);
  });

  test('gameList answers code 0 first of all, and shows the games as a table', async ({ requests, response, shell }) => {
    await expect(requests.activeTab).toHaveText('gameList');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await expect(response.facts).toContainText('HTTP 200');
    await expect(response.facts).toContainText('signed = sent: time');
    await expect(response.announced).toHaveText(/^gameList answered code 0 ok, in /);
    await expect(response.body.frame).toContainText('"slots"');

    await response.show('Table');
    await expect(response.table).toHaveAttribute('aria-rowcount', '61');
    await expect(response.table.getByRole('columnheader')).toHaveText([
      'id',
      'gameName',
      'bets, with betLevel',
      'thumbnail',
      'status',
    ]);
    await expect(response.table.getByRole('row').nth(1)).toContainText('Lucky Compass');
    await expect(response.pane).toContainText('60 rows in data.slots');
    await response.show('Findings');
    await expect(response.view('Findings')).toContainText('No findings');
    await response.show('Headers');
    await expect(response.view('Headers')).toContainText('content-type');
    await response.show('Timings');
    await expect(response.view('Timings').getByRole('rowheader', { name: 'Total' })).toBeVisible();
    await expect(shell.status).toContainText(/(?<!\d)1 call(?!s)/);
  });

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
    await expect(response.explanation).toContainText('The last digit of the hash was changed on purpose');
    await expect(response.explanation).toContainText(
      /The built-in provider's reason: One digit of the hash is wrong: . instead of . at byte 63/,
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
    await expect(response.explanation).toContainText('The launcher URL matches the request');
    await expect(response.facts).toContainText('signed = sent');
    await expect(response.body.frame).toContainText('"launcherURL"');
  });

  test('a player is asked for, bets and wins, and the balance follows', async ({ shell, requests, response }) => {
    const answer = async (operation: string, amount: string | null): Promise<Record<string, unknown>> => {
      await shell.openOperation(operation);
      await requests.form.takeToken(/^player-1 /);
      if (amount !== null) await requests.form.field('amount').fill(amount);
      await requests.send.click();
      await expect(response.announced).toContainText(`${operation.slice(1)} answered`);
      await response.show('Raw');
      await expect(response.raw.frame).toContainText('balance');
      return JSON.parse(await response.raw.text()) as Record<string, unknown>;
    };
    const before = await answer('/playerInfo', null);
    await expect(response.facts).toContainText('not signed');
    const bet = await answer('/bet', '2.5');
    expect(bet['balance']).toBe(Number(before['balance']) - 2.5);
    const win = await answer('/win', '10');
    expect(win['balance']).toBe(Number(before['balance']) + 7.5);
    const after = await answer('/playerInfo', null);
    expect(after['balance']).toBe(win['balance']);
  });
});
