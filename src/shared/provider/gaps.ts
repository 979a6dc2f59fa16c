import { gapIds } from './model.ts';
import { operationGaps } from './gaps-operations.ts';
import { serviceGaps } from './gaps-service.ts';
import type { GapId, SpecGap } from './model.ts';

/** Every point that the spec leaves open, in the order of `gapIds`. */
export const specGaps: readonly SpecGap[] = [...serviceGaps, ...operationGaps].sort(
  (a, b) => gapIds.indexOf(a.id) - gapIds.indexOf(b.id),
);

const byId = new Map<string, SpecGap>(specGaps.map((gap) => [gap.id, gap]));

/** The gap of that id; null for an id that is none. */
export function gapById(id: GapId): SpecGap;
export function gapById(id: string): SpecGap | null;
export function gapById(id: string): SpecGap | null {
  return byId.get(id) ?? null;
}
