import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Figure, median } from './measure.ts';
import { spawnPeer, type PeerProcess } from './peer-process.ts';
import { bare, bruno, croupier, newman, type Tool } from './run-tools.ts';

const key = 'bench-key-0123456789abcdef';
const count = Number(process.env['BENCH_RUN_CALLS'] ?? 400);
const rounds = Number(process.env['BENCH_RUN_ROUNDS'] ?? 3);

interface Measured {
  /** Calls in a second, from the first that arrived to the end of the last. */
  readonly rate: number;
  /** Milliseconds from the start of the program to its first call. */
  readonly start: number;
  /** Sum of the processes' peak memory, in megabytes. */
  readonly memory: number;
}

/** Runs a command to its end; returns its peak memory in megabytes. */
function runOne([program = '', ...command]: readonly string[], folder: string): Promise<number> {
  const child = spawn(program, command, {
    cwd: path.join(folder, 'bruno'),
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, CROUPIER_HOME: path.join(folder, 'home'), BENCH_KEY: key },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let peak = 0;
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1_000);
    } catch {
      // It has just ended.
    }
  }, 10);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(look);
      if (code === 0) resolve(peak);
      else reject(new Error(`${command.join(' ')} ended with ${code}: ${said.slice(0, 2_000)}`));
    });
  });
}

async function measure(tool: Tool, total: number, width: number, peer: PeerProcess, folder: string): Promise<Measured> {
  await peer.takeTimes();
  const processes = width === 1 || tool.ownParallel ? 1 : width;
  const startedAt = performance.timeOrigin + performance.now();
  const peaks = await Promise.all(
    Array.from({ length: processes }, () => runOne(tool.command(total / processes, width), folder)),
  );
  const times = await peer.takeTimes();
  if (times.valid !== total || times.requests !== total) {
    throw new Error(`${tool.name} sent ${times.requests} calls, ${times.valid} of them right, in place of ${total}`);
  }
  return {
    rate: total / ((times.last - times.first) / 1_000),
    start: times.first - startedAt,
    memory: peaks.reduce((sum, one) => sum + one, 0),
  };
}

/** Measures the runner against newman and Bruno's command line: the same signed request, the same peer, in turns. */
export async function measureRuns(): Promise<Figure[]> {
  const peer = await spawnPeer(key);
  const folder = mkdtempSync(path.join(tmpdir(), 'croupier-bench-runs-'));
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, peer.ca);
  const place = { folder, origin: peer.origin, caFile, key };
  const tools = {
    ours: croupier(place),
    newman: newman(place),
    developer: bruno(place),
    atOnce: bruno(place, true),
    bare: bare(place),
  };
  type Name = keyof typeof tools;
  const names = Object.keys(tools) as Name[];
  const taken = () => Object.fromEntries(names.map((name) => [name, [] as Measured[]])) as Record<Name, Measured[]>;
  const [one, ten] = [taken(), taken()];
  try {
    for (const name of names) await measure(tools[name], 10, 1, peer, folder);
    for (let round = 0; round < rounds; round += 1) {
      for (const name of names) if (name !== 'atOnce') one[name].push(await measure(tools[name], count, 1, peer, folder));
      for (const name of names) ten[name].push(await measure(tools[name], count, 10, peer, folder));
    }
    // Beyond the size to which V8 lets garbage grow.
    const long = await measure(tools.ours, count * 10, 10, peer, folder);
    const longer = await measure(tools.ours, count * 20, 10, peer, folder);
    const middle = (measured: readonly Measured[], what: (one: Measured) => number) => median(measured.map(what));
    const startOf = (name: Name) => middle(one[name], ({ start }) => start);
    const rateOf = (measured: readonly Measured[]) => middle(measured, ({ rate: calls }) => calls);
    const rate = (all: typeof one, against: Name, goal: number, words: string): Figure => ({
      name: `${words}, against ${tools[against].name}${all === ten && !tools[against].ownParallel ? ' in ten processes' : ''}`,
      ours: rateOf(all.ours),
      baseline: rateOf(all[against]),
      unit: 'calls/s',
      goal,
      atLeast: true,
      reason: 'the row, the checks and the report take as long',
    });
    const memory = (against: Name): Figure => ({
      name: `most memory, one after the other, against ${tools[against].name}`,
      ours: middle(one.ours, ({ memory: most }) => most),
      baseline: middle(one[against], ({ memory: most }) => most),
      unit: 'MB',
      goal: 1,
    });
    return [
      rate(one, 'newman', 15, 'one after the other'),
      rate(one, 'developer', 5, 'one after the other'),
      rate(ten, 'newman', 20, 'ten at a time'),
      rate(ten, 'developer', 15, 'ten at a time'),
      rate(ten, 'atOnce', 15, 'ten at a time'),
      rate(one, 'bare', 1 / 1.6, 'one after the other'),
      rate(ten, 'bare', 0.5, 'ten at a time'),
      {
        name: 'program start to first call, against newman',
        ours: startOf('ours'),
        baseline: startOf('newman'),
        unit: 'ms',
        goal: 0.2,
        reason: 'Node itself, the modules and the opened history take their time before a first call',
      },
      memory('newman'),
      memory('developer'),
      {
        name: `most memory, ${(count * 20).toLocaleString('en')} calls against ${(count * 10).toLocaleString('en')}, ten at a time`,
        ours: longer.memory,
        baseline: long.memory,
        unit: 'MB',
        goal: 1.1,
      },
    ];
  } finally {
    peer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
