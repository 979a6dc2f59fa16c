import { expect } from '@playwright/test';
import { membersOf } from './electron-double/typings.ts';
import { test } from './rules.ts';

test.use({ shares: true });

/** Pages, views and windows that are gone, and the options that may be asked for when one is created. */

const gone = 'TypeError: Object has been destroyed';

test('of a page that is gone nothing can be asked, not even while it is told of', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app }) => {
    await app.whenReady();
    const view = new WebContentsView();
    const { webContents: contents } = view;
    await contents.loadURL('data:text/html,here');
    const attempt = (work: () => unknown) => {
      try {
        return String(work());
      } catch (error) {
        return String(error);
      }
    };
    const asked = {
      debugger: () => contents.debugger,
      session: () => contents.session,
      close: () => contents.close(),
      loadURL: () => contents.loadURL('about:blank'),
      canGoBack: () => contents.navigationHistory.canGoBack(),
    };
    const during = Promise.withResolvers<string[]>();
    contents.once('destroyed', () => during.resolve(Object.values(asked).map(attempt)));
    contents.close();
    const answers = await during.promise;
    const id = contents.id > 0;
    const nothing = () => undefined;
    contents.on('did-finish-load', nothing).off('did-finish-load', nothing);
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    view.setBounds({ x: 0, y: 0, width: 10, height: 10 });
    return { answers, id, destroyed: contents.isDestroyed(), left: view.webContents === undefined || view.webContents === null };
  });
  expect(new Set(told.answers)).toEqual(new Set([gone]));
  expect(told).toMatchObject({ id: true, destroyed: true, left: true });
});

test('what a script of main returns is cloned: undefined stays, and what has no clone rejects', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app }) => {
    await app.whenReady();
    const { webContents: contents } = new WebContentsView();
    await contents.loadURL('data:text/html,here');
    const [list] = [(await contents.executeJavaScript('[undefined, null]')) as unknown[]];
    const refused = ['() => 1', 'document', 'Symbol()'].map((code) => contents.executeJavaScript(code).catch(String));
    const map: unknown = await contents.executeJavaScript('new Map([[1, 2]])');
    return { list: list?.map(String), refused: await Promise.all(refused), map: map instanceof Map };
  });
  const error = 'Error: An object could not be cloned.';
  expect(told).toEqual({ list: ['undefined', 'null'], refused: [error, error, error], map: true });
});

test('closing a page takes its time: it is gone in a later task', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app }) => {
    await app.whenReady();
    const { webContents: contents } = new WebContentsView();
    await contents.loadURL('data:text/html,here');
    const later = new Promise<void>((resolve) => contents.once('destroyed', () => resolve()));
    contents.close();
    const at = contents.isDestroyed();
    await later;
    return [at, contents.isDestroyed()];
  });
  expect(told).toEqual([false, true]);
});

test('of a window that is gone nothing can be asked, from its last event on', async ({ electron }) => {
  const told = await electron.evaluate(async ({ BrowserWindow, app }) => {
    await app.whenReady();
    const window = new BrowserWindow({ show: false });
    await window.loadURL('data:text/html,here');
    const asked = [() => window.webContents, () => window.getBounds(), () => window.show(), () => window.contentView];
    const during = Promise.withResolvers<string[]>();
    window.once('closed', () =>
      during.resolve(
        asked.map((work) => {
          try {
            return String(work());
          } catch (error) {
            return String(error);
          }
        }),
      ),
    );
    window.close();
    const answers = await during.promise;
    return { answers, id: window.id > 0, destroyed: window.isDestroyed(), all: BrowserWindow.getAllWindows().length };
  });
  expect(new Set(told.answers)).toEqual(new Set([gone]));
  expect(told).toMatchObject({ id: true, destroyed: true, all: 0 });
});

