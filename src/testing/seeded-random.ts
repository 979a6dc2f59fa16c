/** Returns a source of random numbers from 0 to below 1 that gives the same ones for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Returns the seed of random texts. It is the same each time, so that a failure comes again; `CROUPIER_SEED=random` tries new
 * texts, `CROUPIER_SEED=NUMBER` those of a test that printed it.
 */
export function chooseSeed(): number {
  const given = process.env['CROUPIER_SEED'] ?? '20261122';
  return given === 'random' ? Math.floor(Math.random() * 0x7fff_ffff) : Number(given);
}

/** Random choices, each from the next number of one source. */
export type Choices = ReturnType<typeof createChoices>;

/** Creates the choices; `random` gives numbers from 0 to below 1. */
export function createChoices(random: () => number) {
  const below = (limit: number): number => Math.floor(random() * limit);
  return {
    /** Returns an integer from 0 to below the limit. */
    below,
    chance: (probability: number): boolean => random() < probability,
    pick: <T>(options: readonly T[]): T => options[below(options.length)] as T,
  };
}
