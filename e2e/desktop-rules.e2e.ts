import { expect } from '@playwright/test';
import { startGameProxy } from '#core/network/game-proxy.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { test } from './rules.ts';

test.use({ shares: true });

const page = (title: string) => `data:text/html,<title>${title}</title>`;

test('a command of the debugger is answered after the first navigation and not before (#14810)', async ({ electron }) => {
  const told = await electron.evaluate(
    async ({ WebContentsView, app }, [first = '', other = '']) => {
      await app.whenReady();
      const { webContents: contents } = new WebContentsView();
      const log: string[] = [];
      contents.debugger.attach();
      const answered = contents.debugger.sendCommand('Page.enable').then(() => log.push('answered'));
      // As long as another page takes to load from beginning to end.
      await new WebContentsView().webContents.loadURL(other);
      log.push('another page has loaded');
      await contents.loadURL(first);
      await answered;
      return log;
    },
    [page('first'), page('other')],
  );
  expect(told).toEqual(['another page has loaded', 'answered']);
});

test('a command of the debugger fails if the page goes before its first navigation', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app }) => {
    await app.whenReady();
    const { webContents: contents } = new WebContentsView();
    contents.debugger.attach();
    const answered = contents.debugger.sendCommand('Page.enable').then(String, String);
    contents.close();
    return answered;
  });
  expect(told).toBe('Error: target closed while handling command');
});

