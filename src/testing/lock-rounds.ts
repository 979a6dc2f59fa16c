import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LockDriverInput } from './lock-driver.ts';
import { seededRandom } from './seeded-random.ts';

const driver = fileURLToPath(new URL('./lock-driver.ts', import.meta.url));
const clock = new URL('./moved-clock.ts', import.meta.url).href;

/** Starts a process that shares the file, with its clock in a file of its own. */
export function startLockDriver(input: LockDriverInput, clockFile?: string): ChildProcess {
  const moved = clockFile === undefined ? [] : ['--import', clock];
  return spawn(process.execPath, [...moved, driver, JSON.stringify(input)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...(clockFile === undefined ? {} : { CROUPIER_TEST_CLOCK: clockFile }) },
  });
}

/** Results for the numbers that several processes added to one file. */
export interface LockReport {
  /** Number of acknowledged additions. */
  readonly added: number;
  /** Numbers that are not in the file. */
  readonly lost: readonly number[];
  /** Numbers that are there more than once. */
  readonly repeated: readonly number[];
  /** Number of times a process was suspended, killed, or had its clock moved. */
  readonly troubles: number;
}

interface State {
  readonly end: number;
  readonly clockFile: string;
  readonly closed: Promise<unknown>;
  /** The next of its numbers. */
  next: number;
  stopped: boolean;
}

/**
 * Makes `count` processes add `times` numbers in all to one file below `folder`, while one after the other is suspended for a
 * moment, killed and replaced, or has its clock moved by up to a day.
 */
export async function lockRounds(folder: string, times: number, count: number, seed: number): Promise<LockReport> {
  const random = seededRandom(seed);
  const file = join(folder, 'shared');
  const acknowledged: number[] = [];
  const running = new Map<ChildProcess, State>();
  let troubles = 0;
  let started = 0;

  function start(from: number, end: number): void {
    const clockFile = join(folder, `clock-${started}`);
    started += 1;
    writeFileSync(clockFile, '0');
    const child = startLockDriver({ file, does: 'add', from, times: end - from }, clockFile);
    const state: State = { end, clockFile, closed: once(child, 'close'), next: from, stopped: false };
    running.set(child, state);
    let rest = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        acknowledged.push(Number(line));
        state.next = Number(line) + 1;
        // Their own output sets the moments.
        if (random() < 0.1) trouble();
        else resume();
      }
    });
  }

  /** Continues suspended processes once another one has done something, or when no other is left. */
  function resume(): void {
    for (const [child, state] of running) {
      if (!state.stopped) continue;
      state.stopped = false;
      child.kill('SIGCONT');
    }
  }

  function trouble(): void {
    const all = [...running].filter(([, { stopped }]) => !stopped);
    const [child, state] = all[Math.floor(random() * all.length)] ?? [];
    if (child === undefined || state === undefined) return;
    troubles += 1;
    const kind = Math.floor(random() * 3);
    if (kind === 0) {
      state.stopped = true;
      child.kill('SIGSTOP');
      setTimeout(() => child.kill('SIGCONT'), 20 + 200 * random());
    } else if (kind === 1) child.kill('SIGKILL');
    else writeFileSync(state.clockFile, String(Math.round((random() - 0.5) * 172_800_000)));
  }

  const share = Math.ceil(times / count);
  for (let at = 0; at < count; at += 1) start(at * share, Math.min(times, (at + 1) * share));
  while (running.size > 0) {
    const [child, state] = await Promise.race([...running].map((one) => one[1].closed.then(() => one)));
    running.delete(child);
    resume();
    // A number that was under way when its process was killed may be in the file: the next process begins behind it.
    if (child.signalCode !== null && state.next + 1 < state.end) start(state.next + 1, state.end);
    else if (child.signalCode === null && child.exitCode !== 0) throw new Error(`A process ended with ${child.exitCode}`);
  }
  const found = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
  const kept = new Set(found);
  return {
    added: acknowledged.length,
    lost: acknowledged.filter((number) => !kept.has(number)),
    repeated: found.filter((number, at) => found.indexOf(number) !== at),
    troubles,
  };
}