test('a view outlives its window, and can be laid and hidden all the same', async ({ electron }) => {
  const told = await electron.evaluate(async ({ BrowserWindow, WebContentsView, app }) => {
    await app.whenReady();
    const window = new BrowserWindow();
    await window.loadURL('data:text/html,here');
    const view = new WebContentsView();
    window.contentView.addChildView(view);
    await view.webContents.loadURL('data:text/html,there');
    const closed = new Promise<void>((resolve) => window.once('closed', () => resolve()));
    window.close();
    await closed;
    view.setBounds({ x: 1, y: 2, width: 30, height: 40 });
    view.setVisible(false);
    return { bounds: view.getBounds(), destroyed: view.webContents.isDestroyed() };
  });
  expect(told).toEqual({ bounds: { x: 1, y: 2, width: 30, height: 40 }, destroyed: false });
});

test('a view belongs to the window that it was put into, and is told of before it is there', async ({ electron }) => {
  const told = await electron.evaluate(async ({ BrowserWindow, WebContentsView, app }) => {
    await app.whenReady();
    const log: string[] = [];
    app.on('web-contents-created', () => void log.push('created'));
    const window = new BrowserWindow({ show: false });
    log.push('window');
    const view = new WebContentsView();
    log.push('view');
    const before = BrowserWindow.fromWebContents(view.webContents);
    window.contentView.addChildView(view);
    const during = BrowserWindow.fromWebContents(view.webContents);
    window.contentView.removeChildView(view);
    const after = BrowserWindow.fromWebContents(view.webContents);
    return { log, owners: [before, during, after].map((owner) => owner === window) };
  });
  expect(told).toEqual({ log: ['created', 'window', 'created', 'view'], owners: [false, true, true] });
});

test('a debugger tells of what it enabled, says so once when it ends, and ends what is open', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app }) => {
    await app.whenReady();
    const { webContents: contents } = new WebContentsView();
    const { debugger: line } = contents;
    const log: string[] = [];
    line.on('message', (_event, method) => void log.push(method.slice(0, method.indexOf('.'))));
    line.on('detach', (_event, reason) => void log.push(reason));
    line.detach();
    line.attach();
    let again = '';
    try {
      line.attach();
    } catch (error) {
      again = String(error);
    }
    const open = line.sendCommand('Page.enable').then(String, String);
    line.detach();
    line.attach();
    void line.sendCommand('Page.enable').catch(() => undefined);
    await contents.loadURL('data:text/html,<script>console.log(1)</script>');
    line.detach();
    const late = await line.sendCommand('Page.enable').then(String, String);
    return { log: [...new Set(log)], again, open: await open, late };
  });
  expect(told).toEqual({
    log: ['target closed', 'Page'],
    again: 'TypeError: Debugger is already attached to the target',
    open: 'Error: target closed while handling command',
    late: 'Error: No target available',
  });
});

test('the lines of the console are counted from 1', async ({ electron }) => {
  const lines = await electron.evaluate(async ({ WebContentsView, app }) => {
    await app.whenReady();
    const { webContents: contents } = new WebContentsView();
    const found: number[] = [];
    contents.on('console-message', ({ message, lineNumber }) => {
      if (message === 'here') found.push(lineNumber);
    });
    const script = encodeURIComponent("<script>\nconsole.log('here');\n</script>");
    await contents.loadURL(`data:text/html,${script}`);
    await contents.executeJavaScript('1');
    return found;
  });
  expect(lines).toEqual([2]);
});

test('there is nothing to load again where no page is', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app }) => {
    await app.whenReady();
    const { webContents: contents } = new WebContentsView();
    const log: string[] = [];
    contents.on('did-start-loading', () => void log.push('loading'));
    contents.reload();
    await contents.loadURL('data:text/html,here');
    return log;
  });
  expect(told).toEqual(['loading']);
});

