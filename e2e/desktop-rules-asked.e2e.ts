import { expect } from '@playwright/test';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { test } from './rules.ts';

test.use({ shares: true });

/** Requests of a server's page to Electron, and what it does not get a second time. */

let server: TestServer;
test.beforeAll(async () => {
  server = await startHttpsServer(({ request }, response) => {
    const form = '<form method="post" action="/posted"><button>go</button></form>';
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${request.method} ${request.url}</title>${form}`);
  });
});
test.afterAll(() => server.close());

test('a screen is asked for as media first; no screen is null, and nothing at all is a mistake', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
    await app.whenReady();
    const own = session.fromPartition('screens');
    own.setCertificateVerifyProc((_request, done) => done(0));
    const log: string[] = [];
    const twice = new Set<string>();
    let grants = false;
    own.setPermissionRequestHandler((_contents, permission, done) => {
      log.push(permission);
      done(grants);
      try {
        done(true);
      } catch (error) {
        twice.add((error as Error).name);
      }
    });
    let streams: Electron.Streams | null = null;
    own.setDisplayMediaRequestHandler((_request, done) => {
      try {
        done(streams as never);
        log.push('refused');
      } catch (error) {
        log.push(String(error));
      }
    });
    const { webContents: contents } = new WebContentsView({ webPreferences: { partition: 'screens' } });
    await contents.loadURL(origin);
    const ask = "navigator.mediaDevices.getDisplayMedia({ video: true }).then(() => 'seen', ({ name }) => name)";
    const outcomes: unknown[] = [await contents.executeJavaScript(ask, true)];
    grants = true;
    outcomes.push(await contents.executeJavaScript(ask, true));
    streams = {};
    outcomes.push(await contents.executeJavaScript(ask, true));
    return { log, twice: [...twice], outcomes: outcomes.includes('seen') };
  }, server.baseUrl);
  expect(told).toEqual({
    log: ['media', 'media', 'refused', 'media', 'TypeError: Video was requested, but no video stream was provided'],
    // Each answer counts once.
    twice: ['TypeError'],
    outcomes: false,
  });
});

test('a page that came by POST is not loaded again', async ({ electron }) => {
  const told = await electron.evaluate(async ({ WebContentsView, app, session }, origin) => {
    await app.whenReady();
    session.defaultSession.setCertificateVerifyProc((_request, done) => done(0));
    const { webContents: contents } = new WebContentsView();
    const once = (work: () => unknown) =>
      new Promise<void>((resolve) => {
        contents.once('did-stop-loading', () => resolve());
        void work();
      });
    await contents.loadURL(`${origin}/form`);
    // It is loaded before it has stopped loading, and what is loaded meanwhile does not begin to load.
    if (contents.isLoading()) await once(() => undefined);
    let starts = 0;
    contents.on('did-start-loading', () => void (starts += 1));
    await once(() => contents.reload());
    await once(() => contents.executeJavaScript('document.querySelector("button").click()', true));
    contents.reload();
    await once(() => contents.loadURL(`${origin}/after`));
    return starts;
  }, server.baseUrl);
  expect(told).toBe(3);
});
