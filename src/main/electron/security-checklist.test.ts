import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inputs } from '#shared/ipc/index.ts';
import { pagePolicy } from '#shared/page-policy.ts';
import { wantedFuses } from '../../../scripts/fuses.mjs';
import { decideOpenOutside } from './open-outside.ts';
import { isPageAddress, isPageBlob, pageAddress, pageScheme } from './page-origin.ts';
import { mayRequest } from './page-requests.ts';
import { mayGameUse, mayUse } from './permissions.ts';
import { maySpeak } from './sender.ts';
import { waysRoundProxy } from './proxy-switches.ts';
import { refuseWithoutSandbox, windowPreferences } from './window-preferences.ts';

/**
 * Electron's security checklist (docs/tutorial/security.md), one block for each of its twenty items, as far as it can be proved
 * without a window. What takes a window is in e2e/desktop-security.e2e.ts under the same numbers.
 */

const root = path.resolve(import.meta.dirname, '..', '..', '..');

/** A source text without its comments, which may speak of what the code does not do. */
function code(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}

function filesOf(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.posix.join(folder, String(name).split(path.sep).join('/')))
    .filter((name) => /\.(?:tsx?|mjs|html)$/.test(name) && !/\.test\.tsx?$/.test(name));
}

const desktop = filesOf('src/main/electron');
const page = filesOf('src/renderer');
const shipped = [...filesOf('src'), ...filesOf('scripts')].filter((name) => !name.startsWith('src/testing/'));
const uses = (files: readonly string[], pattern: RegExp) => files.filter((file) => pattern.test(code(file)));

const foreign = [
  'https://example.com/',
  'http://workbench/',
  'https://workbench/',
  'app://workbench.evil.example/',
  'app://evil/',
  'app://workbench:80/',
  'app://user@workbench/',
  'app://user:password@workbench/',
  'app:workbench',
  'application://workbench/',
  'xapp://workbench/',
  'file:///etc/passwd',
  'file://workbench/',
  'data:text/html,hello',
  'blob:https://example.com/1',
  'javascript:alert(1)',
  'about:blank',
  'about:srcdoc',
  'chrome://gpu',
  'devtools://devtools/bundled/inspector.html',
  'view-source:app://workbench/',
  'app//workbench/',
  ' ',
  '',
];

describe('1. Only load secure content', () => {
  it('the window loads one address, of the program’s own scheme; a game is loaded into a view of its own', () => {
    expect(uses(desktop, /\.load(?:URL|File)\(/)).toEqual(['src/main/electron/game-view.ts', 'src/main/electron/window.ts']);
    expect(code('src/main/electron/window.ts').match(/\.load(?:URL|File)\([^)]*\)/g)).toEqual(['.loadURL(pageAddress)']);
    expect(code('src/main/electron/game-view.ts').match(/\w+\.load(?:URL|File)\([^)]*\)/g)).toEqual([
      'contents.loadURL(operator ?? options.url)',
      'contents.loadURL(emptyPage)',
    ]);
    expect(pageAddress).toBe('app://workbench/');
  });

  it.each(foreign.filter((address) => !address.startsWith('data:')))('its session asks for nothing at %j', (address) => {
    expect(mayRequest(address)).toBe(false);
  });

  it('its session asks for the page’s own files and what the page made itself', () => {
    expect(['app://workbench/assets/a.js', 'blob:app://workbench/1', 'data:image/png;base64,AA=='].every(mayRequest)).toBe(true);
    expect(['blob:https://workbench/1', 'ws://workbench/', 'wss://example.com/', 'ftp://example.com/'].some(mayRequest)).toBe(
      false,
    );
  });
});

describe('2. Do not enable Node.js integration for remote content', () => {
  it('is off in pages, workers and frames, explicitly', () => {
    expect(windowPreferences).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
    });
  });
});

