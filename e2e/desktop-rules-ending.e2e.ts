import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { test } from './rules.ts';

/** The ends of Electron's windows, pages, processes and dialogs. */

const stubborn = 'data:text/html,<script>addEventListener("beforeunload", (event) => event.preventDefault())</script>';
const page = 'data:text/html,<title>page</title>';

test('a window is asked before its page, and a page that stays keeps the window and cancels the quit', async ({ electron }) => {
  const told = await electron.evaluate(async ({ BrowserWindow, app }, url) => {
    await app.whenReady();
    const log: string[] = [];
    const window = new BrowserWindow();
    await window.loadURL(url);
    app.on('before-quit', () => void log.push('before-quit'));
    app.on('will-quit', () => void log.push('will-quit'));
    window.on('close', () => void log.push('close'));
    const asked = () =>
      new Promise<void>((resolve) =>
        window.webContents.once('will-prevent-unload', () => {
          log.push('will-prevent-unload');
          setImmediate(resolve);
        }),
      );
    // Electron's timer, which the page's answer does not end.
    const { mock } = process.getBuiltinModule('node:test');
    mock.timers.enable({ apis: ['setTimeout'] });
    window.on('unresponsive', () => void log.push('unresponsive'));
    const first = asked();
    window.close();
    await first;
    mock.timers.tick(5_000);
    mock.timers.reset();
    const second = asked();
    app.quit();
    await second;
    log.push(window.isDestroyed() ? 'destroyed' : 'stays');
    // The fixture ends the program.
    window.webContents.on('will-prevent-unload', (event) => event.preventDefault());
    return log;
  }, stubborn);
  expect(told).toEqual(['close', 'will-prevent-unload', 'unresponsive', 'before-quit', 'close', 'will-prevent-unload', 'stays']);
});

