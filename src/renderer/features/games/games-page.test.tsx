import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createGamesScreen } from '../../../../e2e/pages/games.ts';
import { addBareEnvironment } from '../../../../e2e/own-environment.ts';

describe('The games', () => {
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
    await addBareEnvironment(workbench, 'dead');
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

  test('are walked through by keys in the grid, opened by Enter and left by Escape', async ({ workbench, shell }) => {
    const { page } = workbench;
    const games = createGamesScreen(page);
    await shell.goTo('Games');
    await games.fetch();
    // Few rows are in sight, and most of the games have no element in the page.
    await workbench.resize(1000, 560);
    await games.tileById(1001).focus();
    const opensWithEnter = async (id: number) => {
      await page.keyboard.press('Enter');
      await expect(games.idInDetails).toHaveText(String(id));
      await page.keyboard.press('Escape');
      await expect(games.details).toBeHidden();
      await expect(games.tileById(id)).toBeFocused();
      await expect(games.tileById(id)).toBeInViewport({ ratio: 1 });
    };
    for (let round = 0; round < 3; round += 1) {
      await page.keyboard.press('End');
      await opensWithEnter(1060);
      await page.keyboard.press('ArrowLeft');
      await opensWithEnter(1059);
      await page.keyboard.press('Home');
      await opensWithEnter(1001);
      await page.keyboard.press('ArrowRight');
      await opensWithEnter(1002);
    }
    await page.keyboard.press('Home');
    const columns = await games.columns();
    await page.keyboard.press('ArrowDown');
    await opensWithEnter(1001 + columns);
    await page.keyboard.press('ArrowUp');
    await opensWithEnter(1001);
    for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press('PageDown');
    await opensWithEnter(1060);
    for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press('PageUp');
    await expect(games.tileById(1001)).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Home');
    await opensWithEnter(1001);
    // Open details follow the keyboard, and Tab leads from them back to the same game.
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await expect(games.idInDetails).toHaveText('1060');
    await games.details.getByRole('button', { name: 'Close the details' }).click();
    await expect(games.tileById(1060)).toBeFocused();
  });

  for (const view of ['Grid', 'Table'] as const) {
    test(`stand in the ${view.toLowerCase()} in their order, also for a screen reader, once it rests`, async ({
      workbench,
      shell,
    }) => {
      const { page } = workbench;
      const games = createGamesScreen(page);
      await shell.goTo('Games');
      await games.fetch();
      await workbench.resize(1000, 560);
      await games.view(view);
      await games.scroller(view).hover();
      for (const distance of [300, 400, 900, -500, 300]) {
        await page.mouse.wheel(0, distance);
        await expect
          .poll(async () => {
            const places = await games.places(view);
            return places.length > 10 && places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
          })
          .toBe(true);
      }
    });
  }
});
