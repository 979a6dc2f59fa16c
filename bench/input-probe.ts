/** Does inputs in a process of its own and reports its longest task and its memory. Started by bench/input.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createTestApp, temporaryFolder } from '#testing/app.ts';
import { inputByName, sendGameList, type HostileInput, type InputTools } from './inputs.ts';

/** Messages of the parent: the provider first, then the names of inputs, one after the other. */
export type ProbeMessage = { readonly baseUrl: string; readonly ca: string } | { readonly name: string };

/** Results of one input. */
export interface Probed {
  readonly name: string;
  /** The longest task of the thread that sends, in milliseconds. */
  readonly longestMs: number;
  /** The most that it computed between two looks at the clock, in milliseconds. */
  readonly cpuMs: number;
  readonly growthMb: number;
  readonly wholeMs: number;
  readonly cancelMs: number | null;
  readonly outcome: string;
}

/** Returns the memory of this process that is in use, or the most since `resetPeak`, in MB. */
function resident(which: 'VmRSS' | 'VmHWM'): number {
  const line = readFileSync('/proc/self/status', 'utf8').match(new RegExp(`${which}:\\s+(\\d+)`));
  return Number(line?.[1] ?? 0) / 1_024;
}

const resetPeak = () => writeFileSync('/proc/self/clear_refs', '5');

async function openTools(server: { readonly baseUrl: string; readonly ca: string }): Promise<InputTools> {
  // As built: a thread that runs from source also loads its translator.
  const test = await createTestApp({ host: { readingWorker: resolve('out/main/reading-worker.cjs') } });
  const environment = await test.environment(server, { name: 'provider' });
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'collection'));
  await writeFile(join(folder, 'collection', 'collection.yaml'), 'name: Bench\n');
  const { id } = await test.client.call('collections.open', { directory: join(folder, 'collection') });
  const tools = { test, environment, collectionId: id, folder };
  // Code that a program loads at its first call is not part of any input.
  await sendGameList(tools);
  return tools;
}

async function probe(input: HostileInput, tools: InputTools): Promise<Probed> {
  await input.prepare?.(tools);
  await settle();
  resetPeak();
  const before = resident('VmRSS');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpu = watchCpu();
  const begun = performance.now();
  const outcome = await input.work(tools);
  const wholeMs = performance.now() - begun;
  // Its effects go on for a moment.
  await settle();
  delay.disable();
  const cpuMs = cpu.stop();
  const growthMb = resident('VmHWM') - before;
  const cancelMs = input.cancel === undefined ? null : await input.cancel(tools);
  return { name: input.name, longestMs: delay.max / 1e6, cpuMs, growthMb, wholeMs, cancelMs, outcome };
}

/**
 * Measures how much this thread computes between two ticks of a timer that is due at once: as long as its longest task, on a busy
 * machine, too.
 */
function watchCpu(): { stop(): number } {
  let most = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    most = Math.max(most, (user + system) / 1_000);
    last = process.threadCpuUsage();
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

function settle(): Promise<void> {
  globalThis.gc?.();
  return new Promise((resolve) => setTimeout(resolve, 300));
}

let opened: Promise<InputTools> | null = null;
process.on('message', (message: ProbeMessage) => {
  if ('baseUrl' in message) {
    opened = openTools(message);
    void opened.then(() => process.send?.('ready'));
  } else void work(message.name);
});

async function work(name: string): Promise<void> {
  const tools = await opened;
  if (tools === null) throw new Error('The provider is not known yet');
  process.send?.(await probe(inputByName(name), tools));
}
