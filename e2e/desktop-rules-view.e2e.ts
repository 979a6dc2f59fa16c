import { expect, type ElectronApplication, type Page } from '@playwright/test';
import { test } from './rules.ts';

test.use({ shares: true });

/** Waits for the page of the program with this title. */
async function pageOf(electron: ElectronApplication, title: string): Promise<Page> {
  let found: Page | undefined;
  const look = async () => {
    for (const page of electron.windows()) if ((await page.title()) === title) found = page;
    return found !== undefined;
  };
  await expect.poll(look, { message: title }).toBe(true);
  if (found === undefined) throw new Error(`There is no page ${title}.`);
  return found;
}

/** A page that records its events. */
const watched = `data:text/html,<title>watched</title><body style="margin:0"><script>
  const log = [];
  document.addEventListener('visibilitychange', () => log.push(document.visibilityState));
  const turned = (state) => new Promise((resolve) => {
    if (document.visibilityState === state) return resolve(log.splice(0));
    document.addEventListener('visibilitychange', () => document.visibilityState === state && resolve(log.splice(0)));
  });
</script>`;

test('a view that is not seen is hidden to its page: made invisible, without size, outside, minimised, hidden with its window', async ({
  electron,
}) => {
  const told = await electron.evaluate(async ({ BrowserWindow, WebContentsView, app }, url) => {
    await app.whenReady();
    const window = new BrowserWindow({ width: 600, height: 400 });
    await window.loadURL('data:text/html,<title>window</title>');
    const view = new WebContentsView();
    const place = { x: 10, y: 10, width: 300, height: 200 };
    view.setBounds(place);
    window.contentView.addChildView(view);
    const { webContents: contents } = view;
    await contents.loadURL(url);
    const log: unknown[] = [await contents.executeJavaScript('document.visibilityState')];
    const see = async (name: string, hide: () => void, show: () => void) => {
      hide();
      const hidden: unknown = await contents.executeJavaScript("turned('hidden')");
      show();
      log.push([name, hidden, await contents.executeJavaScript("turned('visible')")]);
    };
    await see(
      'setVisible',
      () => view.setVisible(false),
      () => view.setVisible(true),
    );
    await see(
      'no size',
      () => view.setBounds({ ...place, width: 0, height: 0 }),
      () => view.setBounds(place),
    );
    await see(
      'outside',
      () => view.setBounds({ ...place, x: 5_000 }),
      () => view.setBounds(place),
    );
    await see(
      'removed',
      () => window.contentView.removeChildView(view),
      () => window.contentView.addChildView(view),
    );
    await see(
      'minimised',
      () => window.minimize(),
      () => window.restore(),
    );
    await see(
      'hidden window',
      () => window.hide(),
      () => window.show(),
    );
    return log;
  }, watched);
  const each = (name: string) => [name, ['hidden'], ['visible']];
  const ways = ['setVisible', 'no size', 'outside', 'removed', 'minimised', 'hidden window'];
  expect(told).toEqual(['visible', ...ways.map(each)]);
});

test('a hidden page draws nothing, and goes on where it stopped', async ({ electron }) => {
  const told = await electron.evaluate(async ({ BrowserWindow, WebContentsView, app }, url) => {
    await app.whenReady();
    const window = new BrowserWindow({ width: 600, height: 400 });
    const view = new WebContentsView();
    view.setBounds({ x: 0, y: 0, width: 300, height: 200 });
    window.contentView.addChildView(view);
    const { webContents: contents } = view;
    await contents.loadURL(url);
    view.setVisible(false);
    await contents.executeJavaScript("turned('hidden')");
    // Timers run, slowed; a requested frame would have come before one of them.
    await contents.executeJavaScript(
      "new Promise((resolve) => { requestAnimationFrame(() => log.push('frame')); setTimeout(() => { log.push('timer'); resolve(); }, 100); })",
    );
    view.setVisible(true);
    return contents.executeJavaScript('new Promise((resolve) => requestAnimationFrame(() => resolve(log)))') as Promise<string[]>;
  }, watched);
  expect(told).toEqual(['timer', 'visible', 'frame']);
});

test('a page takes the keyboard when it commits, unless focusOnNavigation is false; a focused window gives it to its own page', async ({
  electron,
}) => {
  const told = await electron.evaluate(async ({ BrowserWindow, WebContentsView, app }, url) => {
    await app.whenReady();
    const window = new BrowserWindow({ width: 600, height: 400 });
    await window.loadURL(url);
    window.focus();
    const log: unknown[] = [];
    for (const webPreferences of [{}, { focusOnNavigation: false }]) {
      window.webContents.focus();
      const view = new WebContentsView({ webPreferences });
      view.setBounds({ x: 0, y: 0, width: 300, height: 200 });
      window.contentView.addChildView(view);
      await view.webContents.loadURL(url);
      log.push([window.webContents.isFocused(), view.webContents.isFocused()]);
    }
    const [first] = window.contentView.children as Electron.WebContentsView[];
    first?.webContents.focus();
    const other = new BrowserWindow({ width: 300, height: 200 });
    other.focus();
    window.focus();
    log.push([window.webContents.isFocused(), first?.webContents.isFocused()]);
    return log;
  }, watched);
  expect(told).toEqual([
    [false, true],
    [true, false],
    [true, false],
  ]);
});