describe('3. Enable context isolation in all renderers', () => {
  it('is on, and the preferences cannot be changed by mistake', () => {
    expect(windowPreferences.contextIsolation).toBe(true);
    expect(Object.isFrozen(windowPreferences)).toBe(true);
  });

  it('every page is made from these preferences', () => {
    for (const file of uses(desktop, /webPreferences/)) {
      const texts = code(file).match(/webPreferences: .*/g) ?? [];
      for (const text of texts) expect(text, file).toMatch(/webPreferences: \{ \.\.\.(?:window|game)Preferences\b/);
    }
    const [game] =
      /gamePreferences: Readonly<WebPreferences> = Object\.freeze\(\{([^}]*)\}/
        .exec(code('src/main/electron/game-view.ts'))
        ?.slice(1) ?? [];
    // A game's are the window's and stricter; none of those is said again.
    const names = (game ?? '').split(',').flatMap((part) => /^\s*(?:\.\.\.)?(\w+)/.exec(part)?.[1] ?? []);
    const own = ['disableDialogs', 'autoplayPolicy', 'disableHtmlFullscreenWindowResize', 'focusOnNavigation', 'zoomMode'];
    expect(names).toEqual(['windowPreferences', ...own]);
    expect(uses(desktop, /new BrowserWindow\(/)).toEqual(['src/main/electron/window.ts']);
  });
});

describe('4. Enable process sandboxing', () => {
  it('is on for every process, before the first starts', () => {
    expect(windowPreferences.sandbox).toBe(true);
    const main = code('src/main/electron/main.ts');
    expect(main.indexOf('app.enableSandbox()')).toBeGreaterThan(0);
    expect(main.indexOf('app.enableSandbox()')).toBeLessThan(main.indexOf('app.whenReady()'));
  });

  it('nothing that is shipped starts Electron without it', () => {
    const refusal = 'src/main/electron/window-preferences.ts';
    const files = [...shipped.filter((file) => file !== refusal), 'package.json', 'electron-builder.yml', 'bin/croupier'];
    expect(files.filter((file) => /no-?sandbox|disable-setuid-sandbox/i.test(code(file)))).toEqual([]);
  });
});

describe('4. Enable process sandboxing, where an AppImage is started without', () => {
  it.each([
    [true, true, /sandbox is off/],
    [true, false, null],
    [false, true, null],
  ])('packed %s, switched off %s', (isPackaged, isOff, says) => {
    const check = () =>
      refuseWithoutSandbox({ isPackaged, commandLine: { hasSwitch: (name) => isOff && name === 'no-sandbox' } });
    if (says === null) expect(check).not.toThrow();
    else expect(check).toThrow(says);
  });

  it('is refused before a page is made', () => {
    const main = code('src/main/electron/main.ts');
    expect(main.indexOf('refuseWithoutSandbox(app)')).toBeGreaterThan(main.indexOf('app.whenReady()'));
    expect(main.indexOf('refuseWithoutSandbox(app)')).toBeLessThan(main.indexOf('createApp({'));
  });
});

describe('5. Handle session permission requests from remote content', () => {
  const listed = /setPermissionRequestHandler\(handler: \(\(webContents: WebContents, permission: ([^,]+), callback/.exec(
    readFileSync(path.join(root, 'node_modules/electron/electron.d.ts'), 'utf8'),
  )?.[1];
  const permissions = [...(listed ?? '').matchAll(/'([^']+)'/g)].map(([, name = '']) => name);

  it('knows every permission of this Electron', () => {
    expect(permissions.length).toBeGreaterThanOrEqual(46);
  });

  it.each(permissions)(
    '%s is given to the page only for its copy buttons, to games only for full screen and a wake lock, and to nobody else',
    (permission) => {
      for (const address of foreign) expect(mayUse(permission, address, true), address).toBe(false);
      expect(mayUse(permission, pageAddress, false)).toBe(false);
      expect(mayUse(permission, pageAddress, true)).toBe(permission === 'clipboard-sanitized-write');
      // What a player's browser gives without asking.
      expect(mayGameUse(permission)).toBe(permission === 'fullscreen' || permission === 'screen-wake-lock');
    },
  );

  it.each([
    ['blob:app://workbench/1b4e28ba', true],
    ['blob:https://games.example/1b4e28ba', false],
    ['blob:app://workbench.evil/1b4e28ba', false],
    ['blob:null/1b4e28ba', false],
    ['app://workbench/assets/x.js', false],
    ['data:text/html,x', false],
    ['https://games.example/x.zip', false],
  ])('%s is saved: %s', (address, saved) => expect(isPageBlob(address)).toBe(saved));

  it('both handlers, devices, screens, downloads and the network’s own credentials are denied in one place', () => {
    const guards = code('src/main/electron/guards.ts');
    for (const name of [
      'setPermissionRequestHandler',
      'setPermissionCheckHandler',
      'setDevicePermissionHandler',
      'setDisplayMediaRequestHandler',
      'allowNTLMCredentialsForDomains',
      'will-download',
      'select-client-certificate',
    ])
      expect(guards).toContain(name);
  });
});

describe('6. Do not disable webSecurity', () => {
  it('is on, and nothing turns it off', () => {
    expect(windowPreferences.webSecurity).toBe(true);
    expect(uses(shipped, /webSecurity: false|disable-web-security/)).toEqual([]);
  });
});

describe('7. Define a Content Security Policy', () => {
  it('allows the page’s own origin and nothing else, with Trusted Types', () => {
    const policy = pagePolicy({ frame: null });
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "frame-src 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy.split('; ')).toContain(rule);
    // A blob is a picture that the page made, and nothing else.
    expect(policy.replace("img-src 'self' data: blob:;", '')).not.toMatch(/unsafe-eval|https?:|\*|blob:/);
    expect(policy.match(/'unsafe-inline'/g)).toHaveLength(1);
  });

  it('is sent with every answer of the scheme', () => {
    expect(code('src/main/electron/page-protocol.ts').match(/new Response\(/g)).toHaveLength(1);
    expect(code('src/main/electron/page-protocol.ts')).toContain('...pageHeaders(options.policy())');
  });
});

describe('8. Do not enable allowRunningInsecureContent', () => {
  it('is off, explicitly', () => expect(windowPreferences.allowRunningInsecureContent).toBe(false));
});

describe('9. Do not enable experimental features', () => {
  it('are off, explicitly', () => expect(windowPreferences.experimentalFeatures).toBe(false));
});

describe('10. Do not use enableBlinkFeatures', () => {
  it('is nowhere, nor is a switch that does the same', () => {
    expect(uses(shipped, /enableBlinkFeatures|enable-blink-features|enable-features/)).toEqual([]);
    // Those that close ways round the proxy of a game, and no other.
    expect(uses(shipped, /appendSwitch/)).toEqual(['src/main/electron/proxy-switches.ts']);
    expect(waysRoundProxy.map(([name]) => name)).toEqual([
      'host-resolver-rules',
      'webrtc-ip-handling-policy',
      'force-webrtc-ip-handling-policy',
      'disable-quic',
    ]);
    expect(code('src/main/electron/game-view.ts')).toContain("setWebRTCIPHandlingPolicy('disable_non_proxied_udp')");
    expect(windowPreferences).not.toHaveProperty('enableBlinkFeatures');
  });
});

describe('11. Do not use allowpopups for WebViews', () => {
  it('there is no webview and no such attribute', () => {
    expect(windowPreferences).toMatchObject({ webviewTag: false });
    expect(uses([...page, ...desktop], /<webview|allowpopups/i)).toEqual([]);
  });
});

describe('12. Verify WebView options before creation', () => {
  it('every webview is refused before it is made', () => {
    expect(code('src/main/electron/guards.ts')).toMatch(/on\('will-attach-webview', \(event\) => event\.preventDefault\(\)\)/);
  });
});

describe('13. Disable or limit navigation', () => {
  it.each(foreign)('the page cannot go to %j', (address) => {
    expect(isPageAddress(address)).toBe(false);
  });

  it('the page can go to itself', () => {
    expect(['app://workbench/', 'app://workbench/index.html#a', 'APP://workbench/?q'].every(isPageAddress)).toBe(true);
  });

  it('every way to navigate is asked, for every page there will be', () => {
    const guards = code('src/main/electron/guards.ts');
    for (const name of ['web-contents-created', 'will-navigate', 'will-redirect', 'will-frame-navigate'])
      expect(guards).toContain(`'${name}'`);
    expect(code('src/main/electron/main.ts').indexOf('guardContents()')).toBeLessThan(
      code('src/main/electron/main.ts').indexOf('app.whenReady()'),
    );
  });
});

describe('14. Disable or limit creation of new windows', () => {
  it('the one answer is no', () => {
    const texts = desktop.map(code).join('\n');
    const asked = texts.match(/setWindowOpenHandler\(/g) ?? [];
    expect(asked.length).toBeGreaterThan(0);
    expect(texts.match(/action: '\w+'/g)).toEqual(asked.map(() => "action: 'deny'"));
  });
});

describe('15. Do not use shell.openExternal with untrusted content', () => {
  it('one file calls it, with what the check gave back', () => {
    expect(uses(shipped, /\bshell\b.*from 'electron'|openExternal\(/)).toEqual(['src/main/electron/outside.ts']);
    expect(code('src/main/electron/outside.ts').match(/openExternal\([^)]*\)/g)).toEqual(['openExternal(decision.url)']);
    expect(uses(shipped, /\bopenPath\(|showItemInFolder\(/)).toEqual([]);
  });

  it.each(foreign)('refuses %j', (address) => {
    expect(decideOpenOutside(address).allowed).toBe(address === 'https://example.com/');
  });
});

describe('16. Use a current version of Electron', () => {
  it('is pinned to one version, of a major that was supported when it was chosen', () => {
    const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    expect(devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Number(devDependencies['electron']?.split('.')[0])).toBeGreaterThanOrEqual(45);
  });
});

describe('17. Validate the sender of all IPC messages', () => {
  const top = { parent: null };

  it('the page of a window of ours may speak', () => {
    expect(maySpeak({ ...top, url: pageAddress }, true)).toBe(true);
  });

  it('a frame that is gone, an embedded frame and a page without a window may not', () => {
    expect(maySpeak(null, true)).toBe(false);
    expect(maySpeak({ parent: { url: pageAddress }, url: pageAddress }, true)).toBe(false);
    expect(maySpeak({ parent: undefined, url: pageAddress }, true)).toBe(false);
    expect(maySpeak({ ...top, url: pageAddress }, false)).toBe(false);
  });

  it.each(foreign)('a page at %j may not', (url) => {
    expect(maySpeak({ ...top, url }, true)).toBe(false);
  });

  it('one file listens to pages, on one channel, and checks first', () => {
    expect(uses(desktop, /\bipcMain\b/)).toEqual(['src/main/electron/ipc.ts']);
    const ipc = code('src/main/electron/ipc.ts');
    expect(ipc.match(/ipcMain\.(?:handle|handleOnce|on|once)\(/g)).toHaveLength(1);
    expect(ipc.indexOf('!maySpeak(event.senderFrame')).toBeGreaterThan(0);
    expect(ipc.indexOf('!maySpeak(event.senderFrame')).toBeLessThan(ipc.indexOf('app.dispatch('));
    expect(Object.values(inputs).every((input) => typeof input.safeParse === 'function')).toBe(true);
  });
});

describe('18. Avoid usage of the file:// protocol and prefer usage of custom protocols', () => {
  it('the page has a scheme of its own, without the privileges that weaken it', () => {
    expect(pageScheme).toBe('app');
    const main = code('src/main/electron/main.ts');
    const [privileges] = /privileges: \{([^}]*)\}/.exec(main)?.slice(1) ?? [];
    expect(privileges?.split(',').map((part) => part.trim())).toEqual([
      'standard: true',
      'secure: true',
      'supportFetchAPI: true',
      'codeCache: true',
    ]);
    expect(uses(desktop, /file:\/\/|pathToFileURL|loadFile/)).toEqual([]);
  });
});

describe('19. Check which fuses you can change', () => {
  it('all nine are set on purpose', () => {
    expect(wantedFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
      wasmTrapHandlers: true,
    });
  });
});

describe('20. Do not expose Electron APIs to untrusted web content', () => {
  it('the preload is a dozen lines that give two functions, with the channels’ names in it', () => {
    const preload = code('src/main/electron/preload.ts');
    expect(preload.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(12);
    expect(preload.match(/exposeInMainWorld\('(\w+)'/g)).toEqual(["exposeInMainWorld('croupier'"]);
    expect(preload.match(/ipcRenderer\.(\w+)\('(\w+)'/g)).toEqual(["ipcRenderer.on('event'", "ipcRenderer.invoke('call'"]);
    expect(uses(desktop, /ipcRenderer|contextBridge/)).toEqual(['src/main/electron/preload.ts']);
  });
});
