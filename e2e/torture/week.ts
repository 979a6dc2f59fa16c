import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium, type BrowserContext, type CDPSession, type Page } from '@playwright/test';
import { seededRandom } from '#testing/seeded-random.ts';
import { launchOptions } from '../chromium.ts';
import { expect, type Workbench } from '../fixtures.ts';
import { createHistoryScreen } from '../pages/history.ts';
import { createLauncher, providerOf, spin } from '../pages/launcher.ts';
import { createRequest } from '../pages/request.ts';
import { createResponse } from '../pages/response.ts';
import { createRunsScreen } from '../pages/runs.ts';
import { createShell } from '../pages/shell.ts';
import { descendants, makeSurroundings, root, runCroupier, startCroupier, type Running, type Surroundings } from '../program.ts';

/** Resources of the programs at one moment, with nothing under way. */
export interface Toll {
  /** Resident memory of the host and its helpers, in MB. */
  readonly hostMb: number;
  /** Open files, sockets and pipes of the host and its helpers. */
  readonly handles: number;
  readonly processes: number;
  /** The page's live objects after a collection, in MB. */
  readonly pageMb: number;
  readonly nodes: number;
  readonly listeners: number;
  /** All files of the home, in MB. */
  readonly diskMb: number;
  readonly calls: number;
  /** Processor time of the host and its helpers at rest, in thousandths of one core. */
  readonly hostAtRest: number;
  /** The same of the page's main thread. */
  readonly pageAtRest: number;
}

export interface WeekReport {
  /** After the first day, which loads everything once. */
  readonly begin: Toll;
  readonly end: Toll;
  /** Number of activities, by name. */
  readonly done: Readonly<Record<string, number>>;
  /** Errors of the page and lines that the host printed as such. */
  readonly troubles: readonly string[];
}

export interface WeekOptions {
  readonly days: number;
  /** Milliseconds of one day of use. */
  readonly milliseconds: number;
  readonly seed: number;
}

const hour = 3_600_000;
const restMs = 10_000;
const operations = ['gameList', 'getGameRound', 'getLauncherURL', 'roundReplayInfo', '/playerInfo', '/bet', '/win'];
const starter = (name: string) => path.join(root, 'starter-collections', name);

/** Uses a workbench for days in fast motion: its host's clock goes on by hours, and stands still while it sleeps. */
export async function week(options: WeekOptions, onDay: (day: number, toll: Toll) => void): Promise<WeekReport> {
  const surroundings = await makeSurroundings();
  const clock = path.join(surroundings.folder, 'clock');
  writeFileSync(clock, '0');
  const preloaded = path.join(root, 'src', 'testing', 'moved-clock.ts');
  const env = { CROUPIER_TEST_CLOCK: clock, NODE_OPTIONS: `--import=${preloaded}` };
  const host = startCroupier(surroundings, ['serve', '--no-open'], { env });
  const browser = await chromium.launch(launchOptions());
  try {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ignoreHTTPSErrors: true,
    });
    return await live(options, onDay, { surroundings, clock, host, context });
  } finally {
    await browser.close();
    host.kill('SIGKILL');
    await host.finished;
    await surroundings.remove();
  }
}

interface Stage {
  readonly surroundings: Surroundings;
  readonly clock: string;
  readonly host: Running;
  readonly context: BrowserContext;
}

