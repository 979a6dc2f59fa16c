import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import type {} from '#renderer/api/bridge-transport.ts';
import type { CallName, Output } from '#shared/ipc/index.ts';
import type { OpenHost } from './browser-host.ts';
import { findElectron } from '../scripts/electron-binary.mjs';
import { chromiumPath, type ChromiumKind } from './chromium.ts';
import { followPage } from './followed-page.ts';
import { descendants, isRunning, root, type Surroundings } from './program.ts';
import { recordTraffic, type Traffic } from './traffic.ts';

/** The desktop host, under Electron or under its double. */
export interface DesktopHost extends OpenHost {
  /** Returns the running program; another one after a restart. */
  readonly app: () => ElectronApplication;
  /** The environment variables that it was started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Closes every game. */
  closeGames(): Promise<void>;
  /** Closes every game and shows the page anew, without anything that it has remembered. */
  showAnew(): Promise<void>;
}

/** Path of the double of Electron's executable. */
export const doublePath = path.join(root, 'e2e', 'electron-double', 'bin', 'electron');

/** Returns the executable of a project of specs. */
export function executableOf(hostName: string): string {
  if (hostName === 'double') return doublePath;
  const found = findElectron(root);
  if (found === null) throw new Error('Electron is not installed.');
  return found;
}

/** Matches lines that Node's inspector and Chromium print by themselves; of certificates, Chromium's has more than one. */
const chatter =
  /^(?:Debugger (?:listening on|attached|ending on)|For help, see:|DevTools listening on|Waiting for the debugger|\[\d+:\d+|----- Certificate |(?:ERROR|WARNING): |libva |MESA)/;

/** Variables by which Electron finds the screen. The double needs none. */
const screens = ['DISPLAY', 'XAUTHORITY'];

/** Launches the built desktop in its surroundings. */
export function launchDesktop(
  surroundings: Surroundings,
  executable: string,
  more: Readonly<Record<string, string>> = {},
): Promise<ElectronApplication> {
  return _electron.launch({
    executablePath: executable,
    // Playwright removes NODE_OPTIONS.
    args: [...(surroundings.plant === null ? [] : ['-r', surroundings.plant]), root],
    cwd: surroundings.folder,
    env: { ...desktopEnv(surroundings), ...(executable === doublePath ? {} : pick(process.env, screens)), ...more },
    chromiumSandbox: true,
  });
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** Ends it, and waits until its process is gone. */
export async function leaveDesktop(app: ElectronApplication): Promise<void> {
  const gone = new Promise((resolve) => app.process().once('exit', resolve));
  await app.close();
  await gone;
}

function desktopEnv({ env }: Surroundings, kind: ChromiumKind = 'shell'): Readonly<Record<string, string>> {
  const chromium = chromiumPath(kind);
  return { ...env, ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }) };
}

/** Reports each line that the program itself prints to standard error. */
export function followComplaints(app: ElectronApplication, tell: (line: string) => void): void {
  app.process().stderr?.on('data', (text: Buffer) => {
    for (const line of String(text).split('\n')) if (line !== '' && !chatter.test(line)) tell(line);
  });
}

