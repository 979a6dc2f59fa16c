import { createHash } from 'node:crypto';
import { digests } from '#core/keys/digests.ts';
import { search, type Stage } from '#shared/doctor/search.ts';
import { inputOf, key, launch } from './doctor-launch.ts';
import { measureSearchProcesses } from './doctor-processes.ts';
import type { Figure } from './measure.ts';

const rounds = 20;

/** Measures the search for a mistake: in this process, and so on one core; in processes of its own, two at once; and what signs beside it. */
export async function measureDoctor(): Promise<Figure[]> {
  return [...measureInProcess(), ...(await measureSearchProcesses())];
}

/** Measures beside a plain loop over `createHash`, interleaved. Takes the best of all rounds: whatever else the machine does only takes away from them. */
function measureInProcess(): Figure[] {
  const all = Array.from({ length: rounds }, () => {
    const [singles, pairs] = [searched(['rule', 'singles']), searched(['pairs'])];
    return { singles, pairs, plain: loop(pairs.tried) };
  });
  const least = (of: (round: (typeof all)[number]) => number) => Math.min(...all.map(of));
  const [singles, pairs] = [all[0]?.singles.tried ?? 0, all[0]?.pairs.tried ?? 0];
  const pairsMs = least((round) => round.pairs.ms);
  return [
    {
      name: 'hash inputs per second, all pairs of mistakes in a launch, one core, against a loop over createHash',
      ours: (pairs / pairsMs) * 1_000,
      baseline: (pairs / least((round) => round.plain)) * 1_000,
      unit: '/s',
      goal: 0.5,
      atLeast: true,
    },
    { name: `all ${singles} single mistakes`, ours: least((round) => round.singles.ms), unit: 'ms', goal: 100 },
    { name: `all ${pairs} pairs`, ours: pairsMs, unit: 'ms', goal: 5_000 },
  ];
}

function searched(stages: readonly Stage[]): { readonly tried: number; readonly ms: number } {
  const start = performance.now();
  let tried = 0;
  for (const step of search(launch, [{ name: null, key }], digests, stages)) if (step.kind === 'ended') tried += step.tried;
  return { tried, ms: performance.now() - start };
}

/** Returns the milliseconds that as many digests of inputs of that length take. */
function loop(count: number): number {
  const start = performance.now();
  for (let at = 0; at < count; at++) createHash('sha256').update(inputOf(at)).digest('hex');
  return performance.now() - start;
}
