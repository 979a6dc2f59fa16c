import type {} from '#renderer/api/bridge-transport.ts';
import type { DesktopHost } from './electron-host.ts';
import { expect, test, type Workbench } from './fixtures.ts';

test.use({ shares: 'page' });
test.describe.configure({ mode: 'default' });

/** The items of Electron's security checklist that only a running desktop shows. The others: src/main/electron/security-checklist.test.ts. */
function appOf({ desktop }: Workbench): ReturnType<DesktopHost['app']> {
  if (desktop === null) throw new Error('Not the desktop host.');
  return desktop.app();
}

/** Returns the reply that the page gets for a call, made from the page itself. */
function callFromPage(workbench: Workbench, name: string): Promise<unknown> {
  return workbench.page.evaluate((wanted) => window.croupier?.call(wanted, {}), name);
}

test.describe("Electron's security checklist", () => {
  test('1. Only load secure content: the window shows the page from its own scheme and asks no network for anything', async ({
    workbench,
  }) => {
    const url = await appOf(workbench).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());
    expect(url).toMatch(/^app:\/\/workbench\/?$/);
    workbench.troubles.expect(/Content Security Policy|policy: |net::ERR_/);
    // Past the content policy, through main's own requests of the session.
    const answers = await appOf(workbench).evaluate(async ({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const ask = `fetch('http://example.com/').then(() => 'reached', () => 'refused')`;
      return window?.webContents.executeJavaScript(ask) as Promise<string>;
    });
    expect(answers).toBe('refused');
  });

  test('2. to 4., 6., 8. to 11. The window was made with what the checklist demands', async ({ workbench }) => {
    const globals = ['require', 'process', 'module', 'Buffer', '__dirname', 'global', 'ipcRenderer', 'electron'];
    expect(await workbench.page.evaluate((names) => names.filter((name) => name in window), globals)).toEqual([]);
    expect(await callFromPage(workbench, 'app.info')).toMatchObject({ ok: true, value: { host: 'Desktop' } });
  });

  test('5. A server that asks for a client certificate gets none, and nobody is asked', async ({ workbench }) => {
    const told = await appOf(workbench).evaluate(({ app, BrowserWindow }) => {
      const log: unknown[] = [];
      const event = { preventDefault: () => void log.push('prevented') };
      const [window] = BrowserWindow.getAllWindows();
      const choose = (...given: unknown[]) => void log.push(given);
      app.emit('select-client-certificate', event, window?.webContents, 'https://games.example/', [{}], choose);
      return log;
    });
    expect(told).toEqual(['prevented', []]);
  });

  test("5. Handle session permission requests: none is granted but the page's own clipboard", async ({ workbench }) => {
    workbench.troubles.expect(/Permissions policy violation/);
    const outcomes = await workbench.page.evaluate(async () => {
      const state = async (name: string) => (await navigator.permissions.query({ name: name as PermissionName })).state;
      const position = new Promise((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('given'),
          ({ code }) => resolve(code),
        ),
      );
      const media = navigator.mediaDevices.getUserMedia({ audio: true }).then(
        () => 'given',
        (error: Error) => error.name,
      );
      return {
        geolocation: await state('geolocation'),
        notifications: await state('notifications'),
        position: await position,
        media: await media,
      };
    });
    expect(outcomes).toMatchObject({ geolocation: 'denied', notifications: 'denied', position: 1 });
    expect(outcomes.media).not.toBe('given');
  });

  test('7. Define a Content Security Policy: it comes with the page and is enforced', async ({ workbench }) => {
    workbench.troubles.expect(/Content Security Policy|policy: |TrustedScript|Trusted Type/);
    const outcome = await workbench.page.evaluate(
      () =>
        new Promise((resolve) =>
          setTimeout(() => {
            try {
              resolve(Reflect.construct(Function, ['return 1'])());
            } catch (error) {
              resolve(error instanceof Error ? error.name : 'thrown');
            }
          }),
        ),
    );
    expect(outcome).toBe('EvalError');
    expect(await workbench.page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'))).toContain(
      "default-src 'none'",
    );
  });

  test('12. Verify webview options before creation: there is no webview', async ({ workbench }) => {
    const made = await workbench.page.evaluate(() => {
      const element = document.createElement('webview');
      element.setAttribute('src', 'https://example.com/');
      document.body.append(element);
      const { constructor } = element;
      element.remove();
      return constructor.name;
    });
    expect(made).toMatch(/^HTML(?:Unknown)?Element$/);
    expect(appOf(workbench).windows()).toHaveLength(1);
  });

  test('13. Disable or limit navigation: the page cannot leave', async ({ workbench, shell }) => {
    workbench.troubles.expect(/Not allowed to load|Not allowed to navigate|net::ERR_|navigat/i);
    for (const [how, leave] of [
      [
        'a link',
        "const a = document.createElement('a'); a.href = 'https://example.com/'; document.body.append(a); a.click(); a.remove();",
      ],
      ['location', "location.href = 'https://example.com/';"],
      ['a file address', "location.href = 'file:///etc/passwd';"],
      ['a data address', "location.href = 'data:text/html,hello';"],
    ] as const) {
      await test.step(how, async () => {
        await appOf(workbench).evaluate(
          ({ BrowserWindow }, code) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(`${code} 1`),
          leave,
        );
        await expect(shell.status).toContainText(/No key|fingerprint|session only/);
        await expect
          .poll(() => appOf(workbench).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL()))
          .toMatch(/^app:\/\/workbench\/?$/);
      });
    }
  });

  test('14. Disable or limit creation of new windows: none opens, however it is asked for', async ({ workbench }) => {
    const app = appOf(workbench);
    for (const code of [
      "window.open('https://example.com/')",
      "window.open('about:blank')",
      'window.open(location.href)',
      "window.open('', 'name', 'popup,width=100,height=100')",
      "(() => { const a = document.createElement('a'); a.href = 'https://example.com/'; a.target = '_blank'; document.body.append(a); a.click(); a.remove(); })()",
    ]) {
      await app.evaluate(
        ({ BrowserWindow }, script) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(`${script}; 1`),
        code,
      );
    }
    // In the double a refused window exists for an instant, held before its first request.
    await expect.poll(() => app.windows().length).toBe(1);
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  test('15. Do not use shell.openExternal with untrusted content: checked first, asked always, declined by default', async ({
    workbench,
  }) => {
    const outcomes = await appOf(workbench).evaluate(async ({ BrowserWindow, dialog, shell }) => {
      const opened: string[] = [];
      const asked: unknown[] = [];
      let answer = 1;
      const [openExternal, showMessageBox] = [shell.openExternal, dialog.showMessageBox];
      shell.openExternal = (url: string) => {
        opened.push(url);
        return Promise.resolve();
      };
      dialog.showMessageBox = ((_window: unknown, options: Electron.MessageBoxOptions) => {
        asked.push([options.message, options.detail, options.defaultId, options.cancelId]);
        return Promise.resolve({ response: answer, checkboxChecked: false });
      }) as typeof dialog.showMessageBox;
      const [window] = BrowserWindow.getAllWindows();
      const ask = (url: string) =>
        window?.webContents.executeJavaScript(
          `window.croupier.call('app.openOutside', { url: ${JSON.stringify(url)} })`,
        ) as Promise<{
          value: unknown;
        }>;
      const replies = [
        await ask('https://xn--80ak6aa92e.com/login'),
        await ask('file:///etc/passwd'),
        await ask('https://localhost/'),
      ];
      answer = 0;
      replies.push(await ask('HTTPS://Example.com'));
      Object.assign(shell, { openExternal });
      Object.assign(dialog, { showMessageBox });
      return { opened, asked, replies: replies.map(({ value }) => value) };
    });
    expect(outcomes).toEqual({
      opened: ['https://example.com/'],
      asked: [
        ['Open xn--80ak6aa92e.com in your browser?', 'https://xn--80ak6aa92e.com/login', 1, 1],
        ['Open example.com in your browser?', 'https://example.com/', 1, 1],
      ],
      replies: [
        { opened: false, message: null },
        { opened: false, message: 'Croupier opens only https addresses.' },
        {
          opened: false,
          message: 'Croupier opens only public host names, not IP addresses or names of this computer or its network.',
        },
        { opened: true, message: null },
      ],
    });
  });

  test('17. Validate the sender of all IPC messages: another page in the same window is refused', async ({ workbench }) => {
    expect(await callFromPage(workbench, 'app.info')).toMatchObject({ ok: true });
    const reply = await appOf(workbench).evaluate(async ({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      await window?.webContents.loadURL('data:text/html,<title>elsewhere</title>');
      return window?.webContents.executeJavaScript(`window.croupier.call('environments.list', {})`) as Promise<unknown>;
    });
    expect(reply).toEqual({ ok: false, error: { code: 'refused', message: 'Only the workbench can use this.' } });
  });

  test('18. Avoid usage of the file:// protocol: the page cannot read it', async ({ workbench }) => {
    workbench.troubles.expect(/policy: |Content Security Policy|Not allowed to load|net::ERR_/);
    const read = () =>
      fetch('file:///etc/passwd').then(
        () => 'read',
        () => 'refused',
      );
    expect(await workbench.page.evaluate(read)).toBe('refused');
  });

  test('20. Do not expose Electron APIs to untrusted web content: two functions, frozen, that take and give plain data', async ({
    workbench,
  }) => {
    const exposed = await workbench.page.evaluate(() => {
      const api = window.croupier as unknown as Record<string, unknown>;
      const writable = Object.getOwnPropertyDescriptor(window, 'croupier')?.writable;
      return {
        names: Object.keys(api).sort(),
        kinds: Object.values(api).map((value) => typeof value),
        frozen: Object.isFrozen(api),
        writable,
      };
    });
    expect(exposed).toEqual({ names: ['call', 'subscribe'], kinds: ['function', 'function'], frozen: true, writable: false });
    const heard = await workbench.page.evaluate(
      () =>
        new Promise<unknown[]>((resolve) => {
          const stop = window.croupier?.subscribe((...values: unknown[]) => {
            stop?.();
            resolve(values);
          });
          void window.croupier?.call('environments.create', {
            environment: { name: 'heard', baseUrl: 'https://h.example', platform: 1, partnerId: 1, production: false },
          });
        }),
    );
    // The name and the payload; never Electron's own event object.
    expect(heard).toEqual(['environments.changed', {}]);
  });
});
