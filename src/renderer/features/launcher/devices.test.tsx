import type { Frame, Page } from '@playwright/test';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createLauncher, providerOf } from '../../../../e2e/pages/launcher.ts';

/** Returns the size of the screen that a page sees, in CSS pixels. */
const sizeOf = (game: Page | Frame) => game.evaluate(() => `${innerWidth} x ${innerHeight}`);

test('a game gets exactly the size of the device that was chosen, upright and on its side, however small it is drawn', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await launcher.field('gameId').fill('1001');
  await launcher.launch.click();
  const game = await launcher.game(await providerOf(workbench), 'fun');
  const shown = async (size: string) => {
    await expect(launcher.size).toHaveText(size);
    await expect.poll(() => sizeOf(game)).toBe(size);
    const drawn = await launcher.games.boundingBox();
    const [width = 0, height = 0] = size.split(' x ').map(Number);
    expect(drawn?.width).toBeLessThanOrEqual(width);
    // As it is drawn it has the device's proportions.
    expect(Math.abs((drawn?.width ?? 0) / (drawn?.height ?? 1) / (width / height) - 1)).toBeLessThan(0.01);
  };
  await launcher.device('Phone');
  await shown('390 x 844');
  await launcher.rotate();
  await shown('844 x 390');
  await launcher.device('Tablet');
  await shown('1180 x 820');
  await launcher.rotate();
  await shown('820 x 1180');
  for (const [width, height] of [
    [1280, 720],
    [1111, 777],
    [1440, 900],
  ] as const) {
    await workbench.resize(width, height);
    await shown('820 x 1180');
  }
  await launcher.device('Desktop');
  // Without a device the game has all the room.
  await expect(async () => {
    const { width = 0, height = 0 } = (await launcher.games.boundingBox()) ?? {};
    const room = `${Math.floor(width)} x ${Math.floor(height)}`;
    expect([await launcher.size.textContent(), await sizeOf(game)]).toEqual([room, room]);
  }).toPass();
});

test('devices stand side by side, each with a game and a record of its own, until one is left out', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await launcher.field('gameId').fill('1001');
  await launcher.settings.getByRole('button', { name: 'Add a device' }).click();
  await launcher.launch.click();
  await expect(launcher.games).toHaveCount(2);
  await launcher.game(await providerOf(workbench), 'fun');
  const of = launcher.record.getByRole('combobox', { name: 'Record of' });
  await of.selectOption({ label: 'iPhone 14, fun' });
  await expect(launcher.size).toHaveText('390 x 844');
  const phone = shell.main.getByRole('region', { name: 'Game, iPhone 14, fun' });
  await phone.getByRole('button', { name: 'Device 2: landscape' }).click();
  await expect(launcher.size).toHaveText('844 x 390');
  await phone.getByRole('button', { name: 'Remove device 2' }).click();
  const left = shell.main.getByRole('region', { name: 'Game, left out, fun' });
  await expect(left.getByRole('heading', { name: 'The game is closed' })).toBeVisible();
  await expect(launcher.games).toHaveCount(1);
  await expect(launcher.settings.getByRole('combobox', { name: 'Device' })).toHaveCount(1);
});
