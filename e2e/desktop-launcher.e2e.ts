import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { closeItself } from './desktop-call.ts';
import { expect, test, type Workbench } from './fixtures.ts';
import { createLauncher, providerOf, spin, type LauncherScreen } from './pages/launcher.ts';

test.use({ shares: 'page' });
test.describe.configure({ mode: 'default' });

// None of these expects Chromium to prevent something: what the shell cannot do would pass for nothing.
interface ShownView {
  readonly visible: boolean;
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Returns the views that lie over the window's page. */
function views({ desktop }: Workbench): Promise<ShownView[]> {
  if (desktop === null) throw new Error('This is for the desktop.');
  return desktop.app().evaluate(({ BrowserWindow, WebContentsView }) => {
    const [window] = BrowserWindow.getAllWindows();
    return (window?.contentView.children ?? [])
      .filter((view) => view instanceof WebContentsView)
      .map((view) => ({ visible: view.getVisible(), bounds: view.getBounds() }));
  });
}
const visible = async (workbench: Workbench) => (await views(workbench)).map((view) => view.visible);

/** Returns the bounds of the hole that the page leaves for the game. */
async function hole(launcher: LauncherScreen): Promise<ShownView['bounds']> {
  const { x, y, width, height } = (await launcher.games.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [left, top] = [Math.round(x), Math.round(y)];
  return { x: left, y: top, width: Math.round(x + width) - left, height: Math.round(y + height) - top };
}

async function open(workbench: Workbench, launcher: LauncherScreen) {
  await launcher.field('gameId').fill('1001');
  await launcher.launch.click();
  const game = await launcher.game(await providerOf(workbench), 'fun');
  await expect.poll(() => visible(workbench)).toEqual([true]);
  return game;
}

test('the view of a game is out of sight behind the palette, a dialog, a menu and another screen, and comes back after', async ({
  workbench,
  shell,
  palette,
}) => {
  const { page } = workbench;
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await open(workbench, launcher);
  const hidesWhile = async (show: () => Promise<void>, leave: () => Promise<void>) => {
    await show();
    await expect.poll(() => visible(workbench)).toEqual([false]);
    await leave();
    await expect.poll(() => visible(workbench)).toEqual([true]);
  };
  const escape = () => page.keyboard.press('Escape');
  await hidesWhile(palette.open, escape);
  await hidesWhile(() => launcher.screenshot.click(), escape);
  await hidesWhile(() => launcher.zoom.click(), escape);
  await hidesWhile(
    () => shell.goTo('History'),
    () => shell.goTo('Launcher'),
  );
  // A menu that does not reach the game leaves it in place: the record is beside it.
  await expect(launcher.games).not.toHaveAttribute('data-covered');
});

test('the view of a game lies where the page left room for it, through resizes of the window and of the stage', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await open(workbench, launcher);
  const lies = async () => {
    await expect
      .poll(async () => {
        const [view] = await views(workbench);
        return JSON.stringify(view?.bounds) === JSON.stringify(await hole(launcher));
      })
      .toBe(true);
  };
  await lies();
  const before = await hole(launcher);
  await workbench.resize(1180, 760);
  await expect.poll(() => hole(launcher)).not.toEqual(before);
  await lies();
  await launcher.device('Phone');
  await lies();
  await launcher.rotate();
  await lies();
  await workbench.resize(1440, 900);
  await lies();
});

test('the view of a game is gone with its session when its tab closes', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  const game = await open(workbench, launcher);
  await game.evaluate(() => {
    document.cookie = 'seen=yes; Secure; SameSite=None';
    localStorage.setItem('seen', 'yes');
  });
  await launcher.tabs.first().press('Delete');
  await expect.poll(() => views(workbench)).toEqual([]);
  await expect.poll(() => ('isClosed' in game ? game.isClosed() : null)).toBe(true);
  const again = await open(workbench, launcher);
  expect(await again.evaluate(() => [document.cookie, localStorage.getItem('seen')])).toEqual(['', null]);
});

test('a game that closes its own page leaves the stage, where it can be opened again', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  const game = await open(workbench, launcher);
  await closeItself(game);
  await expect(shell.main.getByRole('heading', { name: 'The game is closed' })).toBeVisible();
  await expect(launcher.entries.filter({ hasText: 'The game closed its own page' })).toHaveCount(1);
  expect(await views(workbench)).toEqual([]);
  await shell.main.getByRole('button', { name: 'Reopen' }).click();
  await expect.poll(() => visible(workbench)).toEqual([true]);
});

