import type { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import { within } from '../time/within.ts';
import type { SearchReply, SearchRequest } from './search-messages.ts';

export interface SearchThreadDeps {
  /** The program of the thread. */
  readonly program: string;
  readonly historyPath: string;
  readonly indexPath: string;
  /** Called if the history itself is broken. */
  readonly onDamage: (message: string) => void;
  readonly onRecovered: () => void;
  readonly onFault: (error: unknown) => void;
  /** The thread ended before it gave its first sign of life: there is none to be had. */
  readonly onMissing: () => void;
}

/** The thread that searches, started when it is first spoken to. After one that worked and ended, the next question starts another one. */
export interface SearchThread {
  /** Fails with `storage`, and with `cancelled` after `close`. `request` gets the number of the question; `onProgress` hears how far it is. */
  ask(request: (id: number) => SearchRequest, options?: SearchAskOptions): Promise<SearchReply>;
  /** Sends a message that needs no reply; does nothing after `close`. */
  tell(request: SearchRequest): void;
  /** Waits for the step that the thread is at, a second at most. */
  close(): Promise<void>;
}

export interface SearchAskOptions {
  /** Stops the work of the thread. */
  readonly stop?: AbortSignal | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

interface Waiting {
  readonly resolve: (reply: SearchReply) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((done: number, total: number) => void) | undefined;
}

/** Milliseconds that the closer waits for the step of the search thread: a statement of SQLite goes on to its end. */
const closeLimitMs = 1_000;

export function createSearchThread(deps: SearchThreadDeps): SearchThread {
  const { program, historyPath, indexPath, onDamage, onRecovered, onFault, onMissing } = deps;
  let worker: Worker | null = null;
  let closed = false;
  let number = 0;
  const waiting = new Map<number, Waiting>();
  let alive = false;

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
      if (!alive) onMissing();
      if (worker === thread) worker = null;
      for (const [id, { reject }] of waiting) {
        waiting.delete(id);
        reject(new AppError('storage', 'The search ended unexpectedly. Search again.'));
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
        return waiting.get(reply.id)?.onProgress?.(reply.done, reply.total);
      case 'found':
      case 'page':
      case 'count':
      case 'held':
      case 'erased':
      case 'failed': {
        const found = waiting.get(reply.id);
        waiting.delete(reply.id);
        if (waiting.size === 0) worker?.unref();
        if (reply.kind !== 'failed') return found?.resolve(reply);
        if (reply.damaged) onDamage('it is damaged');
        found?.reject(new AppError('storage', reply.message));
      }
    }
  }

  function ask(id: number, request: SearchRequest, onProgress: Waiting['onProgress']): Promise<SearchReply> {
    if (closed) return Promise.reject(new AppError('cancelled', 'The workbench is closing.'));
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject, onProgress });
      const thread = started();
      // A caller that waits for a reply keeps the program alive.
      thread.ref();
      thread.postMessage(request);
    });
  }

  function tell(request: SearchRequest): void {
    if (!closed) started().postMessage(request);
  }

  return {
    async ask(request, { stop, onProgress } = {}) {
      number += 1;
      const id = number;
      const end = () => tell({ kind: 'stop', id });
      stop?.addEventListener('abort', end, { once: true });
      try {
        return await ask(id, request(id), onProgress);
      } finally {
        stop?.removeEventListener('abort', end);
      }
    },
    tell,
    async close() {
      closed = true;
      const thread = worker;
      if (thread === null) return;
      thread.ref();
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      thread.postMessage({ kind: 'close' } satisfies SearchRequest);
      if ((await within(closeLimitMs, ended)) === null) await thread.terminate();
    },
  };
}
