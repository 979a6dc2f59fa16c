import type { CallPage } from '#shared/ipc/index.ts';
import type { SearchQuery } from './search-engine.ts';

/** What the search thread is started with. */
export interface SearchWorkerData {
  readonly historyPath: string;
  readonly indexPath: string;
}

/** What the search thread is asked. Only those with an `id` are answered. */
export type SearchRequest =
  | { readonly kind: 'search'; readonly id: number; readonly query: SearchQuery }
  | { readonly kind: 'unindexed'; readonly id: number }
  /** Calls have an outcome that the index may not hold. */
  | { readonly kind: 'index' }
  /** Calls were removed. */
  | { readonly kind: 'sweep' }
  | { readonly kind: 'check'; readonly thorough: boolean }
  | { readonly kind: 'recover'; readonly path: string }
  | { readonly kind: 'close' };

export type SearchReply =
  | { readonly kind: 'page'; readonly id: number; readonly page: CallPage }
  | { readonly kind: 'count'; readonly id: number; readonly count: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string; readonly damaged: boolean }
  /** The check found the history to be broken. */
  | { readonly kind: 'damage'; readonly message: string }
  /** A background step failed; it is tried again when there is reason to. */
  | { readonly kind: 'fault'; readonly message: string }
  | { readonly kind: 'recovered' }
  /** Everything is indexed, as far as this thread knows. */
  | { readonly kind: 'indexed' };
