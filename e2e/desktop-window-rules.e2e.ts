import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { doublePath } from './electron-host.ts';
import { watch } from './program.ts';
import { test } from './rules.ts';

/** Rules of Electron's for windows, menus, keys and the lock of the first instance. */

test.use({ shares: true });

const page = (title: string) => `data:text/html,<title>${title}</title><p>${title}`;

test.describe('a window', () => {
  test('that is hidden is shown by being maximised', async ({ electron }) => {
    const told = await electron.evaluate(async ({ BrowserWindow, app }) => {
      await app.whenReady();
      const window = new BrowserWindow({ show: false });
      const shown = new Promise<void>((resolve) => window.once('show', () => resolve()));
      const before = window.isVisible();
      window.maximize();
      await shown;
      return { before, after: window.isVisible() };
    });
    expect(told).toEqual({ before: false, after: true });
  });

  test('that is minimised is not maximised, and is so again when it is restored', async ({ electron }) => {
    const told = await electron.evaluate(async ({ BrowserWindow, app }) => {
      await app.whenReady();
      const window = new BrowserWindow();
      const state = () => ({ maximized: window.isMaximized(), minimized: window.isMinimized() });
      const after = (name: string, work: () => void) => {
        const done = new Promise<void>((resolve) => window.once(name as 'show', () => resolve()));
        work();
        return done.then(state);
      };
      return [
        await after('maximize', () => window.maximize()),
        await after('minimize', () => window.minimize()),
        await after('restore', () => window.restore()),
      ];
    });
    expect(told).toEqual([
      { maximized: true, minimized: false },
      { maximized: false, minimized: true },
      { maximized: true, minimized: false },
    ]);
  });

  test('is as large as its smallest size, and tells a move and a change of size apart', async ({ electron }) => {
    const told = await electron.evaluate(async ({ BrowserWindow, app }) => {
      await app.whenReady();
      const window = new BrowserWindow({ show: false, x: 40, y: 40, width: 100, height: 100, minWidth: 300, minHeight: 200 });
      const size = window.getSize();
      const log: string[] = [];
      window.on('move', () => void log.push('move'));
      window.on('resize', () => void log.push('resize'));
      const told = (name: string) => new Promise<void>((resolve) => window.once(name as 'move', () => resolve()));
      const moved = told('move');
      window.setBounds({ x: 60, y: 50 });
      await moved;
      const resized = told('resize');
      window.setBounds({ width: 400, height: 300 });
      await resized;
      return { size, log };
    });
    expect(told).toEqual({ size: [300, 200], log: ['move', 'resize'] });
  });

  test('owns the views in it, and every page is announced while it is made', async ({ electron }) => {
    const told = await electron.evaluate(async ({ BrowserWindow, WebContentsView, app }) => {
      await app.whenReady();
      const announced: number[] = [];
      app.on('web-contents-created', (_event, contents) => void announced.push(contents.id));
      const window = new BrowserWindow({ show: false });
      const view = new WebContentsView();
      const apart = BrowserWindow.fromWebContents(view.webContents);
      window.contentView.addChildView(view);
      return {
        announced: announced.length,
        apart: apart === null,
        own: BrowserWindow.fromWebContents(window.webContents) === window,
        view: BrowserWindow.fromWebContents(view.webContents) === window,
      };
    });
    expect(told).toEqual({ announced: 2, apart: true, own: true, view: true });
  });

  test('that gets the keyboard back gives it to its own page, not to a view', async ({ electron }) => {
    const told = await electron.evaluate(async ({ BrowserWindow, WebContentsView, app, webContents }, address) => {
      await app.whenReady();
      const window = new BrowserWindow();
      const view = new WebContentsView();
      window.contentView.addChildView(view);
      view.setBounds({ x: 0, y: 0, width: 200, height: 200 });
      await window.loadURL(address);
      await view.webContents.loadURL(address);
      const log: string[] = [];
      window.webContents.on('focus', () => void log.push('page'));
      view.webContents.on('focus', () => void log.push('view'));
      window.on('focus', () => void log.push('window'));
      view.webContents.focus();
      const focused = webContents.getFocusedWebContents()?.id === view.webContents.id;
      const told = (name: 'blur' | 'focus') => new Promise<void>((resolve) => window.once(name as 'blur', () => resolve()));
      for (const take of [() => window.focus(), () => view.webContents.focus()]) {
        const left = told('blur');
        window.blur();
        log.push('left');
        await left;
        const back = told('focus');
        take();
        await back;
      }
      return { focused, log };
    }, page('here'));
    // A view that takes it brings its window, on Linux and macOS.
    expect(told).toEqual({ focused: true, log: ['left', 'page', 'window', 'left', 'page', 'view', 'window'] });
  });
});