async function live(
  { days, milliseconds, seed }: WeekOptions,
  onDay: (day: number, toll: Toll) => void,
  stage: Stage,
): Promise<WeekReport> {
  const { surroundings, clock, host, context } = stage;
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const troubles: string[] = [];
  const done: Record<string, number> = {};
  const cli = (args: readonly string[]) => runCroupier(surroundings, args);

  async function newAddress(): Promise<string> {
    const seen = host.stdout().length;
    host.write('\n');
    const [, address = ''] = await host.saw(new RegExp(`^[^]{${seen},}New URL: (http:\\S+)\\n`));
    return address;
  }

  function watch(page: Page): void {
    page.on('pageerror', (error) => troubles.push(error.stack ?? error.message));
    page.on('crash', () => troubles.push('the page crashed'));
  }

  const page = await context.newPage();
  watch(page);
  await page.goto((await host.saw(/ready: (http:\S+)\n/))[1] ?? '');
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const shell = createShell(page);
  const requests = createRequest(page);
  const response = createResponse(page);
  const history = createHistoryScreen(page);
  const runs = createRunsScreen(page);
  const launcher = createLauncher({ page, desktop: null } as unknown as Workbench);
  await expect(shell.status).toContainText(/fingerprint/);
  const provider = await providerOf({ cli });

  async function send(operation: string): Promise<void> {
    await shell.openOperation(operation);
    await requests.send.click();
    await expect(response.announced).toContainText(/answered|failed|refused/);
  }

  const activities: Record<string, () => Promise<void>> = {
    call: () => send(pick(operations)),
    async search() {
      await shell.goTo('History');
      for (const text of ['gam', 'game', pick(['player-1', 'EUR', 'nothing like it', '1001'])]) await history.search(text);
      await expect(history.count).toContainText(/call/);
      await history.search('');
      await history.rows.first().click();
      await expect(history.detail.pane).toBeVisible();
    },
    async run() {
      await shell.goTo('Runs');
      await runs.start(starter(pick(['wallet-session'])), { Repeat: '5' });
      await expect(runs.announced).toContainText('The run is finished', { timeout: 60_000 });
    },
    async 'long run'() {
      const { code, stderr } = await cli(['run', starter('wallet-session'), '--repeat', '50', '--env', 'sandbox']);
      if (code !== 0) troubles.push(`the run of the command line ended with ${code}: ${stderr}`);
    },
    async game() {
      await shell.goTo('Launcher');
      await launcher.field('gameId').fill('1042');
      await launcher.field('exitURL').fill('https://casino.example/lobby');
      await launcher.launch.click();
      const game = await launcher.game(provider, 'fun');
      for (let spins = 0; spins < 3; spins += 1) await spin(game);
      await launcher.tabs.last().press('Delete');
    },
    async 'request tabs'() {
      await shell.goTo('Requests');
      for (const operation of operations) await shell.openOperation(operation);
      await (await requests.openEditor()).frame.click();
      await page.keyboard.type('  ');
      while ((await requests.tabs.count()) > 1) await closeTab();
    },
    async 'browser tab'() {
      const other = await context.newPage();
      watch(other);
      await other.goto(await newAddress());
      await createShell(other).openOperation('gameList');
      await createRequest(other).send.click();
      await expect(createResponse(other).announced).toContainText('answered');
      await other.close();
    },
    async sleep() {
      host.kill('SIGSTOP');
      await setTimeout(500 + below(3_000));
      host.kill('SIGCONT');
      await expect(shell.banner).toHaveCount(0);
    },
  };

  /** Closes a tab; one with typed text asks first. */
  async function closeTab(): Promise<void> {
    await requests.tabs.last().press('Delete');
    const discard = shell.dialog.getByRole('button', { name: /^(Discard|Close)/ });
    if (await discard.isVisible()) await discard.click();
  }

  async function day(): Promise<void> {
    const until = performance.now() + milliseconds;
    // Everything once, and then at random.
    for (const [name, act] of Object.entries(activities)) await timed(name, act);
    while (performance.now() < until) {
      const [name, act] = pick(Object.entries(activities));
      await timed(name, act);
    }
  }

  async function timed(name: string, act: () => Promise<void>): Promise<void> {
    done[name] = (done[name] ?? 0) + 1;
    try {
      await act();
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    writeFileSync(clock, String(Number(readFileSync(clock, 'utf8')) + hour / 4));
  }

  const limits = await cli(['history', 'limits', '--calls', '2000', '--yes']);
  if (limits.code !== 0) troubles.push(`the limit was not set: ${limits.stderr}`);
  let begin: Toll | null = null;
  let toll: Toll | null = null;
  for (let number = 0; number < days; number += 1) {
    await day();
    // A night.
    writeFileSync(clock, String(Number(readFileSync(clock, 'utf8')) + 14 * hour));
    host.kill('SIGSTOP');
    await setTimeout(2_000);
    host.kill('SIGCONT');
    await shell.goTo('Requests');
    while ((await requests.tabs.count()) > 1) await closeTab();
    toll = await tollOf(stage, session);
    begin ??= toll;
    onDay(number, toll);
  }
  if (begin === null || toll === null) throw new Error('A week has days.');
  if (host.stderr() !== '') troubles.push(host.stderr());
  return { begin, end: toll, done, troubles };
}

async function tollOf({ surroundings, host }: Stage, session: CDPSession): Promise<Toll> {
  await setTimeout(restMs);
  const pids = [host.pid, ...descendants(host.pid)];
  const ticks = () => pids.reduce((sum, pid) => sum + ticksOf(pid), 0);
  const metric = async (name: string) => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  };
  const [ticksBefore, taskBefore] = [ticks(), await metric('TaskDuration')];
  await setTimeout(restMs);
  const [ticksAfter, taskAfter] = [ticks(), await metric('TaskDuration')];
  await session.send('HeapProfiler.collectGarbage');
  const { stdout } = await runCroupier(surroundings, ['history', 'status', '--json']);
  const perSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return {
    hostMb: Math.round(pids.reduce((sum, pid) => sum + residentOf(pid), 0) / 1_024),
    handles: pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0),
    processes: pids.length,
    pageMb: Math.round((await metric('JSHeapUsedSize')) / 1e5) / 10,
    nodes: await metric('Nodes'),
    listeners: await metric('JSEventListeners'),
    diskMb: Math.round(sizeOf(surroundings.home) / 1e5) / 10,
    calls: (JSON.parse(stdout) as { calls: number }).calls,
    hostAtRest: Math.round(((ticksAfter - ticksBefore) / perSecond / (restMs / 1_000)) * 1_000),
    pageAtRest: Math.round(((taskAfter - taskBefore) / (restMs / 1_000)) * 1_000),
  };
}

function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) =>
      sum + (entry.isFile() ? (statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0),
    0,
  );
}
