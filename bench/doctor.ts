import { createHash, hash } from 'node:crypto';
import { digests } from '#core/keys/digests.ts';
import type { Subject } from '#shared/doctor/model.ts';
import { search, type Stage } from '#shared/doctor/search.ts';
import { type Figure, median } from './measure.ts';

const key = 'tEst-private-key-of-32-characters';
const dataText =
  '{"gameMode":"real","gameId":"1042","lang":"es","externalToken":"q83v/Ty+4Q==","playerId":"Jos\\u00e9","country":"ES","ip":"203.0.113.9","exitURL":"https://lobby.example/?from=games&player=1"}';

/** A launch whose hash no known mistake makes, so that each stage is gone through. */
const launch: Subject = {
  time: '20-11-2026 10:15:30',
  dataText,
  ruleText: dataText,
  form: { unicode: 'escaped', objects: 'kept' },
  action: 'getLauncherURL',
  platform: '7',
  partnerId: '11',
  hash: hash('sha256', 'something else'),
};

const rounds = 9;

/** Measures the search for a mistake beside a plain loop over `createHash`, interleaved in one process, and so on one core. */
export function measureDoctor(): Figure[] {
  const all = Array.from({ length: rounds }, () => {
    const [singles, pairs] = [searched(['rule', 'singles']), searched(['pairs'])];
    return { singles, pairs, plain: loop(pairs.tried) };
  }).slice(2);
  const middle = (of: (round: (typeof all)[number]) => number) => median(all.map(of));
  const perSecond = ({ tried, ms }: { readonly tried: number; readonly ms: number }) => (tried / ms) * 1_000;
  const first = all[0];
  return [
    {
      name: 'hash inputs per second, all pairs of mistakes in a launch, one core, against a loop over createHash',
      ours: middle(({ pairs }) => perSecond(pairs)),
      baseline: middle(({ plain, pairs }) => perSecond({ tried: pairs.tried, ms: plain })),
      unit: '/s',
      goal: 0.5,
      atLeast: true,
    },
    {
      name: `all ${first?.singles.tried} single mistakes`,
      ours: middle(({ singles }) => singles.ms),
      baseline: null,
      unit: 'ms',
      goal: 100,
    },
    { name: `all ${first?.pairs.tried} pairs`, ours: middle(({ pairs }) => pairs.ms), baseline: null, unit: 'ms', goal: 5_000 },
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
  for (let at = 0; at < count; at++)
    createHash('sha256')
      .update(key + launch.time + at + dataText)
      .digest('hex');
  return performance.now() - start;
}
