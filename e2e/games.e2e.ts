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
    await games.action(/^freeRounds with betLevel 2$/).click();
    await expect(requests.activeTab).toHaveText(/freeRounds/);
    await expect(requests.form.field('betLevel')).toHaveValue('2');
    await shell.goTo('Games');
    await games.action(/^getLauncherURL$/).click();
    await expect(requests.form.field('gameId')).toHaveValue('1007');
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
  }
});
