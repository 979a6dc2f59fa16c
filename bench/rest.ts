import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import { createRequest } from '../e2e/pages/request.ts';
import { createShell } from '../e2e/pages/shell.ts';
import { worstOf, type Figure } from './measure.ts';
import { setKey, startPageHost, writeEnvironment } from './page-host.ts';
import { restAfter } from '../src/renderer/ui/ticker.ts';
import { installProbes } from './page-probes.ts';

const seconds = 8;
/** Characters of the payload; the longest that Croupier signs has a million. */
const lengths = [
  ['no text', 0],
  ['20,000 characters', 20_000],
  ['a million characters', 999_000],
  ['5 MB', 5_000_000],
  ['15 MB', 15_000_000],
] as const;
const goals = { pageMs: 2, wakesPerSecond: 2, heapMb: 5 };

/** Costs of one second in which nobody does anything. */
interface Rest {
  /** Milliseconds that the page, the host and its helpers computed in a second. */
  readonly cpuMs: number;
  readonly pageMs: number;
  /** Number of times in a second that timers and frames of ours woke the page. */
  readonly wakes: number;
  /** Digests that were requested in a second. */
  readonly digests: number;
  /** Growth of the page's heap, without garbage. */
  readonly heapMb: number;
}

/**
 * Measures a second at rest by the length of the payload: with the hash input shown, hidden, and under another screen.
 */
