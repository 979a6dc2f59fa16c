/** The symbols of the demo game, commonest first; a reel shows three of them and the middle one counts. */
export const symbols = ['cherry', 'lemon', 'clover', 'bell', 'star', 'diamond', 'seven'] as const;

const weights = [6, 5, 4, 3, 2, 1, 1] as const;
const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
/** Paid for three of a kind, by symbol; together with the pairs about 93 % of all bets come back. */
const triplePays = [8, 10, 12, 25, 60, 150, 300] as const;
/** Paid for exactly two of a kind: only the two commonest symbols do. */
const pairPays = [2, 1] as const;

export interface Spin {
  /** Three reels of three symbols (indexes into `symbols`), from top to bottom. */
  readonly reels: readonly (readonly number[])[];
  /** Factor by which the bet is won. */
  readonly multiplier: number;
}

/** Spins once. `random` returns numbers from 0 (inclusive) to 1 (exclusive). */
export function spinReels(random: () => number): Spin {
  const reels = [0, 1, 2].map(() => [0, 1, 2].map(() => drawSymbol(random())));
  return { reels, multiplier: payOf(reels.map((reel) => reel[1] ?? 0)) };
}

/** Returns the factor of the middle line. */
function payOf(line: readonly number[]): number {
  const [first = 0, second = 0, third = 0] = line;
  if (first === second && second === third) return triplePays[first] ?? 0;
  const pair = first === second || first === third ? first : second === third ? second : -1;
  return pairPays[pair] ?? 0;
}

function drawSymbol(random: number): number {
  let left = random * totalWeight;
  for (const [symbol, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return symbol;
  }
  return 0;
}
