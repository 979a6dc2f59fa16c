import { expect } from '@playwright/test';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { test } from './rules.ts';

test.use({ shares: true });

/** Electron's events of a navigation, and the events that it does not emit. */

let server: TestServer;
test.beforeAll(async () => {
  server = await startHttpsServer(({ request }, response) => {
    const { pathname } = new URL(request.url ?? '', 'https://localhost');
    if (pathname === '/nothing') response.writeHead(204).end();
    else if (pathname === '/empty') response.writeHead(404).end();
    else if (pathname === '/gone') response.destroy();
    else if (pathname === '/never') return;
    else if (pathname === '/broken') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '9000' });
      response.write(`<title>broken</title>${' '.repeat(2_000)}`, () => response.destroy());
    } else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>here</title><form method="post"></form>');
  });
});
test.afterAll(() => server.close());

test('who begins a navigation decides what is asked about it', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
    await app.whenReady();
    session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
    const { webContents: contents } = new WebContentsView();
    let log: string[] = [];
    const names = ['did-start-navigation', 'will-frame-navigate', 'will-navigate', 'did-navigate', 'did-navigate-in-page'];
    for (const name of names) contents.on(name as 'did-finish-load', () => void log.push(name.replace(/did-|will-/, '')));
    const loads = async (work: () => unknown) => {
      log = [];
      const stopped = new Promise<void>((resolve) => contents.once('did-stop-loading', () => resolve()));
      await work();
      await stopped;
      return log.join(' ');
    };
    const script = (code: string) => () => contents.executeJavaScript(`${code}; 0`);
    return {
      loadURL: await loads(() => contents.loadURL(`${origin}/a`)),
      location: await loads(script("location.href = '/b'")),
      'location.reload': await loads(script('location.reload()')),
      back: await loads(script('history.back()')),
      reload: await loads(() => contents.reload()),
      forward: await loads(script('history.forward()')),
      pushState: await loads(script("history.pushState({}, '', '/c')")),
      blank: await loads(script("location.href = 'about:blank'")),
      nothing: await loads(() => contents.loadURL(`${origin}/nothing`).catch(() => undefined)),
    };
  }, server.baseUrl);
  expect(told).toEqual({
    loadURL: 'start-navigation navigate',
    location: 'start-navigation frame-navigate navigate navigate',
    'location.reload': 'start-navigation frame-navigate navigate navigate',
    back: 'start-navigation navigate',
    reload: 'start-navigation navigate',
    forward: 'start-navigation navigate',
    pushState: 'start-navigation navigate-in-page',
    blank: 'start-navigation navigate',
    nothing: 'start-navigation',
  });
});

test('a page that cannot be loaded fails twice, is nowhere, and finishes loading; one that breaks off fails without words', async ({
  electron,
}) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
    await app.whenReady();
    session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
    const { webContents: contents } = new WebContentsView();
    let log: unknown[] = [];
    contents.on('did-fail-provisional-load', (_event, code, text) => void log.push(['provisional', code, text]));
    contents.on('did-fail-load', (_event, code, text, _url, main) => void log.push(['failed', code, text, main]));
    contents.on('did-navigate', (_event, _url, status) => void log.push(['navigated', status]));
    contents.on('did-finish-load', () => void log.push('finished'));
    const load = async (url: string) => {
      log = [];
      const stopped = new Promise<void>((resolve) => contents.once('did-stop-loading', () => resolve()));
      const outcome = await contents.loadURL(url).then(
        () => 'loaded',
        ({ code, errno }: { code: string; errno: number }) => `${code} ${errno}`,
      );
      await stopped;
      return [...log, outcome, contents.getURL().replace(origin, '')];
    };
    return {
      gone: await load(`${origin}/gone`),
      empty: await load(`${origin}/empty`),
      blank: await load('about:blank'),
      broken: await load(`${origin}/broken`),
      nothing: await load(`${origin}/nothing`),
    };
  }, server.baseUrl);
  const page = (name: string, code: number) => [['provisional', code, name], ['failed', code, name, true], 'finished'];
  expect(told).toEqual({
    gone: [...page('ERR_EMPTY_RESPONSE', -324), 'ERR_EMPTY_RESPONSE -324', '/gone'],
    empty: [...page('ERR_HTTP_RESPONSE_CODE_FAILURE', -379), 'ERR_HTTP_RESPONSE_CODE_FAILURE -379', '/empty'],
    blank: [['navigated', -1], 'finished', 'loaded', 'about:blank'],
    broken: [['navigated', 200], ['failed', -354, '', true], ' -354', '/broken'],
    nothing: ['ERR_FAILED -2', '/broken'],
  });
});