export async function measureRest(): Promise<Figure[]> {
  const host = await startPageHost(prepareHome);
  try {
    const context = await host.browser.newContext({
      viewport: { width: 1280, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await context.addInitScript(installProbes);
    await context.addInitScript(countWakes);
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    let digests = 0;
    page.on('websocket', (line) =>
      line.on('framesent', ({ payload }) => {
        if (String(payload).includes('"keys.digest"')) digests += 1;
      }),
    );
    await page.goto(host.address);
    await page.waitForFunction(() => probes.marks.editor > 0);
    await setKey(page, 'bench');
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const measure = async (name: string): Promise<Rest> => {
      await page.waitForTimeout(restAfter + 3_000);
      const before = {
        ...(await metrics(session)),
        host: cpuOf(host.pid),
        digests,
        wakes: await page.evaluate(() => wakes.count),
      };
      await page.waitForTimeout(seconds * 1_000);
      const after = {
        ...(await metrics(session)),
        host: cpuOf(host.pid),
        digests,
        wakes: await page.evaluate(() => wakes.count),
      };
      const pageMs = (after.quietMs - before.taskMs) / seconds;
      const rest = {
        pageMs,
        cpuMs: pageMs + (after.host - before.host) / seconds,
        wakes: (after.wakes - before.wakes) / seconds,
        digests: (after.digests - before.digests) / seconds,
        heapMb: after.heapMb - before.heapMb,
      };
      console.log(
        `  ${name}: page ${rest.pageMs.toFixed(1)} ms, with host and agents ${rest.cpuMs.toFixed(1)} ms, ${rest.wakes.toFixed(1)} wakes, ` +
          `${rest.digests.toFixed(1)} digests a second; heap ${after.heapMb.toFixed(0)} MB, ${rest.heapMb.toFixed(1)} more`,
      );
      return rest;
    };
    const screen = createRequest(page);
    const shell = createShell(page);
    const [thread, heap]: [Figure[], Figure[]] = [[], []];
    for (const [name, length] of lengths) {
      if (length > 0) await fill(page, length);
      const shown = await measure(`${name}, hash input shown`);
      thread.push({ name, ours: shown.pageMs, unit: 'ms', goal: goals.pageMs });
      heap.push({ name, ours: shown.heapMb, unit: 'MB', goal: goals.heapMb });
    }
    await fill(page, 999_000);
    await screen.hashInput.pane.getByRole('button', { name: 'Hide the hash input' }).click();
    const hidden = await measure('a million characters, hash input hidden');
    await shell.goTo('Open points');
    const elsewhere = await measure('a million characters, another screen');
    const unseen = [
      ['hash input hidden', hidden],
      ['hash input under another screen', elsewhere],
    ] as const;
    const figures = [
      worstOf("the page's thread in a second at rest by the text in sight", thread),
      worstOf(`growth of the heap in ${seconds} s`, heap),
      worstOf(
        'digests in a second',
        unseen.map(([name, rest]) => ({ name, ours: rest.digests, unit: '', goal: 0 })),
      ),
      worstOf(
        'timers and frames in a second',
        unseen.map(([name, rest]) => ({ name, ours: rest.wakes, unit: '', goal: goals.wakesPerSecond })),
      ),
    ];
    await context.close();
    return figures;
  } finally {
    await host.close();
  }
}

async function fill(page: Page, length: number): Promise<void> {
  const value = 'x'.repeat(99);
  const items = Math.floor(length / 103);
  const text = `{"a":[${Array.from({ length: items }, () => `"${value}"`).join(',\n')}]}`;
  const { editor } = createRequest(page);
  await editor.paste(text);
}

/**
 * Returns the time that the page's main thread has computed, and its heap without garbage. `quietMs` is the time without the collection
 * of the garbage that this ends with: the end of a rest.
 */
async function metrics(session: CDPSession): Promise<{ quietMs: number; taskMs: number; heapMb: number }> {
  const read = async (name: string) => {
    const { metrics: found } = await session.send('Performance.getMetrics');
    return found.find((metric) => metric.name === name)?.value ?? Number.NaN;
  };
  const quietMs = (await read('TaskDuration')) * 1_000;
  await session.send('HeapProfiler.collectGarbage');
  return { quietMs, taskMs: (await read('TaskDuration')) * 1_000, heapMb: (await read('JSHeapUsedSize')) / 1_048_576 };
}

/** Returns processor time of the host and of what it started, in milliseconds. */
function cpuOf(pid: number): number {
  const tick = 10;
  let sum = 0;
  for (const one of [pid, ...descendants(pid)]) {
    const fields = readFileSync(`/proc/${one}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    sum += (Number(fields[11]) + Number(fields[12])) * tick;
  }
  return sum;
}

function descendants(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [
          [
            Number(name),
            Number(
              readFileSync(`/proc/${name}/stat`, 'utf8')
                .replace(/^.*\) /, '')
                .split(' ')[1],
            ),
          ] as const,
        ];
      } catch {
        return [];
      }
    });
  const of = (parent: number): number[] => parents.filter(([, other]) => other === parent).flatMap(([one]) => [one, ...of(one)]);
  return of(pid);
}

/** Runs in the page before its scripts: counts callbacks of timers and frames, its own and those of its libraries. */
function countWakes(): void {
  const counted = { count: 0 };
  const count = <A extends unknown[]>(work: ((...args: A) => void) | string) =>
    typeof work !== 'function'
      ? work
      : (...args: A) => {
          counted.count += 1;
          work(...args);
        };
  const page = window as unknown as Record<string, (work: never, ...rest: unknown[]) => unknown>;
  for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback']) {
    const real = page[name]?.bind(window) as (work: unknown, ...rest: unknown[]) => unknown;
    page[name] = (work, ...rest) => real(count(work as () => void), ...rest);
  }
  Object.assign(globalThis, { wakes: counted });
}

declare global {
  var wakes: { count: number };
}

function prepareHome(home: string): void {
  writeEnvironment(home, 'bench', { baseUrl: 'https://127.0.0.1:9', ca: '' });
  const tab = { operation: 'getLauncherURL', form: 'game', text: '{}', overrides: {}, view: 'data', dirty: false, callId: null };
  const shares = { panes: 50, hash: 70 };
  const workspace = { version: 1, active: 0, orientation: 'side', shares, hashPane: true, comments: false, tabs: [tab] };
  const layout = { area: 'requests', sidebar: true, environmentId: 'bench' };
  writeFileSync(
    path.join(home, 'settings.json'),
    JSON.stringify({ layout: JSON.stringify(layout), workspace: JSON.stringify(workspace) }),
  );
}
