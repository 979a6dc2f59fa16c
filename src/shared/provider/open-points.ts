import { freeRoundPoints } from './open-points-free-rounds.ts';
import { roundPoints } from './open-points-rounds.ts';
import { servicePoints } from './open-points-service.ts';
import { signingPoints } from './open-points-signing.ts';
import { walletPoints } from './open-points-wallet.ts';
import { openPointIds } from './model.ts';
import type { OpenPointFacts, OpenPointId, OpenPoint } from './model.ts';

// A map of all IDs, so that a missing open point does not compile.
const facts: Readonly<Record<OpenPointId, OpenPointFacts>> = {
  ...signingPoints,
  ...servicePoints,
  ...roundPoints,
  ...freeRoundPoints,
  ...walletPoints,
};

/** Every point that the spec leaves open, in the order of `openPointIds`. */
export const allOpenPoints: readonly OpenPoint[] = openPointIds.map((id) => ({ id, ...facts[id] }));

const byId = Object.fromEntries(allOpenPoints.map((point) => [point.id, point])) as Record<OpenPointId, OpenPoint>;

/** Returns the open point of that ID. */
export function openPointById(id: OpenPointId): OpenPoint {
  return byId[id];
}

/** Returns the open point whose ID this text is, or null. */
export function findOpenPoint(text: string): OpenPoint | null {
  return allOpenPoints.find((point) => point.id === text) ?? null;
}
