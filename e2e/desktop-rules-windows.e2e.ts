import { expect } from '@playwright/test';
import { test } from './rules.ts';

test.use({ shares: true });

/** Things that a page wants to open: windows, dialogs, the picker of files. */

const page = `data:text/html,${encodeURIComponent(`<title>links</title>
  <a id="here" href="data:text/html,here">here</a> <a id="blank" target="_blank" href="https://example.com/blank">blank</a>
  <a id="link" href="https://example.com/link">link</a> <input type="file">`)}`;

test('the app is asked about every window that a page opens, however it does', async ({ electron }) => {
  await electron.evaluate(async ({ WebContentsView, app }, url) => {
    await app.whenReady();
    const { webContents: contents } = new WebContentsView();
    const asked: unknown[] = [];
    Reflect.set(globalThis, 'asked', asked);
    contents.setWindowOpenHandler(({ url: wanted, disposition }) => {
      asked.push([wanted, disposition]);
      return { action: 'deny' };
    });
    await contents.loadURL(url);
  }, page);
  const asked = () => electron.evaluate(() => Reflect.get(globalThis, 'asked') as unknown[]);
  const find = () => electron.windows().find((one) => one.url().startsWith('data:'));
  await expect.poll(() => find() !== undefined).toBe(true);
  const game = find();
  if (game === undefined) throw new Error('There is no page.');
  const told: unknown[] = [];
  const opens = async (work: () => Promise<unknown>, url: string, disposition: string) => {
    await work();
    told.push([url, disposition]);
    await expect.poll(asked).toEqual(told);
  };
  await opens(
    () => game.evaluate(() => void window.open('https://example.com/open')),
    'https://example.com/open',
    'foreground-tab',
  );
  await opens(() => game.click('#blank'), 'https://example.com/blank', 'foreground-tab');
  await opens(() => game.click('#link', { button: 'middle' }), 'https://example.com/link', 'background-tab');
  await opens(() => game.click('#link', { modifiers: ['Control'] }), 'https://example.com/link', 'background-tab');
  await opens(() => game.click('#link', { modifiers: ['Shift'] }), 'https://example.com/link', 'new-window');
});

test('a dialog that is switched off is answered at once, and the debugger is told of it', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app }, url) => {
    await app.whenReady();
    const { webContents: contents } = new WebContentsView({ webPreferences: { disableDialogs: true } });
    contents.debugger.attach();
    const log: unknown[] = [];
    contents.debugger.on('message', (_event, method, { type, message }: { type: string; message: string }) => {
      if (method === 'Page.javascriptDialogOpening') log.push([type, message]);
    });
    void contents.debugger.sendCommand('Page.enable');
    await contents.loadURL(url);
    log.push(await contents.executeJavaScript("[alert('a'), confirm('b')]"));
    return log;
  }, page);
  expect(told).toEqual([
    ['alert', 'a'],
    ['confirm', 'b'],
    [undefined, false],
  ]);
});

test('the picker of files is told of, and not shown, where the debugger takes it', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app }, url) => {
    await app.whenReady();
    const { webContents: contents } = new WebContentsView();
    contents.debugger.attach();
    const opened = new Promise<unknown>((resolve) => {
      contents.debugger.on('message', (_event, method, { mode }: { mode: string }) => {
        if (method === 'Page.fileChooserOpened') resolve(mode);
      });
    });
    void contents.debugger.sendCommand('Page.enable');
    void contents.debugger.sendCommand('Page.setInterceptFileChooserDialog', { enabled: true });
    await contents.loadURL(url);
    await contents.executeJavaScript("document.querySelector('input').click()", true);
    return opened;
  }, page);
  expect(told).toBe('selectSingle');
});
