import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { startHttpsServer } from '#testing/https-server.ts';
import { fileInputs, largeFile } from './file-inputs.ts';
import type { Probed, ProbeMessage } from './input-probe.ts';
import { monsters, mostMonsters, responseInputs, seed, type HostileInput } from './inputs.ts';
import type { Figure } from './measure.ts';

/** Limits: of the longest task, of the memory, and of the time to a stop. */
const goals = { taskMs: 100, growthMb: 150, cancelMs: 100 };

/** Measures inputs that could stop the program: each in a process of its own, the monsters, too. */
export async function measureInput(): Promise<Figure[]> {
  const provider = { body: Buffer.from('{}'), gzip: false };
  const server = await startHttpsServer((_, response) => {
    if (provider.gzip) response.setHeader('content-encoding', 'gzip');
    response.end(provider.body);
  });
  async function ask(input: HostileInput): Promise<Probed> {
    const plain = input.body?.() ?? Buffer.from('{}');
    const child = startProbe();
    child.send({ baseUrl: server.baseUrl, ca: server.ca } satisfies ProbeMessage);
    await Promise.race([once(child, 'message'), died(child)]);
    Object.assign(provider, { body: input.gzip === true ? gzipSync(plain) : plain, gzip: input.gzip === true });
    child.send({ name: input.name } satisfies ProbeMessage);
    const [probed] = (await Promise.race([once(child, 'message'), died(child)])) as [Probed];
    child.kill('SIGKILL');
    Object.assign(provider, { body: Buffer.from('{}'), gzip: false });
    console.log(
      `  ${input.name}: ${probed.longestMs.toFixed(0)} ms (${probed.cpuMs.toFixed(0)} computing), ${probed.growthMb.toFixed(0)} MB, all of it ${probed.wholeMs.toFixed(0)} ms` +
        `${probed.cancelMs === null ? '' : `, stopped in ${probed.cancelMs.toFixed(0)} ms`} (${probed.outcome})`,
    );
    return probed;
  }
  try {
    const figures: Figure[] = [];
    for (const input of [...responseInputs, largeFile]) {
      const { longestMs, growthMb, cancelMs } = await ask(input);
      figures.push(
        { name: `${input.name}: longest task`, ours: longestMs, baseline: null, unit: 'ms', goal: goals.taskMs },
        { name: `${input.name}: memory`, ours: growthMb, baseline: null, unit: 'MB', goal: goals.growthMb },
      );
      if (cancelMs !== null)
        figures.push({ name: `${input.name}: stopped`, ours: cancelMs, baseline: null, unit: 'ms', goal: goals.cancelMs });
    }
    figures.push(...(await worstOf(`${fileInputs.length} files`, fileInputs, ask)));
    figures.push(...(await worstOf(`${mostMonsters} monsters`, monsters(mostMonsters, seed), ask)));
    return figures;
  } finally {
    await server.close();
  }
}

/** Returns of many inputs the two that come nearest to the limits, or pass them. */
async function worstOf(
  name: string,
  inputs: readonly HostileInput[],
  ask: (input: HostileInput) => Promise<Probed>,
): Promise<Figure[]> {
  const probed: Probed[] = [];
  for (const input of inputs) probed.push(await ask(input));
  const worst = (of: 'longestMs' | 'growthMb') => probed.reduce((one, other) => (other[of] > one[of] ? other : one));
  const [slowest, largest] = [worst('longestMs'), worst('growthMb')];
  const [latest] = probed
    .filter(({ cancelMs }) => cancelMs !== null)
    .sort((one, other) => (other.cancelMs ?? 0) - (one.cancelMs ?? 0));
  const longest = { ours: slowest.longestMs, baseline: null, unit: 'ms', goal: goals.taskMs };
  const memory = { ours: largest.growthMb, baseline: null, unit: 'MB', goal: goals.growthMb };
  return [
    { name: `${name}: longest task (${slowest.name})`, ...longest },
    { name: `${name}: memory (${largest.name})`, ...memory },
    ...(latest === undefined
      ? []
      : [
          {
            name: `${name}: stopped (${latest.name})`,
            ours: latest.cancelMs ?? 0,
            baseline: null,
            unit: 'ms',
            goal: goals.cancelMs,
          },
        ]),
  ];
}

function startProbe(): ChildProcess {
  const program = fileURLToPath(new URL('./input-probe.ts', import.meta.url));
  return fork(program, { execArgv: ['--expose-gc', '--no-warnings'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

async function died(child: ChildProcess): Promise<never> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  throw new Error(`The probe ended: ${signal ?? code ?? ''}`);
}