test.describe('of a program that goes on', () => {
  test.use({ shares: true });

  test('a page that hangs is closed all the same, unless somebody debugs it', async ({ electron }) => {
    const told = await electron.evaluate(async ({ WebContentsView, app }, url) => {
      await app.whenReady();
      const log: string[] = [];
      const hung = async (name: string) => {
        const { webContents: contents } = new WebContentsView();
        await contents.loadURL(url);
        contents.on('render-process-gone', () => void log.push(`${name} crashed`));
        const gone = new Promise<void>((resolve) => contents.once('destroyed', () => resolve(void log.push(`${name} gone`))));
        const hangs = new Promise<void>((resolve) => contents.on('console-message', () => resolve()));
        void contents.executeJavaScript('console.log("hangs"); while (true) {}').catch(() => undefined);
        await hangs;
        return { contents, gone };
      };
      const debugged = await hung('debugged');
      debugged.contents.debugger.attach();
      const alone = await hung('alone');
      debugged.contents.close();
      alone.contents.close();
      await alone.gone;
      log.push('detached');
      debugged.contents.debugger.detach();
      debugged.contents.close();
      await debugged.gone;
      return log;
    }, page);
    expect(told).toEqual(['alone gone', 'detached', 'debugged gone']);
  });

  test('a window whose page hangs closes, without an event of a crash', async ({ electron }) => {
    const told = await electron.evaluate(async ({ BrowserWindow, app }, url) => {
      await app.whenReady();
      const log: string[] = [];
      const window = new BrowserWindow();
      await window.loadURL(url);
      window.webContents.on('render-process-gone', () => void log.push('crashed'));
      const hangs = new Promise<void>((resolve) => window.webContents.on('console-message', () => resolve()));
      void window.webContents.executeJavaScript('console.log("hangs"); while (true) {}').catch(() => undefined);
      await hangs;
      const closed = new Promise<void>((resolve) => window.once('closed', () => resolve(void log.push('closed'))));
      window.close();
      await closed;
      return log;
    }, page);
    expect(told).toEqual(['closed']);
  });

  test('a utility process ends with its own code, with 0 when the program ends it, and with the signal of whoever else does', async ({
    electron,
  }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'croupier-utility-'));
    const file = path.join(folder, 'child.cjs');
    await writeFile(
      file,
      'process.parentPort.on("message", ({ data }) => data === "path" ? process.parentPort.postMessage(process.env.PATH) : process.exit(data));',
    );
    try {
      const told = await electron.evaluate(async ({ app, utilityProcess }, program) => {
        await app.whenReady();
        const start = async () => {
          const child = utilityProcess.fork(program, [], { env: {} });
          const early = child.kill();
          const code = new Promise<number>((resolve) => child.once('exit', resolve));
          await new Promise<void>((resolve) => child.once('spawn', () => resolve()));
          return { child, code, early };
        };
        const [own, ended, killed] = [await start(), await start(), await start()];
        const inherited = new Promise((resolve) => own.child.once('message', resolve));
        own.child.postMessage('path');
        const environment = await inherited;
        own.child.postMessage(3);
        const byUs = ended.child.kill();
        process.kill(killed.child.pid ?? 0, 'SIGKILL');
        const codes = [await own.code, await ended.code, await killed.code];
        // As after a failure of V8 in it.
        const unheard = () => {
          try {
            own.child.emit('error', 'FatalError', 'here', 'report');
            return 'nobody minds';
          } catch {
            return 'thrown';
          }
        };
        return {
          codes,
          early: own.early,
          byUs,
          inherits: environment === process.env['PATH'],
          late: own.child.kill(),
          unheard: unheard(),
        };
      }, file);
      expect(told).toEqual({
        codes: [3, 0, 9],
        early: false,
        byUs: true,
        inherits: true,
        late: false,
        unheard: 'thrown',
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a message box that the program closes says what its cancel button says; one of wrong options is refused', async ({
    electron,
  }) => {
    const told = await electron.evaluate(async ({ app, dialog }) => {
      await app.whenReady();
      const closing = new AbortController();
      const question = { message: 'Wait?', buttons: ['Yes', 'No'], cancelId: 1, signal: closing.signal };
      const standing = dialog.showMessageBox(question);
      closing.abort();
      const refused = (ask: () => unknown) => Promise.resolve().then(ask).then(String, String);
      return {
        closed: (await standing).response,
        before: (await dialog.showMessageBox(question)).response,
        message: await refused(() => dialog.showMessageBox({ message: 1 as unknown as string })),
        buttons: await refused(() => dialog.showMessageBox({ message: '', buttons: 'Yes' as unknown as string[] })),
        properties: await refused(() => dialog.showOpenDialog({ properties: 'openFile' as unknown as 'openFile'[] })),
      };
    });
    expect(told).toEqual({
      closed: 1,
      before: undefined,
      message: 'TypeError: Message must be a string',
      buttons: 'TypeError: Buttons must be an array',
      properties: 'TypeError: Properties must be an array',
    });
  });
});

test.describe('before the program is ready', () => {
  test.use({
    program: `const { app, dialog, utilityProcess } = require('electron');
    const early = [() => utilityProcess.fork(__filename), () => dialog.showMessageBoxSync({ message: 'early' })];
    globalThis.early = early.map((ask) => { try { ask(); return 'done'; } catch (error) { return String(error); } });
    app.on('window-all-closed', () => undefined);`,
  });
  test('there are no utility processes and no dialogs', async ({ electron }) => {
    expect(await electron.evaluate(() => Reflect.get(globalThis, 'early') as unknown)).toEqual([
      'TypeError: utilityProcess cannot be created before app is ready.',
      'Error: dialog module can only be used after app is ready',
    ]);
  });
});

test('the lock of the one instance is held while its program puts its end off', async ({ electron }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'croupier-lock-'));
  try {
    const told = await electron.evaluate(async ({ app }, userData) => {
      await app.whenReady();
      app.setPath('userData', userData);
      app.requestSingleInstanceLock();
      const asked = new Promise<void>((resolve) =>
        app.once('will-quit', (event) => {
          event.preventDefault();
          setTimeout(resolve);
        }),
      );
      app.quit();
      await asked;
      const held = app.hasSingleInstanceLock();
      app.releaseSingleInstanceLock();
      return [held, app.hasSingleInstanceLock()];
    }, folder);
    expect(told).toEqual([true, false]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
