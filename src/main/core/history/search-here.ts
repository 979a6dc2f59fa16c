import type { CallPage } from '#shared/ipc/index.ts';
import { storageFailure, sqliteCode } from '../files/disk-failures.ts';
import { eraseHere } from './erase.ts';
import { findCallsHere, type FoundCalls, type PlayerQuestion } from './find-calls.ts';
import { createSearchEngine, type HeldWords, type SearchEngine, type SearchQuery } from './search-engine.ts';
import type { Erased, EraseExtent } from './search-messages.ts';

/** Questions about the history, wherever it is searched. */
export interface SearchQuestions {
  /** Fails with `storage`. */
  search(query: SearchQuery): Promise<CallPage>;
  /** Returns the number of calls that are read one by one because the index does not hold them yet. */
  unindexed(): Promise<number>;
  /** Returns what of removed calls is still in the index. Fails with `storage`. */
  held(): Promise<HeldWords>;
  /** Takes removed calls out of the index, and their remains out of the files. Fails with `storage`. */
  erase(extent: EraseExtent, stop?: AbortSignal): Promise<Erased>;
  /** Searches every call for those that name a player; null if it was stopped. Fails with `storage`. */
  findCalls(
    question: PlayerQuestion,
    onProgress: (done: number, total: number) => void,
    stop: AbortSignal,
  ): Promise<FoundCalls | null>;
  close(): Promise<void>;
}

export interface SearchHereDeps {
  readonly historyPath: string;
  readonly indexPath: string;
  /** Called if the history itself is broken. */
  readonly onDamage: (message: string) => void;
}

/** Searches in the calling thread, and keeps no index. */
export function createSearchHere({ historyPath, indexPath, onDamage }: SearchHereDeps): SearchQuestions {
  let engine: SearchEngine | null = null;
  async function withEngine<T>(work: (engine: SearchEngine) => T): Promise<T> {
    try {
      engine ??= createSearchEngine({ historyPath, indexPath, write: false });
      return work(engine);
    } catch (error) {
      if (sqliteCode(error) === 11) onDamage('it is damaged');
      throw storageFailure(historyPath, error);
    }
  }
  return {
    async search(query) {
      // Between its looks, a search leaves this thread to others, also to a signal.
      await new Promise((resolve) => setImmediate(resolve));
      return withEngine((one) => one.search(query));
    },
    unindexed: () => withEngine((one) => one.unindexed()),
    async erase(extent, stop) {
      engine?.close();
      engine = null;
      try {
        return await eraseHere({ historyPath, indexPath }, extent, stop);
      } catch (error) {
        throw storageFailure(historyPath, error);
      }
    },
    held: () => withEngine((one) => one.holds()),
    async findCalls(question, onProgress, stop) {
      try {
        return await findCallsHere(historyPath, question, onProgress, stop);
      } catch (error) {
        throw storageFailure(historyPath, error);
      }
    },
    async close() {
      engine?.close();
      engine = null;
    },
  };
}
