import { expect, test } from './fixtures.ts';
import { createGamesScreen } from './pages/games.ts';

test.describe('The games', () => {
  test('are fetched, looked through, and opened as filled-in requests', async ({ workbench, shell, requests }) => {
    const { page } = workbench;
    const games = createGamesScreen(page);
    await shell.goTo('Games');
    await expect(games.empty.first()).toBeVisible();
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(games.count).toHaveText('60 games');
    await expect(games.snapshots).toHaveCount(1);
    await expect(games.tile('Lucky Compass').locator('img')).toBeVisible();

    await games.search('senor');
    await expect(games.count).toHaveText('1 of 60 games');
    await games.search('');
    await games.status(/^Status 0 /);
    await expect(games.tile('Pharaoh’s Ledger')).toBeVisible();
    await expect(games.tile('Lucky Compass')).toBeHidden();
    await games.search('no such game');
    await games.main.getByRole('button', { name: 'Show all 60 games' }).click();
    await expect(games.count).toHaveText('60 games');

    await games.tile('Velvet Comet').click();
    await expect(games.details.getByRole('heading', { level: 2 })).toHaveText('Velvet Comet');
    await games.betLevel(2).check({ force: true });
    await games.action(/^freeRounds with betLevel 2$/).click();
    await expect(requests.activeTab).toHaveText(/freeRounds/);
    await expect(requests.form.field('betLevel')).toHaveValue('2');
    await shell.goTo('Games');
    await games.action(/^getLauncherURL$/).click();
    await expect(requests.form.field('gameId')).toHaveValue('1007');
  });

  test('of two currencies are compared without their bets', async ({ workbench, shell }) => {
    const games = createGamesScreen(workbench.page);
    await shell.goTo('Games');
    await games.fetch();
    await games.currency.fill('USD');
    await expect(games.currencyHint).toBeHidden();
    await games.fetch();
    await games.compare();
    await expect(games.comparison.getByRole('heading', { name: 'No difference' })).toBeVisible();
    await expect(games.comparison).toContainText('Bets were not compared: one list is in EUR, the other in USD.');
    await games.comparison.getByRole('button', { name: 'Back to the games' }).click();
    await expect(games.count).toHaveText('60 games');
  });

  test('say why they did not come, with the way to the call', async ({ workbench, shell, requests }) => {
    const games = createGamesScreen(workbench.page);
    await workbench.cli(['env', 'set', 'dead', '--base-url', 'https://localhost:1', '--platform', '1', '--partner-id', '2']);
    await shell.goTo('Games');
    await games.fetch();
    await games.currency.fill('eur');
    await expect(games.currencyHint).toContainText('capital letters');
    await games.main.getByRole('button', { name: /^Fetch\b/ }).click();
    await expect(games.problem).toContainText('No list of games came');
    await expect(games.count).toHaveText('60 games');
    await games.problem.getByRole('button', { name: 'Open the call' }).click();
    await expect(requests.activeTab).toHaveText(/gameList/);
  });
});
