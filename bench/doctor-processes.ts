import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Secrets } from '#core/host/host.ts';
import { createAgentSecrets } from '#core/keys/agent-secrets.ts';
import { forkAgent } from '#core/keys/fork-agent.ts';
import { key, launch } from './doctor-launch.ts';
import { type Figure, median, percentile } from './measure.ts';

const rounds = 3;
/** Milliseconds of a measurement, and how many of them there are in a round. */
const [windowMs, windows] = [250, 8];
const account = { account: 'bench', version: '' };

/**
 * Measures searches in key agents, with all that is real about them: the processes and their channels. One alone and two at once, beside as many
 * processes with a plain loop; and signatures by the agent that signs, alone and beside a search.
 */
export async function measureSearchProcesses(): Promise<Figure[]> {
  const secrets = createAgentSecrets({ spawn: () => forkAgent(path.resolve('out/main/key-agent.cjs')) });
  const loops = [1, 2].map(() => fork(path.join(import.meta.dirname, 'hash-loop.ts')));
  try {
    await secrets.set(account.account, key, 'session');
    return [...(await measureRates(secrets, loops)), ...(await measureSignatures(secrets))];
  } finally {
    for (const loop of loops) loop.kill();
    await secrets.close();
  }
}

/** Takes the best of all windows: whatever else the machine does only takes away from them. */
async function measureRates(secrets: Secrets, loops: readonly ChildProcess[]): Promise<Figure[]> {
  const best = { one: { ours: 0, plain: 0 }, two: { ours: 0, plain: 0 } };
  for (let round = 0; round < rounds; round++)
    for (const number of ['one', 'two'] as const) {
      const used = loops.slice(0, number === 'one' ? 1 : 2);
      const searches = await Promise.all(used.map(() => amongThrees(secrets)));
      for (let window = 0; window < windows; window++) {
        best[number].ours = Math.max(best[number].ours, await sum(searches.map((search) => searchRate(search))));
        best[number].plain = Math.max(best[number].plain, await sum(used.map(loopRate)));
      }
      for (const search of searches) search.end();
    }
  const figure = (name: string, { ours, plain }: { readonly ours: number; readonly plain: number }): Figure => ({
    name: `hash inputs per second, ${name}, against as many with a loop over createHash`,
    ours,
    baseline: plain,
    unit: '/s',
    goal: 0.5,
    atLeast: true,
  });
  return [figure('one search process', best.one), figure('two search processes at once', best.two)];
}

async function sum(rates: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(rates)).reduce((one, other) => one + other);
}

async function loopRate(loop: ChildProcess): Promise<number> {
  loop.send(windowMs);
  const [rate] = (await once(loop, 'message')) as [number];
  return rate;
}

/** Returns the hash inputs per second of a search that goes on for a moment. */
async function searchRate(search: CountedSearch): Promise<number> {
  const [start, before] = [performance.now(), search.tried()];
  await search.until(windowMs);
  return ((search.tried() - before) / (performance.now() - start)) * 1_000;
}

interface CountedSearch {
  /** Returns the number of hash inputs up to now. */
  tried(): number;
  /** Goes on for so many milliseconds. */
  until(ms: number): Promise<void>;
  end(): void;
}

/** Begins a search, and goes on with it until it tries threes, which are most of its time: its process has compiled what it runs, and made the texts. */
async function amongThrees(secrets: Secrets): Promise<CountedSearch> {
  const search = await secrets.search([{ ...account, name: null }], launch);
  let tried: number | null = null;
  const step = async () => {
    const { steps, ended } = await search.next();
    for (const one of steps) if (one.kind === 'tried' && one.stage === 'triples') tried = one.tried;
    if (ended) throw new Error('The search came to its end before it was measured.');
  };
  while (tried === null) await step();
  return {
    tried: () => tried ?? 0,
    async until(ms) {
      for (const end = performance.now() + ms; performance.now() < end;) await step();
    },
    end: () => search.end(),
  };
}

/** Alternates, window by window, between a search that waits for its next step and one that is at it, so that other work of the machine meets both alike. */
async function measureSignatures(secrets: Secrets): Promise<Figure[]> {
  const data = new TextEncoder().encode(launch.time + launch.dataText);
  const sign = async () => {
    const taken: number[] = [];
    for (const end = performance.now() + windowMs; performance.now() < end;) {
      const start = performance.now();
      await secrets.sign(account.account, account.version, [data], { accounts: [account], bytes: data });
      taken.push(performance.now() - start);
    }
    return taken;
  };
  const taken: { readonly alone: number[]; readonly beside: number[] }[] = [];
  for (let round = 0; round < rounds; round++) {
    const search = await amongThrees(secrets);
    for (let turn = 0; turn < windows; turn++) {
      const alone = await sign();
      const [beside] = await Promise.all([sign(), search.until(windowMs)]);
      taken.push({ alone, beside });
    }
    search.end();
  }
  const figure = (name: string, share: number, goal: number): Figure => ({
    name: `a signature while a search runs, ${name}, against one while it waits`,
    ours: median(taken.map((turn) => percentile(turn.beside, share))),
    baseline: median(taken.map((turn) => percentile(turn.alone, share))),
    unit: 'ms',
    goal,
  });
  return [figure('median', 0.5, 1.1), figure('95th percentile', 0.95, 1.25)];
}
