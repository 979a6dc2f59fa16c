import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { truncateLogs } from '../database/truncate-logs.ts';
import { rewriteSmall, smallBytes } from '../database/rewrite.ts';
import { createSearchEngine, type SearchEngine } from './search-engine.ts';
import type { Erased, EraseExtent, SearchWorkerData } from './search-messages.ts';

/** Number of removed calls from which the index is merged as soon as they are removed; fewer wait for the next start. */
const many = 1_000;

type Index = Pick<SearchEngine, 'sweep' | 'mergeAway' | 'shrink' | 'holds' | 'rewrite'>;

/**
 * Creates the steps that take removed calls out of the index: each takes some tens of milliseconds, and returns false when it is
 * done. As in the history, a page may hold a copy of removed text: then a small file is rewritten, and a large one only if `whole`
 * says that somebody waits.
 */
export function eraseSteps(engine: Index, extent: EraseExtent, whole = false): () => boolean {
  if (extent === 'copies') return () => false;
  const all = extent !== 'much';
  let swept = false;
  return () => {
    if (!swept) {
      swept = !engine.sweep();
      return true;
    }
    if (engine.mergeAway(all ? 1 : many) || engine.shrink()) return true;
    const { copies, bytes } = engine.holds();
    if (copies && all && (whole || bytes <= smallBytes)) engine.rewrite();
    return false;
  };
}

/** At the end: what unused parts of the history's pages and the write-ahead logs of both files still hold of it. */
export async function eraseLogs({ historyPath, indexPath }: SearchWorkerData, extent: EraseExtent): Promise<Erased> {
  if (extent === 'all' || extent === 'copies') rewriteSmall(historyPath);
  return { blocked: await truncateLogs([historyPath, indexPath]), stopped: false };
}

/** All of it, in the thread of a program that has none for searches. An index that is not there is not made. */
export async function eraseHere(files: SearchWorkerData, extent: EraseExtent, stop?: AbortSignal): Promise<Erased> {
  if (statSync(files.indexPath, { throwIfNoEntry: false }) !== undefined) {
    const engine = createSearchEngine({ ...files, write: true });
    try {
      const step = eraseSteps(engine, extent, true);
      while (!stop?.aborted && step()) await setImmediate();
    } finally {
      engine.close();
    }
  }
  return stop?.aborted ? stoppedErasure : eraseLogs(files, extent);
}

export const stoppedErasure: Erased = { blocked: [], stopped: true };
