import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createGamesScreen } from '../../../../e2e/pages/games.ts';
import { addBareEnvironment } from '../../../../e2e/own-environment.ts';

describe('The games', () => {
  test('are fetched, looked through, and opened as filled-in requests', async ({ workbench, shell, requests }) => {
    const { page } = workbench;
    const games = createGamesScreen(page);
    await shell.goTo('Games');
    await expect(games.empty.first()).toBeVisible();
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(games.count).toHaveText('60 games');
    await expect(games.snapshots).toHaveCount(1);
    const picture = games.tile('Lucky Compass').locator('img');
    await expect(picture).toBeVisible();
    await expect(picture).toHaveAttribute('src', /^blob:/);
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);

    await games.search('senor');
    await expect(games.count).toHaveText('1 of 60 games');
    await games.search('');
    await games.status(/^Status 0 /);
    await expect(games.tile('Pharaoh\u2019s Ledger')).toBeVisible();
    await expect(games.tile('Lucky Compass')).toBeHidden();
    await games.search('no such game');
    await games.main.getByRole('button', { name: 'Show all 60 games' }).click();
    await expect(games.count).toHaveText('60 games');

    await games.tile('Velvet Comet').click();
    await expect(games.details.getByRole('heading', { level: 2 })).toHaveText('Velvet Comet');
    await games.betLevel(2).check({ force: true });
    await games.action(/^freeRounds, betLevel 2$/).click();
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
    await games.comparison.getByRole('button', { name: 'Close', exact: true }).click();
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
    await expect(games.problem).toContainText('No game list received');
    await expect(games.count).toHaveText('60 games');
    await games.problem.getByRole('button', { name: 'Open call' }).click();
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
    test(`keep the keyboard on its game in the ${view.toLowerCase()} however far away it is scrolled`, async ({
      workbench,
      shell,
    }) => {
      const { page } = workbench;
      const games = createGamesScreen(page);
      await shell.goTo('Games');
      await games.fetch();
      await workbench.resize(1000, 560);
      await games.view(view);
      const holder = (id: number) => (view === 'Grid' ? games.tileById(id) : games.rowById(id));
      await holder(1002).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      if (view === 'Table') await page.keyboard.press('ArrowDown');
      await expect(holder(1002)).toBeFocused();
      await games.scroller(view).hover();
      for (const [distance, inSight] of [
        [20_000, 1060],
        [-20_000, 1001],
        [20_000, 1060],
      ] as const) {
        // Turned until it arrives, as a person does: a busy browser may drop a turn of the wheel, and then the list has not moved.
        await expect(async () => {
          await page.mouse.wheel(0, distance);
          await expect(holder(inSight)).toBeInViewport({ timeout: 2_000 });
        }).toPass();
        await expect(holder(1002)).toBeFocused();
      }
      await page.keyboard.press('Enter');
      await expect(games.idInDetails).toHaveText('1002');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await expect(holder(1002)).toBeFocused();
      await expect(holder(1002)).toBeInViewport();
    });

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
