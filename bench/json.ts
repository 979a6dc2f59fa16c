import { parseExact } from '#shared/json/exact-numbers.ts';
import { type Figure, median } from './measure.ts';

/** Returns a gameList response of about 2 MB in which every fiftieth ID is beyond 2^53. */
export function bigAnswer(games = 10_000): string {
  const slots = Array.from({ length: games }, (_, i) => {
    const id = i % 50 === 49 ? String(9_007_199_254_740_993n + BigInt(i)) : String(1_000 + i);
    const bets = Array.from({ length: 20 }, (_unused, k) => Math.round((k + 1) * (k % 3 === 0 ? 10 : 25)) / 100);
    return `{"id":${id},"gameName":"Golden Orchard ${i}","bets":${JSON.stringify(bets)},"thumbnail":"https://cdn.example/games/${i}/thumb_320x240.webp?v=${i}","status":1}`;
  });
  return `{"code":0,"message":"ok","data":{"slots":[${slots.join(',')}]}}`;
}

/** Measures exact parsing of a large response against JSON.parse, interleaved in one process. */
export function measureJson(): Figure[] {
  const withLong = bigAnswer();
  const without = withLong.replaceAll(/"id":9007\d+/g, '"id":1');
  const time = (work: () => unknown) => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const ratios = (text: string) => {
    const rounds = Array.from({ length: 25 }, () => ({
      ours: time(() => parseExact(text)),
      bare: time(() => JSON.parse(text)),
    })).slice(5);
    return { ours: median(rounds.map((round) => round.ours)), baseline: median(rounds.map((round) => round.bare)) };
  };
  const size = `${(withLong.length / 1e6).toFixed(1)} MB`;
  return [
    { name: `exact parsing of ${size} with integers beyond 2^53, against JSON.parse`, ...ratios(withLong), unit: 'ms', goal: 3 },
    { name: `exact parsing of ${size} without them`, ...ratios(without), unit: 'ms', goal: 3 },
  ];
}
