import type { CallPage } from '#shared/ipc/index.ts';
import type { FoundCalls, PlayerQuestion } from './find-calls.ts';
import type { HeldWords, SearchQuery } from './search-engine.ts';

/** Start data of the search thread. */
export interface SearchWorkerData {
  readonly historyPath: string;
  readonly indexPath: string;
}

/** Messages to the search thread. Only those with an `id` get a reply. */
export type SearchRequest =
  | { readonly kind: 'search'; readonly id: number; readonly query: SearchQuery }
  | { readonly kind: 'unindexed'; readonly id: number }
  | { readonly kind: 'held'; readonly id: number }
  /** Calls have an outcome that the index may not hold. */
  | { readonly kind: 'index' }
  /** Calls were removed: takes them out of the index and everything of them out of the files. */
  | { readonly kind: 'erase'; readonly id: number; readonly extent: EraseExtent }
  /** Searches every call for a player, between the questions. */
  | { readonly kind: 'find'; readonly id: number; readonly question: PlayerQuestion }
  /** Ends that search, which then replies null, or an erasure. */
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'check'; readonly thorough: boolean }
  | { readonly kind: 'recover'; readonly path: string }
  | { readonly kind: 'close' };

/**
 * `words`: out of the index and the logs. `copies`: out of unused parts of the history's pages, by rewriting the file, for which
 * calls wait. `all`: both. `much`: words, and only if many calls were removed, because merging a shard rewrites all of it.
 */
export type EraseExtent = 'all' | 'words' | 'copies' | 'much';

/** Result of erasing removed calls from the files. */
export interface Erased {
  /** Write-ahead logs that another program keeps from being truncated: removed calls can still be read in them. */
  readonly blocked: readonly string[];
  /** True if it was stopped before it was done: then nothing is known of the logs. */
  readonly stopped: boolean;
}

export type SearchReply =
  | { readonly kind: 'page'; readonly id: number; readonly page: CallPage }
  | { readonly kind: 'count'; readonly id: number; readonly count: number }
  | { readonly kind: 'held'; readonly id: number; readonly held: HeldWords }
  | { readonly kind: 'erased'; readonly id: number; readonly erased: Erased }
  | { readonly kind: 'finding'; readonly id: number; readonly done: number; readonly total: number }
  | { readonly kind: 'found'; readonly id: number; readonly found: FoundCalls | null }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string; readonly damaged: boolean }
  /** The check found the history to be broken. */
  | { readonly kind: 'damage'; readonly message: string }
  /** A background step failed; it is tried again when there is a reason. */
  | { readonly kind: 'fault'; readonly message: string }
  | { readonly kind: 'recovered' }
  /** Everything is indexed, as far as this thread knows. */
  | { readonly kind: 'indexed' };
