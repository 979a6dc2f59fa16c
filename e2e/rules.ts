import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron, test as base, type ElectronApplication } from '@playwright/test';
import { executableOf } from './electron-host.ts';
import type { HostName, HostOptions } from './fixtures.ts';

interface Running {
  readonly app: ElectronApplication;
  close(): Promise<void>;
}

async function start(hostName: HostName, program: string): Promise<Running> {
  const folder = await mkdtemp(path.join(tmpdir(), 'croupier-rules-'));
  await writeFile(path.join(folder, 'package.json'), '{"name":"rules","version":"1.0.0","main":"main.cjs"}');
  await writeFile(path.join(folder, 'main.cjs'), program);
  const app = await _electron.launch({
    executablePath: executableOf(hostName),
    args: [folder],
    cwd: folder,
    chromiumSandbox: true,
  });
  return {
    app,
    async close() {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Removes what a spec made: its windows and pages, until the last one is gone, and its handlers on the app and the session. */
async function clear(app: ElectronApplication): Promise<void> {
  await app.evaluate(async ({ app: electronApp, BrowserWindow, Menu, session, webContents }) => {
    await electronApp.whenReady();
    for (const name of ['web-contents-created', 'login'] as const) electronApp.removeAllListeners(name);
    const pages = webContents.getAllWebContents();
    const gone = pages.map((contents) => new Promise<void>((resolve) => contents.once('destroyed', () => resolve())));
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    for (const contents of pages) if (!contents.isDestroyed()) contents.close();
    await Promise.all(gone);
    session.defaultSession.setCertificateVerifyProc(null);
    session.defaultSession.setPermissionRequestHandler(null);
    session.defaultSession.webRequest.onBeforeRequest(null);
    Menu.setApplicationMenu(null);
  });
}

/**
 * The program that the specs of one worker share, once one of them has started it. A worker has one host, and ends with the first
 * failing spec.
 */
interface SharedProgram {
  running: Running | null;
  program: string;
}

/**
 * Tests the rules of Electron on which the desktop rests, with a program of a few lines: they hold for Electron and so for its
 * double. `shares`: the specs of the file leave nothing in the program but windows, pages and handlers, so one program serves them
 * all.
 */
export const test = base.extend<
  HostOptions & { program: string; shares: boolean; electron: ElectronApplication },
  { shared: SharedProgram }
>({
  hostName: ['double', { option: true }],
  program: ["require('electron').app.on('window-all-closed', () => undefined);\n", { option: true }],
  shares: [false, { option: true }],
  shared: [
    // Playwright reads the names of a fixture's dependencies from its source: it requires a pattern.
    // eslint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const program: SharedProgram = { running: null, program: '' };
      await provide(program);
      await program.running?.close();
    },
    { scope: 'worker' },
  ],
  electron: async ({ hostName, program, shares, shared }, provide) => {
    if (shares && shared.program !== program) {
      await shared.running?.close();
      shared.running = null;
    }
    const running = (shares ? shared.running : null) ?? (await start(hostName, program));
    if (shares) Object.assign(shared, { running, program });
    try {
      await provide(running.app);
    } finally {
      await (shares ? clear(running.app) : running.close());
    }
  },
});
