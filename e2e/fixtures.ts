import { test as base, expect, type Browser, type Page, type ViewportSize } from '@playwright/test';
import { openBrowserHost, type BrowserHost, type OpenHost } from './browser-host.ts';
import type { ChromiumKind } from './chromium.ts';
import { executableOf, openDesktopHost, type DesktopHost } from './electron-host.ts';
import { watchFocus } from './lost-focus.ts';
import { screens, type PageScreens } from './pages/screens.ts';
import { createShell } from './pages/shell.ts';
import { makeSurroundings, runCroupier, type Finished, type ProgramOptions } from './program.ts';
import type { Traffic } from './traffic.ts';
import { collectTroubles, type Troubles } from './troubles.ts';

/** The hosts that the same specs run over: one Playwright project each. `double`: the desktop on a double of Electron. */
export type HostName = 'browser' | 'double' | 'electron';

export interface HostOptions {
  readonly hostName: HostName;
}

export interface PlantOptions {
  /** Code that Node runs before the program, to plant a fault in it. */
  readonly plant: string;
}

/** The workbench of one test, with a home of its own. At the end it must have exited cleanly and without troubles. */
export interface Workbench {
  readonly page: Page;
  readonly hostName: HostName;
  readonly home: string;
  /** The browser host's own abilities; null in any other host. */
  readonly browserHost: BrowserHost | null;
  /** The desktop host's own abilities; null in the browser host. */
  readonly desktop: DesktopHost | null;
  readonly traffic: Traffic;
  readonly troubles: Troubles;
  /** Matching lines on the host's standard error do not fail the test. */
  expectComplaint(line: RegExp): void;
  /** Runs the command line on the same home. */
  cli(args: readonly string[], options?: ProgramOptions): Promise<Finished>;
  /** Ends the host and starts it again on the same home; `kill` ends it without warning. */
  restart(how?: 'stop' | 'kill'): Promise<void>;
  /** Gives the page another size in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
}

/** The browser host's own abilities, for a spec that runs in it alone. */
export function browserHostOf({ browserHost }: Pick<Workbench, 'browserHost'>): BrowserHost {
  if (browserHost === null) throw new Error('Not the browser host.');
  return browserHost;
}

export interface Screens extends PageScreens {
  readonly workbench: Workbench;
}

export interface ChromiumOptions {
  /** The Chromium of the desktop's double: the whole one, with which its rules were compared, for a spec that the shell fails. */
  readonly doubleChromium: ChromiumKind;
}

export interface ShareOptions {
  /**
   * The specs leave a desktop as they found it, but for games and what a page remembers: one serves those of a file. `calls`: they do
   * nothing in its page but make calls; `page`: it is shown anew for each.
   */
  readonly shares: 'calls' | 'page' | null;
}

/** A workbench that runs. */
interface Opened extends ChromiumOptions {
  readonly workbench: Workbench;
  readonly host: OpenHost;
  /** Fails if its page had troubles that the spec did not expect. */
  look(): void;
  /** Makes it ready for another spec, which expects no troubles yet. */
  anew(how: 'calls' | 'page'): Promise<void>;
  /** Ends it, which must go cleanly. */
  stop(): Promise<void>;
  /** Ends it in any case, and removes its home. */
  close(): Promise<void>;
}

async function openWorkbench(options: HostOptions & PlantOptions & ChromiumOptions, browser: Browser): Promise<Opened> {
  const { hostName, plant, doubleChromium } = options;
  const surroundings = await makeSurroundings(plant);
  let troubles: Troubles | null = null;
  const complaints: RegExp[] = [];
  const lostFocus: string[] = [];
  const prepare = async (page: Page) => {
    troubles = await collectTroubles(page, troubles);
    await watchFocus(page, (loss) => void lostFocus.push(loss));
  };
  const inBrowser = hostName === 'browser';
  const browserHost = inBrowser ? await openBrowserHost(surroundings, browser, prepare) : null;
  const desktop = inBrowser ? null : await openDesktopHost(surroundings, executableOf(hostName), doubleChromium, prepare);
  const host: OpenHost | null = browserHost ?? desktop;
  const collected = troubles as Troubles | null;
  if (host === null || collected === null) throw new Error('The page was not prepared.');
  const { page } = host;
  const { list, expected } = collected;
  let firstSize: ViewportSize | null = null;
  async function resize(width: number, height: number): Promise<void> {
    firstSize ??= await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    await page.setViewportSize({ width, height });
    // A key pressed next means the layout of this size: the page hears of it with its next frame.
    await page.evaluate(framesDrawn);
  }
  const look = () => {
    expect(collected.unexpected()).toEqual([]);
    expect(lostFocus).toEqual([]);
  };
  return {
    doubleChromium,
    host,
    workbench: {
      page,
      hostName,
      home: surroundings.home,
      browserHost,
      desktop,
      traffic: host.traffic,
      troubles: collected,
      expectComplaint: (line) => void complaints.push(line),
      cli: (args, given) => runCroupier(surroundings, args, given),
      async restart(how = 'stop') {
        await (how === 'stop' ? host.stop() : host.kill());
        await host.start();
      },
      resize,
    },
    look,
    async anew(how) {
      // First the page: the last spec may have left it on its way to another one.
      await (how === 'page' ? desktop?.showAnew() : desktop?.closeGames());
      if (firstSize !== null) await resize(firstSize.width, firstSize.height);
      // What the last page had to say has come by now.
      look();
      list.length = 0;
      expected.length = 0;
    },
    async stop() {
      await host.stop();
      const lines = host.complaints().split('\n');
      expect(lines.filter((line) => line !== '' && !complaints.some((pattern) => pattern.test(line)))).toEqual([]);
    },
    async close() {
      await host.close();
      await surroundings.remove();
    },
  };
}

/** The workbench that the specs of one file share, once one of them has opened it. A worker ends with the first failing spec. */
interface SharedWorkbench {
  file: string;
  opened: Opened | null;
  failed: boolean;
}

async function endShared(shared: SharedWorkbench): Promise<void> {
  const { opened } = shared;
  shared.opened = null;
  try {
    if (!shared.failed) await opened?.stop();
  } finally {
    await opened?.close();
  }
}

const shown = ({ page }: Workbench) =>
  expect(createShell(page).status).toContainText(/No key|fingerprint|session only/, { timeout: 30_000 });

/** The test function of every spec: screens by their names, over the project's host. */
export const test = base.extend<
  Screens & HostOptions & PlantOptions & ChromiumOptions & ShareOptions,
  { shared: SharedWorkbench }
>({
  hostName: ['browser', { option: true }],
  plant: ['', { option: true }],
  doubleChromium: ['shell', { option: true }],
  shares: [null, { option: true }],
  shared: [
    // Playwright reads the names of a fixture's dependencies from its source: it requires a pattern.
    // eslint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const shared: SharedWorkbench = { file: '', opened: null, failed: false };
      await provide(shared);
      await endShared(shared);
    },
    { scope: 'worker' },
  ],
  workbench: async ({ hostName, plant, doubleChromium, shares, shared, browser }, provide, info) => {
    if (shared.file !== info.file || (shares !== null && shared.opened?.doubleChromium !== doubleChromium))
      await endShared(shared);
    shared.file = info.file;
    const known = shares === null ? null : shared.opened;
    const opened = known ?? (await openWorkbench({ hostName, plant, doubleChromium }, browser));
    if (shares !== null) shared.opened = opened;
    const { workbench, host } = opened;
    try {
      if (shares !== null) await known?.anew(shares);
      await shown(workbench);
      await provide(workbench);
      if (info.status !== info.expectedStatus) {
        await info.attach('page', { body: await host.page.screenshot(), contentType: 'image/png' });
        await info.attach('standard error', { body: host.complaints(), contentType: 'text/plain' });
        shared.failed = true;
      }
      opened.look();
      if (shares === null) await opened.stop();
    } finally {
      if (shares === null) await opened.close();
    }
  },
  ...screens,
});

export { expect };

/** Resolves when the page has drawn two frames. */
async function framesDrawn(): Promise<void> {
  for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}