test.describe('a menu', () => {
  const outcome = (what: string) => `${what}: must have at least one of label, role or type`;

  test('refuses a template that is none', async ({ electron }) => {
    const told = await electron.evaluate(async ({ Menu, app }) => {
      await app.whenReady();
      const build = (template: unknown) => {
        try {
          Menu.buildFromTemplate(template as []);
          return 'built';
        } catch (error) {
          return String(error);
        }
      };
      return [
        build('hello'),
        build([{}]),
        build([{ type: 'normal' }]),
        build([{ label: 'a', type: 'odd' }]),
        build([{ label: 'a', type: 'submenu' }]),
      ];
    });
    expect(told).toEqual([
      'TypeError: Invalid template for Menu: Menu template must be an array',
      outcome('TypeError: Invalid template for MenuItem'),
      outcome('TypeError: Invalid template for MenuItem'),
      'Error: Unknown menu item type: odd',
      'Error: Invalid submenu',
    ]);
  });

  test('has no separators at its edges or beside each other, and names and keys from the roles', async ({ electron }) => {
    const told = await electron.evaluate(async ({ Menu, app }) => {
      await app.whenReady();
      const line = { type: 'separator' } as const;
      const { items } = Menu.buildFromTemplate([line, { label: 'a' }, line, line, { role: 'undo' }, { role: 'zoomIn' }, line]);
      return items.map(({ type, label, role, accelerator }) => [type, label, role?.toLowerCase(), accelerator ?? null]);
    });
    expect(told).toEqual([
      ['normal', 'a', undefined, null],
      ['separator', '', undefined, null],
      ['normal', 'Undo', 'undo', 'CommandOrControl+Z'],
      ['normal', 'Zoom In', 'zoomin', 'CommandOrControl+Plus'],
    ]);
  });

  test('zooms by its roles what has the keyboard, and its keys work in a view, unless that ignores them', async ({
    electron,
  }) => {
    const told = await electron.evaluate(async ({ BrowserWindow, Menu, WebContentsView, app }, address) => {
      await app.whenReady();
      let chosen = 0;
      let onChosen = () => undefined as void;
      const choose = () => {
        chosen += 1;
        onChosen();
      };
      const press = () => view.webContents.sendInputEvent({ type: 'keyDown', keyCode: 'J', modifiers: ['control'] });
      const menu = Menu.buildFromTemplate([
        {
          label: 'a',
          submenu: [
            { label: 'b', accelerator: 'Ctrl+J', click: choose },
            { role: 'zoomIn', id: 'in' },
          ],
        },
      ]);
      Menu.setApplicationMenu(menu);
      const window = new BrowserWindow();
      const view = new WebContentsView({ webPreferences: { zoomMode: 'isolated' } });
      window.contentView.addChildView(view);
      view.setBounds({ x: 0, y: 0, width: 200, height: 200 });
      await window.loadURL(address);
      await view.webContents.loadURL(address);
      view.webContents.focus();
      menu.getMenuItemById('in')?.click(undefined, window, undefined);
      const zooms = [window.webContents.getZoomLevel(), view.webContents.getZoomLevel()];
      const pressed = () => new Promise<void>((resolve) => (onChosen = resolve));
      const first = pressed();
      press();
      await first;
      const script = "new Promise((resolve) => addEventListener('keydown', () => setTimeout(resolve), { once: true }))";
      const seen = view.webContents.executeJavaScript(script);
      view.webContents.setIgnoreMenuShortcuts(true);
      press();
      await seen;
      view.webContents.setIgnoreMenuShortcuts(false);
      const second = pressed();
      press();
      await second;
      return { zooms, chosen };
    }, page('here'));
    expect(told.zooms).toEqual([0, 0.5]);
    expect(told.chosen).toBe(2);
  });
});

