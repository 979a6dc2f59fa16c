import type { Locator, Page } from '@playwright/test';
import { expect, test, type Workbench } from './fixtures.ts';
import { createLauncher, providerOf, type LauncherScreen } from './pages/launcher.ts';

test.use({ shares: 'page' });
test.describe.configure({ mode: 'default' });

const app = ({ desktop }: Workbench) => {
  if (desktop === null) throw new Error('This is for the desktop.');
  return desktop.app();
};

/** The view that lies over the window's page. */
const view = (workbench: Workbench) =>
  app(workbench).evaluate(({ BrowserWindow }) => {
    const [shown] = BrowserWindow.getAllWindows()[0]?.contentView.children ?? [];
    return { visible: shown?.getVisible() ?? false, bounds: shown?.getBounds() ?? { x: 0, y: 0, width: 0, height: 0 } };
  });

async function open(workbench: Workbench, launcher: LauncherScreen): Promise<Page> {
  await launcher.field('gameId').fill('1001');
  await launcher.launch.click();
  const game = (await launcher.game(await providerOf(workbench), 'fun')) as Page;
  await expect.poll(async () => (await view(workbench)).visible).toBe(true);
  await game.evaluate(() => {
    const seen: string[] = [];
    Reflect.set(window, 'seen', seen);
    document.addEventListener('visibilitychange', () => seen.push(document.visibilityState));
  });
  return game;
}
const seen = (game: Page) => game.evaluate(() => Reflect.get(window, 'seen') as unknown);
/** Titles of the record, without those of Croupier's own looks at the game, which come in their own time. */
const titles = async (launcher: LauncherScreen) =>
  (await launcher.entries.locator('p > span:nth-of-type(2)').allTextContents()).filter(
    (title) => !/^(?:The game shows|The page states|Ready after|Watched for|Croupier could not run)/.test(title),
  );

/** The views that lie over the window's page. */
const views = (workbench: Workbench) =>
  app(workbench).evaluate(({ BrowserWindow }) =>
    (BrowserWindow.getAllWindows()[0]?.contentView.children ?? []).map((one) => ({
      visible: one.getVisible(),
      bounds: one.getBounds(),
    })),
  );

/** Makes each screenshot fail, so that the button shows one more notice, and notes each time that a game is hidden. */
const refuseScreenshots = (workbench: Workbench) =>
  app(workbench).evaluate(({ BrowserWindow }) => {
    const hidden: number[] = [];
    Reflect.set(globalThis, 'hidden', hidden);
    for (const one of BrowserWindow.getAllWindows()[0]?.contentView.children ?? []) {
      const setVisible = one.setVisible.bind(one);
      one.setVisible = (visible) => {
        if (!visible) hidden.push(Date.now());
        setVisible(visible);
      };
      const { debugger: line } = (one as Electron.WebContentsView).webContents;
      line.sendCommand = () => Promise.reject(new Error('Unable to capture screenshot'));
    }
  });
/** Returns how often a game was hidden since the last time. */
const timesHidden = (workbench: Workbench) =>
  app(workbench).evaluate(() => (Reflect.get(globalThis, 'hidden') as number[]).splice(0).length);

for (const mode of ['fun', 'both'] as const) {
  test(`notices stand beside a game and never hide it: ${mode}`, async ({ workbench, shell, palette }) => {
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    await launcher.mode(mode);
    if (mode === 'both') await launcher.takeToken(/^player-1 /);
    await open(workbench, launcher);
    const allVisible = async () => (await views(workbench)).every(({ visible }) => visible);
    await expect.poll(async () => (await views(workbench)).length).toBe(mode === 'both' ? 2 : 1);
    await expect.poll(allVisible).toBe(true);
    await refuseScreenshots(workbench);
    const notices = shell.notices.locator('> * > *');
    for (const [width, height] of [
      [1440, 900],
      [1024, 700],
      [720, 450],
    ] as const) {
      await workbench.resize(width, height);
      await expect.poll(allVisible).toBe(true);
      await timesHidden(workbench);
      for (let count = 1; count <= 3; count += 1) {
        await launcher.screenshot.click();
        await expect(notices).toHaveCount(count);
        // A pointer on a notice pauses its time.
        await notices.last().dispatchEvent('pointerover');
        // The newest one is seen whole, though three may be higher than the room beside the game.
        await expect(notices.last()).toBeInViewport({ ratio: 1 });
        await expect.poll(() => areBesideTheViews(workbench, notices)).toBe(true);
      }
      expect(await timesHidden(workbench)).toBe(0);
      expect(await allVisible()).toBe(true);
      const close = shell.notices.getByRole('button', { name: 'Close notice' });
      for (let left = 2; left >= 0; left -= 1) {
        await close.last().click();
        await expect(notices).toHaveCount(left);
      }
    }
    // A menu does hide the game, and the notice that comes of it does not.
    await launcher.exportAs('As a folder');
    await shell.notices.getByText('The evidence is in').hover();
    await expect.poll(allVisible).toBe(true);
    await expect.poll(() => areBesideTheViews(workbench, notices)).toBe(true);
    await timesHidden(workbench);
    await palette.open();
    await expect.poll(allVisible).toBe(false);
    expect(await timesHidden(workbench)).toBeGreaterThan(0);
  });
}

