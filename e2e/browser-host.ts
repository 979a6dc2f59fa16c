import type { Browser, Page } from '@playwright/test';
import { recordTraffic, type Traffic } from './traffic.ts';
import { descendants, isRunning, startCroupier, type Running, type Surroundings } from './program.ts';

/** A host with its page open. Every host of the workbench is driven through this. */
export interface OpenHost {
  readonly page: Page;
  /** Everything that the host sent to the page. */
  readonly traffic: Traffic;
  /** Returns what the host printed on standard error. */
  readonly complaints: () => string;
  /** Ends the host the usual way and checks that it went cleanly and left no process behind. */
  stop(): Promise<void>;
  /** Ends the host without time to finish. */
  kill(): Promise<void>;
  /** Starts the host again on the same home and shows its page. */
  start(): Promise<void>;
  /** Ends everything, whatever state it is in. */
  close(): Promise<void>;
}

export interface BrowserHost extends OpenHost {
  /** Returns the address that was printed last: good for one page. */
  readonly address: () => string;
  /** Asks the host for another address, as Enter in its terminal does. */
  newAddress(): Promise<string>;
  /** Starts the host again on the same home, as a user does: without a port, and without opening a page. */
  comeBack(): Promise<void>;
  /** Suspends the host, as Ctrl+Z in its terminal does, and continues it. */
  suspend(): void;
  resume(): void;
}

/** Opens the browser host of the built application with a Chromium page. `port` 0 for a free one. */
export async function openBrowserHost(
  surroundings: Surroundings,
  browser: Browser,
  prepare: (page: Page) => Promise<void>,
): Promise<BrowserHost> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    // The built-in provider's certificate, which a user accepts once in their browser.
    ignoreHTTPSErrors: true,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  const traffic = await recordTraffic(page);
  await prepare(page);
  let complaints = '';
  let port = '0';
  let address = '';
  let running: Running | null = null;

  async function run(options: readonly string[]): Promise<void> {
    running = startCroupier(surroundings, ['serve', '--no-open', ...options]);
    [, address = '', port = '0'] = await running.saw(/ready: (http:\/\/127\.0\.0\.1:(\d+)\/#\S+)\n/);
  }

  async function launch(): Promise<void> {
    await run(['--port', port]);
    await page.goto('about:blank');
    await page.goto(address);
  }

  async function end(signal: NodeJS.Signals): Promise<{ code: number | null; left: number[] }> {
    if (running === null) return { code: 0, left: [] };
    const helpers = descendants(running.pid);
    running.kill(signal);
    const { code, stderr } = await running.finished;
    complaints += stderr;
    running = null;
    return { code, left: helpers.filter(isRunning) };
  }

  const host: BrowserHost = {
    page,
    traffic,
    complaints: () => complaints + (running?.stderr() ?? ''),
    address: () => address,
    async newAddress() {
      const seen = running?.stdout().length ?? 0;
      running?.write('\n');
      const pattern = new RegExp(`^[^]{${seen},}New URL: (http:\\S+)\\n`);
      [, address = ''] = (await running?.saw(pattern)) ?? [];
      return address;
    },
    start: launch,
    comeBack: () => run([]),
    suspend: () => running?.kill('SIGSTOP'),
    resume: () => running?.kill('SIGCONT'),
    async stop() {
      // As if its user closed the tab first: a page that is left without its host notes that in the console.
      await page.goto('about:blank');
      const { code, left } = await end('SIGTERM');
      if (code !== 0) throw new Error(`The host ended with ${code}: ${complaints}`);
      if (left.length > 0) throw new Error(`The host left processes behind: ${left.join(', ')}`);
    },
    kill: async () => void (await end('SIGKILL')),
    async close() {
      await context.close();
      await end('SIGKILL');
    },
  };
  try {
    await launch();
  } catch (error) {
    await host.close();
    throw error;
  }
  return host;
}
