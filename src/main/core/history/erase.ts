import { setImmediate } from 'node:timers/promises';
import { truncateLogs } from '../database/truncate-logs.ts';
import { rewriteSmall, smallBytes } from '../database/rewrite.ts';
import type { HistoryFiles, SearchEngine } from './search-engine.ts';

/**
 * `words`: out of the index and the logs. `copies`: out of unused parts of the history's pages, by rewriting the file, for which
 * calls wait. `all`: both. `much`: words, and only if many calls were removed, because merging the index rewrites all of it.
 */
export type EraseExtent = 'all' | 'words' | 'copies' | 'much';

/** Result of erasing removed calls from the files. */
export interface Erased {
  /** Write-ahead logs that another program keeps from being truncated: removed calls can still be read in them. */
  readonly blocked: readonly string[];
  /** True if it was stopped before it was done: then nothing is known of the logs. */
  readonly stopped: boolean;
}

/** Number of removed calls from which the index is merged as soon as they are removed; fewer wait for the next start. */
const many = 1_000;

/**
 * Takes removed calls out of the index, in steps of some tens of milliseconds, and then out of unused parts of the history's pages and
 * the write-ahead logs of both files. As in the history, a page of the index may hold a copy of removed text: then a small file is
 * rewritten, and a large one only if `whole` says that somebody waits. Once it is at the logs, nothing stops it.
 */
export async function erase(
  { historyPath, indexPath }: HistoryFiles,
  index: Pick<SearchEngine, 'sweep' | 'mergeAway' | 'shrink' | 'holds' | 'rewrite'> | null,
  extent: EraseExtent,
  { whole, stop }: { readonly whole: boolean; readonly stop?: AbortSignal | undefined },
): Promise<Erased> {
  await setImmediate();
  if (index !== null && extent !== 'copies') {
    const all = extent !== 'much';
    for (const step of [index.sweep, () => index.mergeAway(all ? 1 : many), index.shrink])
      while (stop?.aborted !== true && step()) await setImmediate();
    const { copies, bytes } = index.holds();
    if (stop?.aborted !== true && copies && all && (whole || bytes <= smallBytes)) index.rewrite();
  }
  if (stop?.aborted === true) return { blocked: [], stopped: true };
  if (extent === 'all' || extent === 'copies') rewriteSmall(historyPath);
  return { blocked: await truncateLogs([historyPath, indexPath]), stopped: false };
}