test('a page that cannot be loaded is warned of with its whole address', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
    await app.whenReady();
    session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
    const warned = new Promise<unknown>((resolve) => {
      process.once('warning', ({ name, message }) => resolve([name, message]));
    });
    new WebContentsView().webContents.loadURL(`${origin}/gone?token=x`).catch(() => undefined);
    return warned;
  }, server.baseUrl);
  const message = `Failed to load URL: ${server.baseUrl}/gone?token=x with error: ERR_EMPTY_RESPONSE`;
  expect(told).toEqual(['electron', message]);
});

test('what waits for a page hears that another came, or that there will be none', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
    await app.whenReady();
    session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
    const { webContents: contents } = new WebContentsView();
    const outcome = (work: Promise<void>) => work.then(String, ({ code }: { code: string }) => code);
    const first = outcome(contents.loadURL(`${origin}/first`));
    const started = new Promise<void>((resolve) => contents.once('did-start-navigation', () => resolve()));
    await started;
    const second = outcome(contents.loadURL(`${origin}/second`));
    const both = [await first, await second];
    // A load that was begun before does not belong to the next one, however late the browser reports it.
    const together = ['/third', '/fourth'].map((path) => outcome(contents.loadURL(`${origin}${path}`)));
    both.push(...(await Promise.all(together)));
    const last = outcome(contents.loadURL(`${origin}/never`));
    contents.close();
    return [...both, await last];
  }, server.baseUrl);
  expect(told).toEqual(['ERR_ABORTED', 'undefined', 'ERR_ABORTED', 'undefined', 'ERR_FAILED']);
});

test('a page that a form brought is not loaded again', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
    await app.whenReady();
    session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
    const { webContents: contents } = new WebContentsView();
    const loads = async (work: () => unknown) => {
      const finished = new Promise<void>((resolve) => contents.once('did-finish-load', () => resolve()));
      await work();
      await finished;
    };
    const log: string[] = [];
    await contents.loadURL(`${origin}/form`);
    await loads(() => contents.executeJavaScript('document.forms[0].submit()'));
    contents.on('did-start-navigation', ({ url }) => void log.push(url.replace(origin, '')));
    contents.reload();
    await loads(() => contents.loadURL(`${origin}/after`));
    await loads(() => contents.reload());
    return log;
  }, server.baseUrl);
  expect(told).toEqual(['/after', '/after']);
});

test('a page asks before it is loaded again, too, and whoever lets it go lets it load', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
    await app.whenReady();
    session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
    const { webContents: contents } = new WebContentsView();
    await contents.loadURL(`${origin}/a`);
    await contents.executeJavaScript('onbeforeunload = (event) => event.preventDefault(); 0', true);
    const asked = new Promise<void>((resolve) => {
      contents.once('will-prevent-unload', (event) => {
        event.preventDefault();
        resolve();
      });
    });
    const loaded = new Promise<void>((resolve) => contents.once('did-finish-load', () => resolve()));
    contents.reload();
    await Promise.all([asked, loaded]);
    return contents.executeJavaScript('typeof onbeforeunload');
  }, server.baseUrl);
  expect(told).toBe('object');
});

test('a page may close itself while it is the only one of its history', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
    await app.whenReady();
    session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
    const { webContents: contents } = new WebContentsView();
    await contents.loadURL(`${origin}/a`);
    const back = contents.navigationHistory.canGoBack();
    // The page's own process hears of its history a moment later.
    while ((await contents.executeJavaScript('history.length')) !== 1);
    const gone = new Promise<void>((resolve) => contents.once('destroyed', () => resolve()));
    contents.executeJavaScript('window.close()').catch(() => undefined);
    await gone;
    return [back, contents.isDestroyed()];
  }, server.baseUrl);
  expect(told).toEqual([false, true]);
});

test('a history that is cleared when a page comes has that page alone, which may then close itself', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
    await app.whenReady();
    session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
    const { webContents: contents } = new WebContentsView();
    await contents.loadURL(`${origin}/a`);
    const back: boolean[] = [];
    contents.once('did-navigate', () => {
      contents.navigationHistory.clear();
      back.push(contents.navigationHistory.canGoBack());
    });
    await contents.loadURL(`${origin}/b`);
    while ((await contents.executeJavaScript('history.length')) !== 1);
    const gone = new Promise<void>((resolve) => contents.once('destroyed', () => resolve()));
    contents.executeJavaScript('window.close()').catch(() => undefined);
    await gone;
    return back;
  }, server.baseUrl);
  expect(told).toEqual([false]);
});

test.describe('A program of its own', () => {
  // A session keeps its verdict on a certificate.
  test.use({ shares: false });

  test('a proc for certificates that throws is caught by nobody', async ({ electron }) => {
    const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
      await app.whenReady();
      session.defaultSession.setCertificateVerifyProc(() => {
        throw new Error('no environment');
      });
      const caught = new Promise<string>((resolve) => {
        process.once('uncaughtException', (error) => resolve(error.message));
      });
      const { webContents: contents } = new WebContentsView();
      contents.loadURL(`${origin}/a`).catch(() => undefined);
      return caught;
    }, server.baseUrl);
    expect(told).toBe('no environment');
  });
});