test('an element of a page fills the window, and with disableHtmlFullscreenWindowResize its view alone; Escape leaves', async ({
  electron,
}) => {
  const told = async (name: string) => electron.evaluate((_electron, key) => Reflect.get(globalThis, key) as unknown, name);
  for (const [resizes, disableHtmlFullscreenWindowResize] of [
    [true, false],
    [false, true],
  ]) {
    await electron.evaluate(
      async ({ BrowserWindow, WebContentsView, app, session }, [preference, url]) => {
        await app.whenReady();
        const log: unknown[] = [];
        Reflect.set(globalThis, 'log', log);
        session.defaultSession.setPermissionRequestHandler((_contents, permission, done) => {
          log.push(permission);
          done(true);
        });
        const window = new BrowserWindow({ width: 600, height: 400 });
        const view = new WebContentsView({ webPreferences: { disableHtmlFullscreenWindowResize: preference === 'true' } });
        view.setBounds({ x: 0, y: 0, width: 300, height: 200 });
        window.contentView.addChildView(view);
        view.webContents.on('enter-html-full-screen', () => log.push(['enter', window.isFullScreen(), view.getBounds().width]));
        view.webContents.on('leave-html-full-screen', () => log.push(['leave', window.isFullScreen()]));
        await view.webContents.loadURL(url ?? '');
      },
      [
        String(disableHtmlFullscreenWindowResize),
        `data:text/html,<title>${resizes}</title><button onclick="document.body.requestFullscreen()">all</button>`,
      ],
    );
    const page = await pageOf(electron, String(resizes));
    await page.getByRole('button').click();
    await expect.poll(() => told('log')).toEqual(['fullscreen', ['enter', resizes, 300]]);
    await page.keyboard.press('Escape');
    await expect.poll(() => told('log')).toEqual(['fullscreen', ['enter', resizes, 300], ['leave', false]]);
  }
});

test('a page is asked about full screen after a gesture only', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }) => {
    await app.whenReady();
    const asked: string[] = [];
    session.defaultSession.setPermissionRequestHandler((_contents, permission, done) => {
      asked.push(permission);
      done(true);
    });
    const { webContents: contents } = new WebContentsView();
    await contents.loadURL('data:text/html,<title>here</title>');
    const refused: unknown = await contents.executeJavaScript(
      'document.body.requestFullscreen().then(() => "yes", ({ name }) => name)',
    );
    return [refused, asked];
  });
  expect(told).toEqual(['TypeError', []]);
});

test('sound needs no gesture, and with autoplayPolicy document-user-activation-required it does', async ({ electron }) => {
  const sounding = (name: string) => `data:text/html,<title>${name}</title><button>sound</button><output></output><script>
    const context = new AudioContext();
    context.onstatechange = () => (document.querySelector('output').textContent = context.state);
    addEventListener('click', () => void context.resume());
  </script>`;
  await electron.evaluate(
    async ({ BrowserWindow, WebContentsView, app }, [free = '', bound = '']) => {
      await app.whenReady();
      const window = new BrowserWindow({ width: 600, height: 400 });
      const open = async (url: string, webPreferences: Electron.WebPreferences) => {
        const view = new WebContentsView({ webPreferences });
        view.setBounds({ x: 0, y: 0, width: 300, height: 200 });
        window.contentView.addChildView(view);
        await view.webContents.loadURL(url);
      };
      await open(bound, { autoplayPolicy: 'document-user-activation-required' });
      await open(free, {});
    },
    [sounding('free'), sounding('bound')],
  );
  const [free, bound] = [await pageOf(electron, 'free'), await pageOf(electron, 'bound')];
  await expect(free.locator('output')).toHaveText('running');
  await expect(bound.locator('output')).not.toHaveText('running');
  await bound.getByRole('button').click();
  await expect(bound.locator('output')).toHaveText('running');
});

test('the protocol takes a picture at any scale, and waits while nothing is drawn', async ({ electron }) => {
  const told = await electron.evaluate(async ({ BrowserWindow, WebContentsView, app }, url) => {
    await app.whenReady();
    const window = new BrowserWindow({ width: 600, height: 400 });
    const view = new WebContentsView({ webPreferences: { zoomMode: 'isolated' } });
    const place = { x: 0, y: 0, width: 200, height: 100 };
    view.setBounds(place);
    window.contentView.addChildView(view);
    const { webContents: contents } = view;
    await contents.loadURL(url);
    contents.setZoomFactor(0.5);
    contents.debugger.attach();
    const take = async (): Promise<unknown> => {
      const clip = { ...place, scale: 2 };
      const { data } = (await contents.debugger.sendCommand('Page.captureScreenshot', { format: 'png', clip })) as {
        data: string;
      };
      // A PNG's first chunk begins with width and height.
      const png = Buffer.from(data, 'base64');
      return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
    };
    const scaled = await take();
    view.setVisible(false);
    await contents.executeJavaScript("turned('hidden')");
    const log: unknown[] = [];
    const waits = take().then((size) => log.push(size));
    await contents.executeJavaScript('0');
    log.push('shown');
    view.setVisible(true);
    await waits;
    return { scaled, log };
  }, watched);
  expect(told).toEqual({
    scaled: { width: 400, height: 200 },
    log: ['shown', { width: 400, height: 200 }],
  });
});
