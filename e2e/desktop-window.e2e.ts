import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { doublePath, type DesktopHost } from './electron-host.ts';
import { expect, test, type Workbench } from './fixtures.ts';
import { makeSurroundings, root, watch } from './program.ts';

/** The edges of the window and its program: a second start, a home that cannot be used, keys over a game, developer tools. */
function desktopOf({ desktop }: Workbench): DesktopHost {
  if (desktop === null) throw new Error('Not the desktop host.');
  return desktop;
}

function executableOf(workbench: Workbench): string {
  return workbench.hostName === 'double' ? doublePath : (desktopOf(workbench).app().process().spawnfile ?? '');
}

/** Closes the window and keeps the program from ending; the returned function lets it end. */
async function closeAndStay(desktop: DesktopHost): Promise<() => Promise<void>> {
  await desktop.app().evaluate(({ app, BrowserWindow }) => {
    const leaving = new Promise<void>((resolve) => {
      app.on('will-quit', (event) => {
        if (Reflect.get(globalThis, 'mayGo') !== true) event.preventDefault();
        resolve();
      });
    });
    BrowserWindow.getAllWindows()[0]?.close();
    return leaving;
  });
  return async () => {
    // A Chromium that ends may report a page as crashed on its way.
    desktop.page.removeAllListeners('crash');
    const ended = new Promise((resolve) => desktop.app().process().once('exit', resolve));
    const letGo = desktop.app().evaluate(({ app }) => {
      Reflect.set(globalThis, 'mayGo', true);
      app.quit();
    });
    // It ends before it can respond.
    await letGo.catch(() => undefined);
    await ended;
  };
}

test('a second start while the first one ends waits for it and brings a window', async ({ workbench }) => {
  const desktop = desktopOf(workbench);
  const letGo = await closeAndStay(desktop);
  const told = path.join(path.dirname(workbench.home), 'tell.cjs');
  const script = `const { app } = require('electron');
app.on('browser-window-created', (_event, window) => window.once('show', () => {
  console.log('a window is shown');
  app.quit();
}));`;
  await writeFile(told, script);
  const noted = desktop.app().evaluate(({ app }) => new Promise<void>((resolve) => app.once('second-instance', () => resolve())));
  const second = watch(spawn(executableOf(workbench), ['-r', told, root], { cwd: root, env: desktop.env }));
  // The first one hears that somebody waits for its place.
  await noted;
  await letGo();
  const { code, stdout } = await second.finished;
  expect(stdout).toContain('a window is shown');
  expect(code).toBe(0);
  await desktop.start();
});

