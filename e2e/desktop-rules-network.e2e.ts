import { expect } from '@playwright/test';
import { startHttpsServer, startTcpServer, type TestServer } from '#testing/https-server.ts';
import { test } from './rules.ts';

/** Rules of Electron's about the network of its sessions. */
test.describe('a switch for Chromium', () => {
  test.use({
    program: `const { app } = require('electron');
app.commandLine.appendSwitch('force-device-scale-factor', '2');
app.on('window-all-closed', () => undefined);
`,
  });

  test("counts when it is appended before the program's first turn is over", async ({ electron }) => {
    const ratio = await electron.evaluate(async ({ WebContentsView, app }) => {
      await app.whenReady();
      const { webContents: contents } = new WebContentsView();
      await contents.loadURL('data:text/html,x');
      return contents.executeJavaScript('devicePixelRatio') as Promise<number>;
    });
    expect(ratio).toBe(2);
  });
});

test.describe('a session', () => {
  test.use({ shares: true });

  let server: TestServer;
  test.beforeAll(async () => {
    server = await startHttpsServer(({ request }, response) => {
      const { pathname } = new URL(request.url ?? '/', 'https://localhost');
      const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
      const bodies: Record<string, string> = {
        '/service.js': "fetch('/of-a-service-worker'); oninstall = () => skipWaiting();",
        '/shared.js': "fetch('/of-a-shared-worker');",
      };
      if (pathname === '/moved') return void response.writeHead(302, { location: '/here' }).end();
      response.writeHead(200, { 'content-type': type }).end(bodies[pathname] ?? '<title>here</title>');
    });
  });
  test.afterAll(() => server.close());

  test('sees in webRequest what shared and service workers ask for, and whose contents they are not', async ({ electron }) => {
    const seen = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
      await app.whenReady();
      session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
      const wanted = new Set(['/of-a-service-worker', '/of-a-shared-worker']);
      const log: Record<string, boolean> = {};
      const all = new Promise<void>((resolve) =>
        session.defaultSession.webRequest.onBeforeRequest(({ url, webContentsId }, done) => {
          const { pathname } = new URL(url);
          if (wanted.delete(pathname)) log[pathname] = webContentsId === undefined;
          if (wanted.size === 0) resolve();
          done({});
        }),
      );
      const { webContents: contents } = new WebContentsView();
      await contents.loadURL(origin);
      await contents.executeJavaScript(
        "void new SharedWorker('/shared.js'); void navigator.serviceWorker.register('/service.js'); 1",
      );
      await all;
      return log;
    }, server.baseUrl);
    expect(seen).toEqual({ '/of-a-service-worker': true, '/of-a-shared-worker': true });
  });

  test('gives a request one number in all its events, through a redirect, and none to what the page itself refuses', async ({
    electron,
  }) => {
    const seen = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
      await app.whenReady();
      const own = session.fromPartition('numbers');
      own.setCertificateVerifyProc((_request, done) => done(0));
      const log: [event: string, id: number, place: string][] = [];
      const note = (event: string, { id, url }: { id: number; url: string }) => log.push([event, id, url.replace(origin, '')]);
      own.webRequest.onBeforeRequest((details, done) => {
        note('asked', details);
        done({ cancel: details.url.endsWith('/cancelled') });
      });
      own.webRequest.onHeadersReceived((details, done) => {
        note('head', details);
        done({});
      });
      own.webRequest.onSendHeaders((details) => {
        if (Object.keys(details.requestHeaders).some((name) => name.toLowerCase() === 'user-agent')) note('sent', details);
      });
      own.webRequest.onBeforeRedirect((details) => note('redirected', details));
      own.webRequest.onCompleted((details) => note('completed', details));
      own.webRequest.onErrorOccurred((details) => note('failed', details));
      const { webContents: contents } = new WebContentsView({ webPreferences: { partition: 'numbers' } });
      await contents.loadURL(origin);
      await contents.executeJavaScript("fetch('http://nowhere.example/mixed').catch(() => 0)");
      await contents.executeJavaScript("fetch('/moved').then((response) => response.text()).then(() => 0)");
      await contents.executeJavaScript("fetch('/cancelled').catch(() => 0)");
      return log.filter(([, , place]) => place !== '/' && !place.endsWith('.ico'));
    }, server.baseUrl);
    const [first] = seen;
    // The double tells of the redirect after the request that it leads to.
    const asked = seen.filter(([event]) => event === 'asked');
    expect(asked).toEqual([
      ['asked', first?.[1], '/moved'],
      ['asked', first?.[1], '/here'],
      ['asked', expect.any(Number), '/cancelled'],
    ]);
    expect(seen.filter(([event]) => event === 'sent')).toEqual([
      ['sent', first?.[1], '/moved'],
      ['sent', first?.[1], '/here'],
    ]);
    expect(seen.filter(([event]) => event !== 'asked' && event !== 'sent')).toEqual([
      ['head', first?.[1], '/moved'],
      ['redirected', first?.[1], '/moved'],
      ['head', first?.[1], '/here'],
      ['completed', first?.[1], '/here'],
      ['failed', expect.any(Number), '/cancelled'],
    ]);
  });

  test('tells of a preconnect, and makes none', async ({ electron }) => {
    let connections = 0;
    const other = await startTcpServer(() => (connections += 1));
    try {
      const told = await electron.evaluate(
        async ({ WebContentsView, app, session }, [origin = '', wanted = '']) => {
          await app.whenReady();
          session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
          const asked = new Promise<string>((resolve) => session.defaultSession.on('preconnect', (_event, url) => resolve(url)));
          const { webContents: contents } = new WebContentsView();
          await contents.loadURL(origin);
          await contents.executeJavaScript(
            `document.head.append(Object.assign(document.createElement('link'), { rel: 'preconnect', href: '${wanted}' })); 1`,
          );
          return asked;
        },
        [server.baseUrl, other.baseUrl],
      );
      expect(told).toBe(`${other.baseUrl}/`);
      expect(connections).toBe(0);
    } finally {
      await other.close();
    }
  });

  test('refuses a filter without addresses, and one that is not a pattern', async ({ electron }) => {
    const told = await electron.evaluate(async ({ app, session }) => {
      await app.whenReady();
      const { webRequest } = session.defaultSession;
      const listen = (filter: object) => {
        try {
          webRequest.onBeforeRequest(filter as Electron.WebRequestFilter, (_details, done) => done({}));
          return 'taken';
        } catch (error) {
          return (error as Error).name;
        }
      };
      return [listen({}), listen({ urls: ['nonsense'] }), listen({ urls: ['<all_urls>', 'https://*/*', '*://a.example/x'] })];
    });
    expect(told).toEqual(['TypeError', 'TypeError', 'taken']);
  });

  test('keeps its verdict on a certificate, whatever is asked or emptied after it (#41448)', async ({ electron }) => {
    const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
      await app.whenReady();
      const own = session.fromPartition('verdicts');
      const asked: string[] = [];
      const open = async () => {
        const { webContents: contents } = new WebContentsView({ webPreferences: { partition: 'verdicts' } });
        const outcome = await contents.loadURL(origin).then(() => 'loaded', String);
        contents.close();
        return outcome;
      };
      own.setCertificateVerifyProc((_request, done) => {
        asked.push('first');
        done(0);
      });
      const before = await open();
      own.setCertificateVerifyProc((_request, done) => {
        asked.push('second');
        done(-2);
      });
      await own.closeAllConnections();
      await own.clearStorageData();
      await own.clearCache();
      return { before, after: await open(), asked };
    }, server.baseUrl);
    expect(told).toEqual({ before: 'loaded', after: 'loaded', asked: ['first'] });
  });
});