test.describe('developer tools', () => {
  test('are loaded through the session of the page, and take the line of its debugger', async ({ electron }) => {
    const told = await electron.evaluate(async ({ WebContentsView, app, session }, address) => {
      await app.whenReady();
      const asked = new Set<string>();
      session.defaultSession.webRequest.onBeforeRequest((details, done) => {
        asked.add(new URL(details.url).protocol);
        done({});
      });
      const { webContents: contents } = new WebContentsView();
      await contents.loadURL(address);
      const told = (name: string) => new Promise<void>((resolve) => contents.once(name as 'devtools-opened', () => resolve()));
      const opened = told('devtools-opened');
      const { webContents: barred } = new WebContentsView({ webPreferences: { devTools: false } });
      barred.openDevTools();
      contents.openDevTools({ mode: 'detach' });
      await opened;
      const open = [contents, barred].map((one) => one.isDevToolsOpened());
      const closed = told('devtools-closed');
      contents.closeDevTools();
      await closed;
      return { asked: asked.has('devtools:'), open, after: contents.isDevToolsOpened() };
    }, page('here'));
    expect(told).toEqual({ asked: true, open: [true, false], after: false });
  });
});

test.describe('the lock of the first instance', () => {
  // The program quits.
  test.use({ shares: false });
  test('is not had where nothing can be written, and is held while the first one ends', async ({ electron, hostName }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'croupier-lock-'));
    try {
      await writeFile(path.join(folder, 'a-file'), '');
      await mkdir(path.join(folder, 'program'));
      await writeFile(path.join(folder, 'program', 'package.json'), '{"name":"lock","version":"1.0.0","main":"main.cjs"}');
      const main = `const { app } = require('electron');
app.setPath('userData', process.env.LOCK);
console.log(app.getVersion() + (app.isPackaged ? ' packed' : '') + ' locked: ' + app.requestSingleInstanceLock());
app.on('quit', (_event, code) => console.log('quit: ' + code));
app.exit(0);`;
      await writeFile(path.join(folder, 'program', 'main.cjs'), main);
      const executable = hostName === 'double' ? doublePath : await electron.evaluate(({ app }) => app.getPath('exe'));
      const ask = async (lock: string) => {
        const env = { ...process.env, LOCK: lock } as NodeJS.ProcessEnv;
        return (await watch(spawn(executable, [path.join(folder, 'program')], { env })).finished).stdout;
      };
      // A program that exits at once says that it quits.
      expect(await ask(path.join(folder, 'a-file'))).toMatch(/locked: false\s+quit: 0/);
      const shared = path.join(folder, 'shared');
      expect(await ask(shared)).toContain('1.0.0 locked: true');
      const held = await electron.evaluate(({ app }, lock) => {
        app.setPath('userData', lock);
        const taken = app.requestSingleInstanceLock();
        app.on('will-quit', (event) => {
          if (Reflect.get(globalThis, 'mayGo') !== true) event.preventDefault();
        });
        const asked = new Promise<void>((resolve) => app.once('will-quit', () => resolve()));
        app.quit();
        return asked.then(() => taken);
      }, shared);
      expect(held).toBe(true);
      expect(await ask(shared)).toContain('locked: false');
      await electron.evaluate(() => Reflect.set(globalThis, 'mayGo', true));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