test('the dock of a Mac brings the window, and starts a program again that is ending', async ({ workbench }) => {
  const desktop = desktopOf(workbench);
  const visible = await desktop.app().evaluate(({ app, BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.hide();
    app.emit('activate', {}, false);
    Reflect.set(globalThis, 'again', 0);
    app.relaunch = () => Reflect.set(globalThis, 'again', Number(Reflect.get(globalThis, 'again')) + 1);
    app.emit('activate', {}, true);
    return window?.isVisible();
  });
  expect(visible).toBe(true);
  const again = () => desktop.app().evaluate(() => Number(Reflect.get(globalThis, 'again')));
  expect(await again()).toBe(0);
  const letGo = await closeAndStay(desktop);
  await desktop.app().evaluate(({ app }) => {
    app.emit('activate', {}, false);
    app.emit('activate', {}, false);
  });
  expect(await again()).toBe(1);
  await letGo();
  await desktop.start();
});

test('a home that cannot be written to is named, and the program does not end as if another one ran', async ({ workbench }) => {
  const surroundings = await makeSurroundings();
  try {
    await writeFile(surroundings.home, 'a file where a folder belongs');
    const env = { ...desktopOf(workbench).env, ...surroundings.env };
    const { code, stderr } = await watch(spawn(executableOf(workbench), [root], { cwd: root, env })).finished;
    expect(stderr).toContain(`Croupier cannot write to ${path.join(surroundings.home, 'desktop')}`);
    expect(code).toBe(70);
  } finally {
    await surroundings.remove();
  }
});

/** Puts a page over the window's, as a game is; it has the keyboard. */
async function putOver(workbench: Workbench): Promise<void> {
  await desktopOf(workbench)
    .app()
    .evaluate(async ({ BrowserWindow, WebContentsView }) => {
      const [window] = BrowserWindow.getAllWindows();
      const view = new WebContentsView();
      view.setBounds({ x: 0, y: 100, width: 300, height: 300 });
      window?.contentView.addChildView(view);
      await view.webContents.loadURL('data:text/html,<title>over</title><p>over');
      window?.focus();
      view.webContents.focus();
    });
}

test("keys in a game are the game's, but for the palette's; and after Alt+Tab the game still has the keyboard", async ({
  workbench,
  requests,
  shell,
}) => {
  const { app } = desktopOf(workbench);
  await putOver(workbench);
  const press = (keyCode: string) =>
    app().evaluate(async ({ BrowserWindow }, key) => {
      const view = BrowserWindow.getAllWindows()[0]?.contentView.children[0] as Electron.WebContentsView | undefined;
      const contents = view?.webContents;
      const script = "new Promise((resolve) => addEventListener('keydown', () => setTimeout(resolve, 0), { once: true }))";
      const heard = contents?.executeJavaScript(script);
      contents?.sendInputEvent({ type: 'keyDown', keyCode: key, modifiers: ['control'] });
      await heard;
    }, keyCode);
  await press('N');
  await press('Enter');
  const focused = await app().evaluate(async ({ BrowserWindow, webContents }) => {
    const [window] = BrowserWindow.getAllWindows();
    const view = window?.contentView.children[0] as Electron.WebContentsView;
    const told = (name: 'blur' | 'focus') => new Promise<void>((resolve) => window?.once(name as 'blur', () => resolve()));
    const left = told('blur');
    window?.blur();
    await left;
    const back = told('focus');
    window?.focus();
    await back;
    return webContents.getFocusedWebContents()?.id === view.webContents.id;
  });
  expect(focused).toBe(true);
  await press('K');
  await expect(shell.dialog).toContainText('Find anything');
  const inPage = app().evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.isFocused());
  expect(await inPage).toBe(true);
  await shell.dismiss();
  // The other keys, which were pressed before, opened no tab and made no call.
  await expect(requests.tabs).toHaveCount(1);
  await expect(workbench.page.getByText('0 ok')).toHaveCount(0);
});

test("the zoom of the menu is the page's, also while a game has the keyboard", async ({ workbench }) => {
  await putOver(workbench);
  const zooms = await desktopOf(workbench)
    .app()
    .evaluate(({ BrowserWindow, Menu }) => {
      const [window] = BrowserWindow.getAllWindows();
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
      const choose = (label: string) => items.find((item) => item.label === label)?.click(undefined, window, undefined);
      const view = window?.contentView.children[0] as Electron.WebContentsView;
      const levels = () => [window?.webContents.getZoomLevel(), view.webContents.getZoomLevel()];
      choose('Zoom in');
      const larger = levels();
      choose('Actual size');
      return [larger, levels()];
    });
  expect(zooms).toEqual([
    [0.5, 0],
    [0, 0],
  ]);
});

test('the page and what lies over it can be inspected from the menu', async ({ workbench }) => {
  const { app } = desktopOf(workbench);
  const choose = (label: string) =>
    app().evaluate(async ({ BrowserWindow, Menu, webContents }, wanted) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
      const opened = Promise.race(
        webContents.getAllWebContents().map(
          (contents) =>
            new Promise<boolean>((resolve) => {
              contents.once('devtools-opened', () => resolve(true));
              contents.once('devtools-closed', () => resolve(false));
            }),
        ),
      );
      items.find((item) => item.label === wanted)?.click(undefined, BrowserWindow.getAllWindows()[0], undefined);
      return opened;
    }, label);
  expect(await choose('Page developer tools')).toBe(true);
  expect(await choose('Page developer tools')).toBe(false);
  await putOver(workbench);
  expect(await choose('Game developer tools')).toBe(true);
});