async function areBesideTheViews(workbench: Workbench, notices: Locator): Promise<boolean> {
  const shown = await views(workbench);
  const boxes = await notices.evaluateAll((all) =>
    all.map((one) => {
      const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
      // The region scrolls: what is beyond its edges is not drawn.
      const region = one.closest('section')?.getBoundingClientRect();
      return {
        left,
        right,
        top: Math.max(top, region?.top ?? 0),
        bottom: Math.min(bottom, region?.bottom ?? 0),
        area: width * height,
      };
    }),
  );
  return boxes.every(
    (box) =>
      box.area > 0 &&
      shown.every(({ bounds: { x, y, width, height } }) => {
        return box.right <= x || box.left >= x + width || box.bottom <= y || box.top >= y + height;
      }),
  );
}

test('a game that there is no room for lies over nothing, and comes back where there is', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await open(workbench, launcher);
  await launcher.device('Phone');
  await launcher.show('Other');
  await workbench.resize(720, 450);
  await expect(launcher.games).toContainText('No room for the game');
  await expect.poll(async () => (await view(workbench)).visible).toBe(false);
  await expect(launcher.entries.filter({ hasText: 'has no room for it' })).toHaveCount(1);
  await launcher.device('Desktop');
  await expect.poll(async () => (await view(workbench)).visible).toBe(true);
  await launcher.device('Phone');
  await expect.poll(async () => (await view(workbench)).visible).toBe(false);
  await workbench.resize(1440, 900);
  await expect.poll(async () => (await view(workbench)).visible).toBe(true);
});

test('a palette over a game and a minimised window hide it, and the record says when', async ({ workbench, shell, palette }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  const game = await open(workbench, launcher);
  await launcher.show('Other');
  await palette.open();
  await expect.poll(() => seen(game)).toEqual(['hidden']);
  await workbench.page.keyboard.press('Escape');
  await expect.poll(() => seen(game)).toEqual(['hidden', 'visible']);
  await expect.poll(() => titles(launcher)).toEqual(['The game is hidden', 'The game is shown again']);
  await app(workbench).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  await expect.poll(() => seen(game)).toEqual(['hidden', 'visible', 'hidden']);
  await app(workbench).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.restore());
  await expect.poll(() => seen(game)).toEqual(['hidden', 'visible', 'hidden', 'visible']);
  const hidden = ['The game is hidden', 'The game is shown again'];
  await expect.poll(() => titles(launcher)).toEqual([...hidden, ...hidden]);
  await launcher.entries.filter({ hasText: 'The game is hidden' }).nth(1).click();
  await expect(launcher.record.getByRole('region', { name: 'Entry' })).toContainText('window is minimised');
});

test('a game is muted for as long as its view is there, by the keyboard, and the record says so', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await open(workbench, launcher);
  const mute = workbench.page.getByRole('button', { name: 'Mute the game' });
  const isMuted = () =>
    app(workbench).evaluate(({ BrowserWindow }) => {
      const [shown] = BrowserWindow.getAllWindows()[0]?.contentView.children ?? [];
      return (shown as Electron.WebContentsView | undefined)?.webContents.isAudioMuted();
    });
  await expect(mute).toHaveAttribute('aria-pressed', 'false');
  await launcher.show('Other');
  await mute.focus();
  await workbench.page.keyboard.press('Enter');
  await expect(mute).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(isMuted).toBe(true);
  await workbench.page.getByRole('button', { name: 'Reload' }).click();
  await expect(mute).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => titles(launcher)).toEqual(['Muted in Croupier']);
  expect(await isMuted()).toBe(true);
  await mute.press('Enter');
  await expect.poll(isMuted).toBe(false);
  await expect.poll(() => titles(launcher)).toEqual(['Muted in Croupier', 'No longer muted in Croupier']);
});

test.describe('over the whole Chromium', () => {
  // The shell keeps no screen awake and fills none.
  test.use({ doubleChromium: 'whole' });
  test('a game fills its view and keeps the screen awake, which is recorded; nothing else is given', async ({
    workbench,
    shell,
  }) => {
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    const game = await open(workbench, launcher);
    const { bounds } = await view(workbench);
    await game.evaluate(() => {
      const button = document.createElement('button');
      button.id = 'all';
      button.textContent = 'full screen';
      button.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 9';
      button.onclick = () => void document.documentElement.requestFullscreen();
      document.body.append(button);
    });
    await game.locator('#all').click();
    await launcher.show('Other');
    await expect.poll(() => titles(launcher)).toEqual(['Permission granted: fullscreen', 'The game entered full screen']);
    const full = await app(workbench).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isFullScreen());
    expect([full, (await view(workbench)).bounds]).toEqual([false, bounds]);
    await game.keyboard.press('Escape');
    await expect.poll(async () => (await titles(launcher)).at(-1)).toBe('The game left full screen');
    expect(await game.evaluate(async () => (await navigator.wakeLock.request('screen')).type)).toBe('screen');
    await expect.poll(async () => (await titles(launcher)).at(-1)).toBe('Permission granted: screen-wake-lock');
    await game.evaluate(() => Notification.requestPermission());
    await launcher.show('Blocked');
    await expect.poll(() => titles(launcher)).toEqual(['Permission denied: notifications']);
  });
});