test('a page whose process is gone hears nothing, and nobody but standard error is told', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app }) => {
    await app.whenReady();
    const said: string[] = [];
    const { stderr } = process;
    const write = stderr.write.bind(stderr);
    stderr.write = (text: string | Uint8Array) => said.push(String(text)) > 0;
    const { webContents: contents } = new WebContentsView();
    await contents.loadURL('data:text/html,here');
    contents.send('event', 'heard');
    const crashed = new Promise<void>((resolve) => contents.once('render-process-gone', () => resolve()));
    contents.forcefullyCrashRenderer();
    await crashed;
    contents.send('event', 'unheard');
    stderr.write = write;
    return { said: said.filter((text) => text.startsWith('Error sending')).length, crashed: contents.isCrashed() };
  });
  expect(told).toEqual({ said: 1, crashed: true });
});

/** Electron ignores these silently. */
test.describe('the double alone', () => {
  test.skip(({ hostName }) => hostName !== 'double');

  test('refuses what Electron does not document and what it does not do itself', async ({ electron }) => {
    const told = await electron.evaluate(async ({ BrowserWindow, WebContentsView, app }) => {
      await app.whenReady();
      const attempts = [
        () => new WebContentsView({ webPreferences: { disablePopups: true } as never }),
        () => new WebContentsView({ webPreferences: { backgroundThrottling: false } }),
        () => new WebContentsView({ webPreferences: { webviewTag: true } }),
        () => new BrowserWindow({ widht: 100 } as never),
        () => new BrowserWindow({ kiosk: true }),
        () => new WebContentsView().webContents.getPrintersAsync(),
        () => app.getAppMetrics(),
      ];
      return attempts.map((attempt) => {
        try {
          void attempt();
          return 'nothing';
        } catch (error) {
          return error instanceof Error ? error.message : String(error);
        }
      });
    });
    expect(told).toEqual([
      "Electron's typings do not have WebPreferences.disablePopups.",
      'The electron double does not have WebPreferences.backgroundThrottling. Add it as Electron documents it.',
      'The electron double refuses webPreferences.webviewTag other than false.',
      "Electron's typings do not have BrowserWindowConstructorOptions.widht.",
      'The electron double does not have BrowserWindowConstructorOptions.kiosk. Add it as Electron documents it.',
      'The electron double does not have (a member).getPrintersAsync. Add it as Electron documents it.',
      'The electron double does not have (a member).getAppMetrics. Add it as Electron documents it.',
    ]);
  });

  test('has each documented member or says that it does not', async ({ electron }) => {
    const names = ['App', 'Dialog', 'Shell', 'Screen', 'IpcMain', 'Protocol', 'Session', 'WebRequest', 'BrowserWindow'];
    const others = ['WebContents', 'Debugger', 'NavigationHistory', 'WebContentsView', 'CommandLine'];
    const members = Object.fromEntries([...names, ...others].map((name) => [name, [...membersOf(name)]]));
    const told = await electron.evaluate(async (double, members) => {
      const { app, dialog, shell, screen, ipcMain, protocol, session, BrowserWindow, WebContentsView } = double;
      await app.whenReady();
      const window = new BrowserWindow({ show: false });
      const { webContents } = window;
      const objects: Record<string, object> = {
        App: app,
        Dialog: dialog,
        Shell: shell,
        Screen: screen,
        IpcMain: ipcMain,
        Protocol: protocol,
        Session: session.defaultSession,
        WebRequest: session.defaultSession.webRequest,
        BrowserWindow: window,
        WebContents: webContents,
        Debugger: webContents.debugger,
        NavigationHistory: webContents.navigationHistory,
        WebContentsView: new WebContentsView(),
        CommandLine: app.commandLine,
      };
      const silent: string[] = [];
      let throwing = 0;
      for (const [name, object] of Object.entries(objects)) {
        for (const member of members[name] ?? []) {
          try {
            if (Reflect.get(object, member) === undefined) silent.push(`${name}.${member}`);
          } catch (error) {
            throwing += 1;
            if (!String(error).startsWith('Error: The electron double does not have '))
              silent.push(`${name}.${member}: ${String(error)}`);
          }
        }
      }
      return { silent, throwing };
    }, members);
    expect(told.silent).toEqual([]);
    expect(told.throwing).toBeGreaterThan(300);
  });
});