/** Runs one step of a start. It has less time than a test, so that a failure names the step. */
function step<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = globalThis.setTimeout(() => reject(new Error(`The start of the desktop came as far as ${what}.`)), 40_000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Starts the built desktop and shows its page. `kind`: the double's Chromium. */
export async function openDesktopHost(
  surroundings: Surroundings,
  executable: string,
  kind: ChromiumKind,
  prepare: (page: Page) => Promise<void>,
): Promise<DesktopHost> {
  const env = desktopEnv(surroundings, kind);
  let app: ElectronApplication | null = null;
  let current: Page | null = null;
  let complaints = '';
  const traffic: Traffic[] = [];
  const finished: string[] = [];

  function running(): ElectronApplication {
    if (app === null) throw new Error('The desktop is not running.');
    return app;
  }
  function page(): Page {
    if (current === null) throw new Error('The desktop has no page.');
    return current;
  }

  async function start(): Promise<void> {
    app = await step(
      'being launched',
      launchDesktop(surroundings, executable, { ...env, ...(executable === doublePath ? { ELECTRON_DOUBLE_HOLD: '1' } : {}) }),
    );
    followComplaints(app, (line) => (complaints += `${line}\n`));
    current = await step('its window', app.firstWindow());
    traffic.push(await step('recording its requests', recordTraffic(current)));
    await step('recording its messages', recordMessages(app));
    // Unsaved changes never keep a test's window open, and nobody is asked where to save.
    await app.evaluate(({ dialog, session }, folder) => {
      dialog.showMessageBoxSync = () => 1;
      session.defaultSession.on('will-download', (_event, item) => item.setSavePath(`${folder}/${item.getFilename()}`));
    }, surroundings.folder);
    await step('preparing its page', prepare(current));
    await step('its page', begin(app, current));
  }

  async function end(how: 'close' | 'kill'): Promise<{ code: number | null; left: number[] }> {
    if (app === null) return { code: 0, left: [] };
    const ending = app;
    const child = ending.process();
    const helpers = descendants(child.pid ?? -1);
    const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    // A Chromium that ends may report a page as crashed on its way.
    current?.removeAllListeners('crash');
    if (how === 'kill') child.kill('SIGKILL');
    else {
      finished.push(await messagesOf(ending));
      await ending.close();
    }
    app = null;
    current = null;
    const code = await gone;
    // Chromium's own processes notice by the end of a pipe that main is gone.
    for (let looks = 0; looks < 50 && helpers.some(isRunning); looks += 1) await setTimeout(100);
    return { code, left: helpers.filter(isRunning) };
  }

  async function load(pathname: string): Promise<void> {
    await running().evaluate(
      ({ BrowserWindow }, address) => BrowserWindow.getAllWindows()[0]?.loadURL(address),
      `app://workbench${pathname}`,
    );
    await page().waitForURL((url) => url.pathname === pathname);
  }
  const closeAllGames = () =>
    running().evaluate(async ({ BrowserWindow }, code) => {
      const [window] = BrowserWindow.getAllWindows();
      // One that is just opening is closed once it is open.
      do await window?.webContents.executeJavaScript(code);
      while (window !== undefined && window.contentView.children.length > 0);
    }, `(${closeGames.toString()})()`);

  const host: DesktopHost = {
    app: running,
    env,
    closeGames: closeAllGames,
    async showAnew() {
      // Page and memory would write each other anew: meanwhile the window shows a file that runs nothing.
      await load(`/assets/${quietAsset()}`);
      await closeAllGames();
      await rm(path.join(surroundings.home, 'settings.json'), { force: true });
      await load('/');
    },
    page: followPage(page),
    traffic: {
      async text() {
        const texts = await Promise.all(traffic.map((one) => one.text()));
        return [...texts, ...finished, app === null ? '' : await messagesOf(app)].join('\n');
      },
      answers: () => traffic.reduce((sum, one) => sum + one.answers(), 0),
      asked: (text) => traffic.reduce((sum, one) => sum + one.asked(text), 0),
    },
    complaints: () => complaints,
    start,
    async stop() {
      const { code, left } = await end('close');
      if (code !== 0) throw new Error(`The desktop ended with ${code}: ${complaints}`);
      if (left.length > 0) throw new Error(`The desktop left processes behind: ${left.join(', ')}`);
    },
    kill: async () => void (await end('kill')),
    close: async () => void (await end('kill')),
  };
  try {
    await start();
  } catch (error) {
    const asked = await lastOfRecord(app);
    await host.close();
    throw new Error(`The desktop did not start. ${complaints}${asked}`, { cause: error });
  }
  return host;
}

/** Runs in the page. Its last call waits until every setting that a page has written is on the disk. */
async function closeGames(): Promise<void> {
  const ask = async <T>(name: CallName, input: object) => {
    const reply = (await window.croupier?.call(name, input)) as { value: T };
    return reply.value;
  };
  const { launches } = await ask<Output<'launches.list'>>('launches.list', {});
  for (const { id, state } of launches) if (state !== 'expired') await ask('launches.close', { id });
  await ask('settings.read', {});
}

/** Returns the name of a file of the page that runs nothing. */
export function quietAsset(): string {
  return readdirSync(path.join(root, 'out', 'renderer', 'assets')).find((name) => name.endsWith('.css')) ?? '';
}

/**
 * Begins the page with everything recorded. The double has waited; in Electron itself the page begins by itself, and again here.
 */
async function begin(app: ElectronApplication, page: Page): Promise<void> {
  const waited = await app.evaluate((electron) => {
    const hold = Reflect.get(electron, 'doubleHold') as { letGo(): void } | undefined;
    hold?.letGo();
    return hold !== undefined;
  });
  // A window is empty first, and a reload would break its first load off.
  await page.waitForURL((url) => url.href !== 'about:blank', { timeout: 0 });
  if (!waited) await page.reload();
}

/** Returns the last requests to the double, for the report of a start that failed; empty for the installed Electron. */
async function lastOfRecord(app: ElectronApplication | null): Promise<string> {
  const read = (electron: object) => JSON.stringify((Reflect.get(electron, 'doubleRecord') as unknown[] | undefined)?.slice(-20));
  return (await app?.evaluate(read).catch(String)) ?? '';
}

/** Records in main everything that goes to the page from now on: every reply and every event. */
async function recordMessages(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ ipcMain, BrowserWindow }) => {
    type Handler = Parameters<typeof ipcMain.handle>[1];
    const log: string[] = [];
    Reflect.set(globalThis, 'messagesToPage', log);
    const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, Handler> };
    const answer = handlers.get('call');
    if (answer === undefined) throw new Error('The desktop answers no calls.');
    handlers.set('call', async (event, ...values: unknown[]) => {
      const reply: unknown = await answer(event, ...values);
      log.push(JSON.stringify(reply));
      return reply;
    });
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents);
      webContents.send = (channel, ...values: unknown[]) => {
        log.push(JSON.stringify([channel, ...values]));
        send(channel, ...values);
      };
    }
  });
}

function messagesOf(app: ElectronApplication): Promise<string> {
  return app.evaluate(() => (Reflect.get(globalThis, 'messagesToPage') as string[]).join('\n'));
}