test.describe('a page of a server', () => {
  let server: TestServer;
  test.beforeAll(async () => {
    server = await startHttpsServer(({ request }, response) => {
      const to = new URL(request.url ?? '', 'https://localhost').searchParams.get('to');
      if (to !== null) response.writeHead(302, { location: to }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>here</title>');
    });
  });
  test.afterAll(() => server.close());

  test('a redirect is asked about before it is told of, and one that is refused is told of no further', async ({ electron }) => {
    const { there, refused } = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
      await app.whenReady();
      session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
      const { webContents: contents } = new WebContentsView();
      let log: string[] = [];
      const follow = (name: string) => contents.on(name as 'did-finish-load', () => void log.push(name));
      contents.on('will-redirect', (event) => {
        if (event.url.endsWith('/refused')) event.preventDefault();
      });
      const asked = ['did-start-navigation', 'will-redirect', 'did-redirect-navigation'];
      [...asked, 'did-frame-navigate', 'did-navigate', 'did-frame-finish-load', 'did-fail-load'].forEach(follow);
      await contents.loadURL(`${origin}/?to=/there`);
      const there = log;
      log = [];
      const stop = () => new Promise<void>((resolve) => contents.once('did-stop-loading', () => resolve()));
      if (contents.isLoading()) await stop();
      const stopped = stop();
      contents.loadURL(`${origin}/?to=/refused`).catch(() => undefined);
      await stopped;
      return { there, refused: log };
    }, server.baseUrl);
    const loads = ['did-frame-navigate', 'did-navigate', 'did-frame-finish-load'];
    expect(there).toEqual(['did-start-navigation', 'will-redirect', 'did-redirect-navigation', ...loads]);
    expect(refused).toEqual(['did-start-navigation', 'will-redirect']);
  });

  test('a refused request fails with -20, its error page loads, and nothing was navigated to', async ({ electron }) => {
    const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
      await app.whenReady();
      session.defaultSession.webRequest.onBeforeRequest((_details, done) => done({ cancel: true }));
      const { webContents: contents } = new WebContentsView();
      const log: unknown[] = [];
      contents.on('did-fail-load', (_event, code, text, url, main) => void log.push([code, text, url, main]));
      contents.on('did-navigate', (_event, url) => void log.push(url));
      const loaded = new Promise<void>((resolve) => contents.once('did-finish-load', () => resolve()));
      contents.loadURL(`${origin}/x`).catch(() => undefined);
      await loaded;
      return log;
    }, server.baseUrl);
    expect(told).toEqual([[-20, 'ERR_BLOCKED_BY_CLIENT', `${server.baseUrl}/x`, true]]);
  });

  test('a zoom has no effect before the first page, and is kept over hosts only where it is isolated', async ({ electron }) => {
    const other = server.baseUrl.replace('localhost', '127.0.0.1');
    const told = await electron.evaluate(
      async ({ WebContentsView, app, session }, [origin = '', elsewhere = '']) => {
        await app.whenReady();
        session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
        const log: number[] = [];
        for (const zoomMode of [undefined, 'isolated'] as const) {
          const webPreferences = zoomMode === undefined ? {} : { zoomMode };
          const { webContents: contents } = new WebContentsView({ webPreferences });
          contents.setZoomFactor(0.5);
          await contents.loadURL(origin);
          log.push(contents.getZoomFactor());
          contents.setZoomFactor(0.5);
          log.push(contents.getZoomFactor());
          await contents.loadURL(elsewhere);
          log.push(contents.getZoomFactor());
        }
        return log;
      },
      [server.baseUrl, other],
    );
    expect(told).toEqual([1, 0.5, 1, 1, 0.5, 0.5]);
  });

  test('a session goes through its proxy to this machine, too, and asks for the password once', async ({ electron }) => {
    const asked: string[] = [];
    const proxy = await startGameProxy({
      judge(url) {
        asked.push(url);
        return Promise.resolve({ ok: true, addresses: ['127.0.0.1'] });
      },
      onEvent: () => undefined,
    });
    try {
      const told = await electron.evaluate(
        async ({ WebContentsView, app, session }, { origin, port, username, password }) => {
          await app.whenReady();
          const own = session.fromPartition('behind');
          own.setCertificateVerifyProc((_request, done) => done(0));
          const logins: unknown[] = [];
          app.on('login', (event, _contents, { firstAuthAttempt }, { isProxy, host, port: at }, answer) => {
            event.preventDefault();
            logins.push({ firstAuthAttempt, isProxy, host, port: at });
            answer(username, password);
          });
          const rules = `127.0.0.1:${port}`;
          await own.setProxy({ mode: 'fixed_servers', proxyRules: rules, proxyBypassRules: '<-loopback>' });
          const resolved = await own.resolveProxy(origin);
          const { webContents: contents } = new WebContentsView({ webPreferences: { partition: 'behind' } });
          await contents.loadURL(origin);
          await contents.loadURL(`${origin}/again`);
          return { resolved, logins, title: await contents.executeJavaScript('document.title') };
        },
        { origin: server.baseUrl, port: proxy.port, username: proxy.username, password: proxy.password },
      );
      expect(told).toEqual({
        resolved: `PROXY 127.0.0.1:${proxy.port}`,
        logins: [{ firstAuthAttempt: true, isProxy: true, host: '127.0.0.1', port: proxy.port }],
        title: 'here',
      });
      expect(new Set(asked)).toEqual(new Set([`${server.baseUrl}/`]));
    } finally {
      await proxy.close();
    }
  });

  test('clearing the storage leaves nothing of an origin', async ({ electron }) => {
    const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
      await app.whenReady();
      const own = session.fromPartition('kept');
      own.setCertificateVerifyProc((_request, done) => done(0));
      const read = "[document.cookie, localStorage.getItem('seen')]";
      const open = async () => {
        const { webContents: contents } = new WebContentsView({ webPreferences: { partition: 'kept' } });
        await contents.loadURL(origin);
        return contents;
      };
      const first = await open();
      await first.executeJavaScript("document.cookie = 'seen=yes; Secure'; localStorage.setItem('seen', 'yes')");
      const closed = new Promise<void>((resolve) => first.once('destroyed', () => resolve()));
      first.close();
      await closed;
      const kept: unknown = await (await open()).executeJavaScript(read);
      await own.clearStorageData();
      return [kept, await (await open()).executeJavaScript(read)] as unknown[];
    }, server.baseUrl);
    expect(told).toEqual([
      ['seen=yes', 'yes'],
      ['', null],
    ]);
  });
});
