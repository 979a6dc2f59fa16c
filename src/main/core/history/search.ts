import type { HistoryFiles } from './search-engine.ts';
import { createSearchThread } from './search-thread.ts';
import { createSearchWork, type SearchWork } from './search-work.ts';

/** Searches the history beside the thread that sends, and keeps its files in order. */
export interface Search extends Omit<SearchWork, 'index' | 'check' | 'recover'> {
  /** Reports that calls have an outcome: they are indexed in a moment. */
  touch(): void;
  /** Checks the file in the background. `thorough`: also if that takes long. */
  check(thorough: boolean): void;
  /** Reads out a file that was set aside, in the background. */
  recover(path: string): void;
  /** True if there is a thread for background work. */
  readonly background: boolean;
  close(): Promise<void>;
}

export interface SearchDeps extends HistoryFiles {
  /**
   * Path of the search thread's program; null for a host that lives too shortly to keep an index, and searches in its own thread.
   */
  readonly worker: string | URL | null;
  /** Calls back once after a number of milliseconds and returns the function that cancels this. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Called if the history itself is broken. */
  readonly onDamage: (message: string) => void;
  readonly onRecovered: () => void;
  readonly onFault: (error: unknown) => void;
}

const indexDelayMs = 200;

export function createSearch(deps: SearchDeps): Search {
  const { worker, later, onRecovered, onFault } = deps;
  /** Used without a thread, or once there turned out to be none. */
  let own: ReturnType<typeof createSearchWork> | null = null;
  const ownWork = () => (own ??= createSearchWork({ ...deps, write: false }));
  const thread = worker === null ? null : createSearchThread({ ...deps, program: worker, onMissing: ownWork });
  let planned: (() => void) | null = null;
  let closed = false;

  async function ask<T>(question: (work: SearchWork) => Promise<T>): Promise<T> {
    if (thread === null || own !== null) return question(ownWork());
    try {
      return await question(thread.work);
    } catch (error) {
      if (own === null) throw error;
      return question(own);
    }
  }

  async function tell(task: (work: SearchWork) => Promise<void>): Promise<void> {
    if (thread === null || own !== null) return;
    try {
      await task(thread.work);
    } catch (error) {
      if (!closed) onFault(error);
    }
  }

  return {
    search: (query) => ask((work) => work.search(query)),
    unindexed: () => ask((work) => work.unindexed()),
    held: () => ask((work) => work.held()),
    erase: (extent, control) => ask((work) => work.erase(extent, control)),
    findCalls: (question, control) => ask((work) => work.findCalls(question, control)),
    touch() {
      if (thread === null) return;
      planned ??= later(() => {
        planned = null;
        void tell((work) => work.index(undefined, { background: true }));
      }, indexDelayMs);
    },
    check: (thorough) => void tell((work) => work.check(thorough, { background: true })),
    recover: (path) => void tell((work) => work.recover(path, { background: true }).finally(onRecovered)),
    background: thread !== null,
    async close() {
      closed = true;
      planned?.();
      own?.close();
      await thread?.close();
    },
  };
}