test('screenshots are shown, kept with the launch, and exported with tester, note and hashes', async ({ workbench, shell }) => {
  const { page } = workbench;
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await expect(launcher.screenshot).toBeDisabled();
  const game = await open(workbench, launcher);
  await spin(game);
  await launcher.screenshot.click();
  const picture = shell.dialog.getByRole('img', { name: 'Screenshot: Game 1001' });
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth > 0, image.naturalHeight > 0])).toEqual([
    true,
    true,
  ]);
  const saved = await watchSaving(workbench);
  await shell.dialog.getByRole('button', { name: 'Save a copy' }).click();
  await expect
    .poll(saved)
    .toEqual({ name: expect.stringMatching(/^screenshot-game-1001-\d+\.png$/) as unknown, type: 'blob:', refused: false });
  await shell.dialog.getByRole('button', { name: 'Done' }).click();
  const shots = shell.dialog.getByRole('radio', { name: /: Screenshot$/ });
  for (const count of [2, 3]) {
    await launcher.screenshot.click();
    await expect(shots).toHaveCount(count);
    if (count === 2) await shell.dialog.getByRole('button', { name: 'Done' }).click();
  }
  const strip = shell.dialog.getByRole('radiogroup', { name: 'Pictures of this launch' });
  await strip.getByRole('radio', { checked: true }).focus();
  // Radix chooses while the key is down.
  await page.keyboard.down('ArrowLeft');
  await expect(shots.last()).not.toBeChecked();
  await page.keyboard.up('ArrowLeft');
  await shots.last().click();
  await shell.dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(shots).toHaveCount(2);
  await shell.dialog.getByRole('button', { name: 'Done' }).click();
  await launcher.exportButton.click();
  await shell.dialog.getByLabel('Tester').fill('Ann Example');
  await shell.dialog.getByLabel('Note').fill('The reels overlap.');
  await shell.dialog.getByRole('button', { name: 'Close' }).first().click();
  // Both are kept, also without an export.
  await launcher.exportButton.click();
  await expect(shell.dialog.getByLabel('Tester')).toHaveValue('Ann Example');
  await expect(shell.dialog.getByLabel('Note')).toHaveValue('The reels overlap.');
  await shell.dialog.getByRole('button', { name: 'As a folder' }).click();
  const said = await shell.notices.getByText('The evidence is in').innerText();
  const folder = /The evidence is in (.+?)\. /.exec(said)?.[1] ?? '';
  expect(path.dirname(folder)).toBe(path.join(workbench.home, 'evidence'));
  const files = (await readdir(folder)).toSorted();
  // One that could not be taken is that of the last look, a PNG.
  const moment = files.find((file) => /^moment-\d+\.jpg$/.test(file)) ?? 'moment-01.jpg';
  expect(files.filter((file) => !file.startsWith('moment-'))).toEqual([
    'hashes.txt',
    'launch.html',
    'launch.json',
    'network.har',
    'picture-01.png',
    'picture-02.png',
    'signature.json',
  ]);
  for (const [file, start] of [
    ['picture-01.png', '89504e470d0a1a0a'],
    [moment, 'ffd8ff'],
  ] as const) {
    const image = await readFile(path.join(folder, file));
    expect(image.toString('hex')).toMatch(new RegExp(`^${start}`));
    const width = await page.evaluate(async (base64) => {
      const shown = new Image();
      shown.src = `data:;base64,${base64}`;
      await shown.decode();
      return shown.naturalWidth;
    }, image.toString('base64'));
    expect(width).toBeGreaterThan(100);
  }
  const text = await readFile(path.join(folder, 'launch.html'), 'utf8');
  for (const part of ['picture-01.png', 'Ann Example', 'The reels overlap.', 'Desktop, Croupier ']) expect(text).toContain(part);
});

test('the evidence as one file, which the page makes, is saved', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await open(workbench, launcher);
  const saved = await watchSaving(workbench);
  await launcher.exportAs('As one HTML file');
  await expect.poll(saved).toEqual({ name: expect.stringMatching(/\.html$/) as unknown, type: 'blob:', refused: false });
});

/** Watches what the page hands out to be saved from now on: the last of it, with the kind of its URL. */
async function watchSaving(workbench: Workbench): Promise<() => Promise<unknown>> {
  const app = workbench.desktop?.app();
  await app?.evaluate(({ session }) => {
    session.defaultSession.on('will-download', (event, item) => {
      const type = item.getURL().slice(0, 5);
      Reflect.set(globalThis, 'saved', { name: item.getFilename(), type, refused: event.defaultPrevented });
    });
  });
  return async () => app?.evaluate(() => Reflect.get(globalThis, 'saved') as unknown);
}
