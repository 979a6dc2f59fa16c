import { describe } from 'vitest';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { addBareEnvironment, addEnvironment } from '../../../../e2e/own-environment.ts';
import { createGamesScreen } from '../../../../e2e/pages/games.ts';

describe('A game list that any call brought', () => {
  test('sent under Requests is in Games, names games after a new page, and is what betLevel is checked against', async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    const { page } = workbench;
    const games = createGamesScreen(page);
    await addBareEnvironment(workbench, 'other');
    await shell.openOperation('getLauncherURL');
    await requests.form.field('gameId').fill('1007');
    await expect(requests.form.row('gameId')).not.toContainText('Velvet Comet');
    await shell.openOperation('gameList');
    await requests.send.click();
    await expect(response.code).toContainText('0');
    await shell.goTo('Games');
    await expect(games.count).toHaveText('60 games');
    await expect(games.snapshots).toHaveCount(1);

    const launchForm = async () => {
      await shell.openOperation('getLauncherURL');
      await requests.form.field('gameId').fill('1007');
    };
    await launchForm();
    await expect(requests.form.row('gameId')).toContainText('Velvet Comet');
    await page.reload();
    await launchForm();
    await expect(requests.form.row('gameId')).toContainText('Velvet Comet');

    await shell.openOperation('freeRounds');
    await requests.form.field('gameIds').fill('1007');
    await expect(requests.form.row('gameIds')).toContainText('1007 Velvet Comet');
    await requests.form.field('betLevel').fill('50');
    await expect(requests.form.warning('betLevel')).toHaveText(
      /^betLevel 50: Velvet Comet has \d+ bets in EUR in the newest game list, levels 0 to \d+ if the first bet is 0\.$/,
    );
    await requests.form.field('betLevel').fill('0');
    await expect(requests.form.warning('betLevel')).toHaveCount(0);

    // The games of another environment are not known.
    await requests.form.field('betLevel').fill('50');
    await shell.useEnvironment('other');
    await expect(requests.form.row('gameIds')).not.toContainText('Velvet Comet');
    await expect(requests.form.warning('betLevel')).toHaveCount(0);
  });

  test('sent by the command line comes to the screen of the games without a new page', async ({ workbench, shell }) => {
    const games = createGamesScreen(workbench.page);
    const server = await startHttpsServer((_, answer) => {
      answer.end('{"code":0,"message":"ok","data":{"slots":[{"id":5,"gameName":"Quiet Harbour","bets":[1]}]}}');
    });
    await addEnvironment(workbench, server, 'staging');
    await shell.useEnvironment('staging');
    await shell.goTo('Games');
    await expect(games.empty.first()).toBeVisible();
    const sent = await workbench.cli(['call', 'gameList', '--env', 'staging', '--key-env', 'STAGING_KEY'], {
      env: { STAGING_KEY: 'a-test-key' },
    });
    expect(sent.code).toBe(0);
    await expect(games.tile('Quiet Harbour')).toBeVisible();
    await expect(games.snapshots).toHaveCount(1);
    await server.close();
  });
});
