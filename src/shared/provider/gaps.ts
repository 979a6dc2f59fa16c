import { freeRoundGaps } from './gaps-free-rounds.ts';
import { roundGaps } from './gaps-rounds.ts';
import { serviceGaps } from './gaps-service.ts';
import { signingGaps } from './gaps-signing.ts';
import { walletGaps } from './gaps-wallet.ts';
import { gapIds } from './model.ts';
import type { GapFacts, GapId, SpecGap } from './model.ts';

// A map of all IDs, so that a missing open point does not compile.
const facts: Readonly<Record<GapId, GapFacts>> = {
  ...signingGaps,
  ...serviceGaps,
  ...roundGaps,
  ...freeRoundGaps,
  ...walletGaps,
};

/** Every point that the spec leaves open, in the order of `gapIds`. */
export const specGaps: readonly SpecGap[] = gapIds.map((id) => ({ id, ...facts[id] }));

const byId = Object.fromEntries(specGaps.map((gap) => [gap.id, gap])) as Record<GapId, SpecGap>;

/** Returns the open point of that ID. */
export function gapById(id: GapId): SpecGap {
  return byId[id];
}

/** Returns the open point whose ID this text is, or null. */
export function findGap(text: string): SpecGap | null {
  return specGaps.find((gap) => gap.id === text) ?? null;
}
