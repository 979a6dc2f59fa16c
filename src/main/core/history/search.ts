import { stoppedErasure } from './erase.ts';
import { createSearchHere, type SearchHereDeps, type SearchQuestions } from './search-here.ts';
import type { SearchReply, SearchRequest } from './search-messages.ts';
import { createSearchThread, type SearchAskOptions } from './search-thread.ts';

/** Searches the history beside the thread that sends, and keeps its files in order. */
export interface Search extends SearchQuestions {
  /** Reports that calls have an outcome: they are indexed in a moment. */
  touch(): void;
  /** Checks the file in the background. `thorough`: also if that takes long. */
  check(thorough: boolean): void;
  /** Reads out a file that was set aside, in the background. */
  recover(path: string): void;
  /** True if there is a thread for background work. */
  readonly background: boolean;
}

export interface SearchDeps extends SearchHereDeps {
  /**
   * Path of the search thread's program; null for a host that lives too shortly to keep an index, and searches in its own thread.
   */
  readonly worker: string | null;
  /** Calls back once after a number of milliseconds and returns the function that cancels this. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly onRecovered: () => void;
  readonly onFault: (error: unknown) => void;
}

const indexDelayMs = 200;

type ReplyOf<K extends SearchReply['kind']> = Extract<SearchReply, { readonly kind: K }>;

const nothing = () => undefined;

export function createSearch(deps: SearchDeps): Search {
  if (deps.worker !== null) return createWorkerSearch(deps, deps.worker);
  return { ...createSearchHere(deps), touch: nothing, check: nothing, recover: nothing, background: false };
}

function createWorkerSearch(deps: SearchDeps, program: string): Search {
  const { historyPath, indexPath, later, onDamage, onRecovered, onFault } = deps;
  let planned: (() => void) | null = null;
  /** Used once there turned out to be no thread. */
  let ownThread: SearchQuestions | null = null;
  const thread = createSearchThread({
    program,
    historyPath,
    indexPath,
    onDamage,
    onRecovered,
    onFault,
    onMissing: () => (ownThread ??= createSearchHere(deps)),
  });

  function tell(request: SearchRequest): void {
    if (ownThread === null) thread.tell(request);
  }

  /** Asks the thread, which gives each question a reply of its kind; if there turns out to be no thread, asks this one. */
  async function askEither<K extends SearchReply['kind'], T>(
    request: (id: number) => SearchRequest,
    read: (reply: ReplyOf<K>) => T,
    own: (search: SearchQuestions) => Promise<T>,
    options: SearchAskOptions = {},
  ): Promise<T> {
    if (ownThread !== null) return own(ownThread);
    try {
      return read((await thread.ask(request, options)) as ReplyOf<K>);
    } catch (error) {
      if (ownThread === null) throw error;
      return own(ownThread);
    }
  }

  return {
    search: (query) =>
      askEither(
        (id) => ({ kind: 'search', id, query }),
        ({ page }: ReplyOf<'page'>) => page,
        (own) => own.search(query),
      ),
    unindexed: () =>
      askEither(
        (id) => ({ kind: 'unindexed', id }),
        ({ count }: ReplyOf<'count'>) => count,
        (own) => own.unindexed(),
      ),
    held: () =>
      askEither(
        (id) => ({ kind: 'held', id }),
        ({ held }: ReplyOf<'held'>) => held,
        (own) => own.held(),
      ),
    findCalls: (question, onProgress, stop) =>
      askEither(
        (id) => ({ kind: 'find', id, question }),
        ({ found }: ReplyOf<'found'>) => found,
        (own) => own.findCalls(question, onProgress, stop),
        { stop, onProgress },
      ),
    async erase(extent, stop) {
      if (stop?.aborted) return stoppedErasure;
      return askEither(
        (id) => ({ kind: 'erase', id, extent }),
        ({ erased }: ReplyOf<'erased'>) => erased,
        (own) => own.erase(extent, stop),
        { stop },
      );
    },
    touch() {
      planned ??= later(() => {
        planned = null;
        tell({ kind: 'index' });
      }, indexDelayMs);
    },
    check: (thorough) => tell({ kind: 'check', thorough }),
    recover: (path) => tell({ kind: 'recover', path }),
    background: true,
    async close() {
      planned?.();
      await Promise.all([ownThread?.close(), thread.close()]);
    },
  };
}
