import { setImmediate } from 'node:timers/promises';
import type { LaunchState } from '#shared/ipc/index.ts';
import type { LaunchStore } from './store.ts';

/** Number of records that are searched without a pause: a long one takes milliseconds. */
const block = 20;

/**
 * Returns the IDs of the launches with a verdict, or all, newest first, in which every word of the text stands: in the launch, its
 * note or its record.
 */
export async function searchLaunches(
  store: Pick<LaunchStore, 'candidates' | 'recordHolds'>,
  { text, state }: { readonly text: string; readonly state: LaunchState | null },
): Promise<string[]> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: string[] = [];
  let records = 0;
  for (const { id, text: own } of store.candidates(state)) {
    const missing = words.filter((word) => !own.includes(word));
    if (missing.length > 0) {
      records += 1;
      if (records % block === 0) await setImmediate();
      if (!missing.every((word) => store.recordHolds(id, word))) continue;
    }
    found.push(id);
  }
  return found;
}