test('a game sounds only after somebody has touched it', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await open(workbench, launcher);
  // Every Playwright query of a page counts as a touch: main alone looks at this one.
  await workbench.page.getByRole('button', { name: 'Reload' }).click();
  await launcher.show('Navigation');
  await expect.poll(async () => (await titles(launcher)).at(-1)).toBe('Loaded again');
  const play = (touched: boolean) =>
    app(workbench).evaluate(({ BrowserWindow }, gesture) => {
      const [shown] = BrowserWindow.getAllWindows()[0]?.contentView.children ?? [];
      const { webContents: contents } = shown as Electron.WebContentsView;
      return contents.executeJavaScript("new Audio('data:,').play().then(() => 'plays', ({ name }) => name)", gesture);
    }, touched);
  expect(await play(false)).toBe('NotAllowedError');
  // An invalid sound is detected only when it may be played.
  expect(await play(true)).toBe('NotSupportedError');
});

test('a game does not take the keyboard, neither when it opens nor when it goes on', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await app(workbench).evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.focus();
    window?.webContents.focus();
  });
  await open(workbench, launcher);
  const focused = () => app(workbench).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.isFocused());
  expect(await focused()).toBe(true);
  await workbench.page.getByRole('button', { name: 'Reload' }).click();
  await launcher.show('Navigation');
  await expect.poll(async () => (await titles(launcher)).at(-1)).toBe('Loaded again');
  expect(await focused()).toBe(true);
});

test('the keyboard goes into a game when it is put there, also out of the palette, and F6 brings it back', async ({
  workbench,
  shell,
  palette,
}) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await app(workbench).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.focus());
  await open(workbench, launcher);
  const focused = () =>
    app(workbench).evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const [shown] = window?.contentView.children ?? [];
      return [window?.webContents.isFocused(), (shown as Electron.WebContentsView).webContents.isFocused()];
    });
  await workbench.page.getByRole('button', { name: 'Focus the game' }).press('Enter');
  await expect.poll(focused).toEqual([false, true]);
  await app(workbench).evaluate(({ BrowserWindow }) => {
    const [shown] = BrowserWindow.getAllWindows()[0]?.contentView.children ?? [];
    (shown as Electron.WebContentsView).webContents.sendInputEvent({ type: 'keyDown', keyCode: 'F6' });
  });
  await expect.poll(focused).toEqual([true, false]);
  await palette.run('Focus the game', /Focus the game/);
  await expect.poll(async () => (await view(workbench)).visible).toBe(true);
  await expect.poll(focused).toEqual([false, true]);
});

test('a game lies in its place and has the CSS pixels of its device while the workbench is zoomed', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  const game = await open(workbench, launcher);
  await launcher.device('Phone');
  const screen = () => game.evaluate(() => [innerWidth, innerHeight]);
  await expect.poll(screen).toEqual([390, 844]);
  for (const zoom of [1.25, 0.8, 1]) {
    await app(workbench).evaluate(({ BrowserWindow }, factor) => {
      BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(factor);
    }, zoom);
    await expect
      .poll(async () => {
        const hole = (await launcher.games.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
        const { bounds } = await view(workbench);
        const far = [
          bounds.x - hole.x * zoom,
          bounds.y - hole.y * zoom,
          (hole.x + hole.width) * zoom - bounds.x - bounds.width,
          (hole.y + hole.height) * zoom - bounds.y - bounds.height,
        ];
        // Within the hole, and at most the few pixels smaller that leave the game its own.
        return far.every((distance) => distance > -1 && distance < 6);
      })
      .toBe(true);
    await expect.poll(screen).toEqual([390, 844]);
  }
});

test('a screenshot has the size of the device, however small the game is drawn, and says why there is none', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  const game = await open(workbench, launcher);
  await launcher.device('Phone');
  await expect.poll(() => game.evaluate(() => [innerWidth, innerHeight])).toEqual([390, 844]);
  expect((await view(workbench)).bounds.width).toBeLessThan(390);
  await launcher.screenshot.click();
  const picture = shell.dialog.getByRole('img', { name: 'Screenshot: Game 1001' });
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([390, 844]);
  await shell.dialog.getByRole('button', { name: 'Done' }).click();
  await expect.poll(async () => (await view(workbench)).visible).toBe(true);
  await app(workbench).evaluate(({ BrowserWindow }) => {
    const [shown] = BrowserWindow.getAllWindows()[0]?.contentView.children ?? [];
    const { debugger: line } = (shown as Electron.WebContentsView).webContents;
    line.sendCommand = () => Promise.reject(new Error('Unable to capture screenshot'));
  });
  await launcher.screenshot.click();
  await expect(shell.notices).toContainText('No screenshot: Chromium returned no picture. Reload the game');
});
