import type { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import type { CallPage } from '#shared/ipc/index.ts';
import { storageFailure, sqliteCode } from '../files/disk-failures.ts';
import { createSearchEngine, type SearchEngine, type SearchQuery } from './search-engine.ts';
import { findCallsHere, type FoundCalls, type PlayerQuestion } from './find-calls.ts';
import { eraseHere, stoppedErasure } from './erase.ts';
import type { Erased, EraseExtent, SearchReply, SearchRequest } from './search-messages.ts';

/** Searches the history beside the thread that sends. */
export interface Search {
  /** Fails with `storage`. */
  search(query: SearchQuery): Promise<CallPage>;
  /** Calls that are read one by one because the index does not hold them yet. */
  unindexed(): Promise<number>;
  /** Calls have an outcome: they are indexed in a moment. */
  touch(): void;
  /** Takes calls that were removed out of the index, and what they left out of the files. Fails with `storage`. */
  erase(extent: EraseExtent, stop?: AbortSignal): Promise<Erased>;
  /** Looks through every call for those that name a player; null where it was stopped. Fails with `storage`. */
  findCalls(
    question: PlayerQuestion,
    onProgress: (done: number, total: number) => void,
    stop: AbortSignal,
  ): Promise<FoundCalls | null>;
  /** Calls that were removed and whose words still stand in the index. Fails with `storage`. */
  gone(): Promise<number>;
  /** Checks the file in the background. `thorough`: also where that takes long. */
  check(thorough: boolean): void;
  /** Reads out a file that was set aside, in the background. */
  recover(path: string): void;
  /** Whether there is a thread to do something in the background. */
  readonly background: boolean;
  close(): Promise<void>;
}

export interface SearchDeps {
  readonly historyPath: string;
  readonly indexPath: string;
  /** The program of the search thread; null for a host that lives too shortly to keep an index, and searches in its own thread. */
  readonly worker: string | null;
  /** Calls back once after some milliseconds and gives back the function that calls it off. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** The history itself is broken. */
  readonly onDamage: (message: string) => void;
  readonly onRecovered: () => void;
  readonly onFault: (error: unknown) => void;
}

const indexDelayMs = 200;
/** For the step that the search thread is at. A statement of SQLite goes on to its end: whoever closes waits no longer than they want to. */
const closeLimitMs = 1_000;
const emptyPage: CallPage = { calls: [], total: 0, totalIsExact: true, searchedFrom: null, rest: null };

export function createSearch(deps: SearchDeps): Search {
  return deps.worker === null ? createOwnThreadSearch(deps) : createWorkerSearch(deps, deps.worker);
}

function createOwnThreadSearch({ historyPath, indexPath, onDamage }: SearchDeps): Search {
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
  const nothing = () => undefined;
  return {
    async search(query) {
      // So that a search of many looks leaves this thread to others between them: to a signal, too.
      await new Promise((resolve) => setImmediate(resolve));
      return withEngine((one) => one.search(query));
    },
    unindexed: () => withEngine((one) => one.unindexed()),
    touch: nothing,
    async erase(extent, stop) {
      engine?.close();
      engine = null;
      try {
        return await eraseHere({ historyPath, indexPath }, extent, stop);
      } catch (error) {
        throw storageFailure(historyPath, error);
      }
    },
    gone: () => withEngine((one) => one.gone()),
    async findCalls(question, onProgress, stop) {
      try {
        return await findCallsHere(historyPath, question, onProgress, stop);
      } catch (error) {
        throw storageFailure(historyPath, error);
      }
    },
    check: nothing,
    recover: nothing,
    background: false,
    async close() {
      engine?.close();
      engine = null;
    },
  };
}

interface Waiting {
  readonly resolve: (reply: SearchReply) => void;
  readonly reject: (error: unknown) => void;
}

function createWorkerSearch(deps: SearchDeps, program: string): Search {
  const { historyPath, indexPath, later, onDamage, onRecovered, onFault } = deps;
  let worker: Worker | null = null;
  let closed = false;
  let number = 0;
  let planned: (() => void) | null = null;
  const waiting = new Map<number, Waiting>();
  /** Used from when a thread ended before it gave its first sign of life. */
  let ownThread: Search | null = null;
  let alive = false;
  const hearers = new Map<number, (done: number, total: number) => void>();

  function started(): Worker {
    if (worker !== null) return worker;
    const threads = process.getBuiltinModule('node:worker_threads');
    const thread = new threads.Worker(program, {
      workerData: { historyPath, indexPath },
      execArgv: [],
      stdout: false,
      stderr: false,
    });
    thread.unref();
    thread.on('message', (reply: SearchReply) => receive(reply));
    thread.on('error', onFault);
    thread.on('exit', () => {
      // After one that worked the next question starts another one.
      if (!alive) ownThread ??= createOwnThreadSearch(deps);
      if (worker === thread) worker = null;
      for (const [id, { reject }] of waiting) {
        waiting.delete(id);
        reject(new AppError('storage', 'The search of the history ended unexpectedly. Search again.'));
      }
    });
    worker = thread;
    return thread;
  }

  function receive(reply: SearchReply): void {
    alive = true;
    switch (reply.kind) {
      case 'damage':
        return onDamage(reply.message);
      case 'fault':
        return onFault(new AppError('storage', reply.message));
      case 'recovered':
        return onRecovered();
      case 'indexed':
        return;
      case 'finding':
        return hearers.get(reply.id)?.(reply.done, reply.total);
      case 'found':
      case 'page':
      case 'count':
      case 'erased':
      case 'failed': {
        const found = waiting.get(reply.id);
        waiting.delete(reply.id);
        if (waiting.size === 0) worker?.unref();
        if (reply.kind !== 'failed') return found?.resolve(reply);
        if (reply.damaged) onDamage('it is damaged');
        found?.reject(new AppError('storage', `The history ${historyPath} cannot be used: ${reply.message}.`));
      }
    }
  }

  function ask(request: (id: number) => SearchRequest): Promise<SearchReply> {
    if (closed) return Promise.reject(new AppError('cancelled', 'The workbench is closing.'));
    number += 1;
    const id = number;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      const thread = started();
      // Who waits for an answer keeps the program alive.
      thread.ref();
      thread.postMessage(request(id));
    });
  }

  function tell(request: SearchRequest): void {
    if (!closed && ownThread === null) started().postMessage(request);
  }

  /** Tells the thread to stop with what it was asked. */
  function untilStopped(stop: AbortSignal | undefined) {
    let end = () => undefined as void;
    return {
      asked<T extends SearchRequest & { readonly id: number }>(request: T): T {
        end = () => tell({ kind: 'stop', id: request.id });
        stop?.addEventListener('abort', end, { once: true });
        return request;
      },
      done: () => stop?.removeEventListener('abort', end),
    };
  }

  /** Asks the thread; where there turns out to be none, the own one. */
  async function askEither<T>(
    request: (id: number) => SearchRequest,
    read: (reply: SearchReply) => T,
    own: (search: Search) => Promise<T>,
  ): Promise<T> {
    if (ownThread !== null) return own(ownThread);
    try {
      return read(await ask(request));
    } catch (error) {
      if (ownThread === null) throw error;
      return own(ownThread);
    }
  }

  return {
    search: (query) =>
      askEither(
        (id) => ({ kind: 'search', id, query }),
        (reply) => (reply.kind === 'page' ? reply.page : emptyPage),
        (own) => own.search(query),
      ),
    unindexed: () =>
      askEither(
        (id) => ({ kind: 'unindexed', id }),
        (reply) => (reply.kind === 'count' ? reply.count : 0),
        (own) => own.unindexed(),
      ),
    gone: () =>
      askEither(
        (id) => ({ kind: 'gone', id }),
        (reply) => (reply.kind === 'count' ? reply.count : 0),
        (own) => own.gone(),
      ),
    async findCalls(question, onProgress, stop) {
      const stopping = untilStopped(stop);
      let own = 0;
      try {
        return await askEither(
          (id) => {
            own = id;
            hearers.set(id, onProgress);
            return stopping.asked({ kind: 'find', id, question });
          },
          (reply) => (reply.kind === 'found' ? reply.found : null),
          (here) => here.findCalls(question, onProgress, stop),
        );
      } finally {
        stopping.done();
        hearers.delete(own);
      }
    },
    async erase(extent, stop) {
      if (stop?.aborted) return stoppedErasure;
      const stopping = untilStopped(stop);
      try {
        return await askEither(
          (id) => stopping.asked({ kind: 'erase', id, extent }),
          (reply) => (reply.kind === 'erased' ? reply.erased : stoppedErasure),
          (own) => own.erase(extent, stop),
        );
      } finally {
        stopping.done();
      }
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
      closed = true;
      planned?.();
      await ownThread?.close();
      const thread = worker;
      if (thread === null) return;
      thread.ref();
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      thread.postMessage({ kind: 'close' } satisfies SearchRequest);
      const limit = setTimeout(() => void thread.terminate(), closeLimitMs);
      await ended;
      clearTimeout(limit);
    },
  };
}
