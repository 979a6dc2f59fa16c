import { createLook } from './audit.ts';
import type { Workbench } from './fixtures.ts';
import { createWalk } from './structure.ts';

/**
 * Returns what axe, the outline and the sizes of targets find in a state that the spec keeps under way: a call that is being sent, a run,
 * a search.
 */
export async function faultsWhile(workbench: Workbench, state: string): Promise<string[]> {
  const [audit, structure] = [createLook(workbench), createWalk(workbench)];
  await structure.look(state);
  await audit.look(state);
  return [...structure.found, ...audit.found];
}
