import type { Worker } from 'node:worker_threads';
import { AppError, type ErrorReply } from '#shared/errors.ts';
import { within } from '../host/within.ts';
import type { Control } from './find-calls.ts';
import type { HistoryFiles } from './search-engine.ts';
import type { SearchWork } from './search-work.ts';

/** Messages to the search thread, whose start data is `HistoryFiles`: a question, the end of one, or that of the thread. */
export type SearchRequest =
  | { readonly id: number; readonly name: keyof SearchWork; readonly input: unknown; readonly stopped: boolean }
  | { readonly stop: number }
  | { readonly close: true };

/** Messages of the search thread: how far it is with a question, its reply, or damage of the history. */
export type SearchReply =
  | { readonly id: number; readonly done: number; readonly total: number }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ErrorReply }
  | { readonly damage: string };

export interface SearchThreadDeps extends HistoryFiles {
  /** The program of the thread. */
  readonly program: string | URL;
  /** Called if the history itself is broken. */
  readonly onDamage: (message: string) => void;
  readonly onFault: (error: unknown) => void;
  /** The thread ended before it gave its first sign of life: there is none to be had. */
  readonly onMissing: () => void;
}

/** The thread that searches, started when it is first spoken to. After one that worked and ended, the next question starts another one. */
export type SearchThread = ReturnType<typeof createSearchThread>;

interface Waiting extends Control {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const names: { readonly [Name in keyof SearchWork]: Name } = {
  search: 'search',
  unindexed: 'unindexed',
  held: 'held',
  erase: 'erase',
  findCalls: 'findCalls',
  index: 'index',
  check: 'check',
  recover: 'recover',
};

/** Milliseconds that the closer waits for the step of the search thread: a statement of SQLite goes on to its end. */
const closeLimitMs = 1_000;

export function createSearchThread(deps: SearchThreadDeps) {
  const { program, historyPath, indexPath, onDamage, onFault, onMissing } = deps;
  let worker: Worker | null = null;
  let closed = false;
  let number = 0;
  const waiting = new Map<number, Waiting>();
  let alive = false;

  function started(): Worker {
    if (worker !== null) return worker;
    const threads = process.getBuiltinModule('node:worker_threads');
    const thread = new threads.Worker(program, {
      workerData: { historyPath, indexPath } satisfies HistoryFiles,
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
      for (const [id, { background, reject }] of waiting) {
        waiting.delete(id);
        if (background !== true) reject(new AppError('storage', 'The search ended unexpectedly. Search again.'));
      }
    });
    worker = thread;
    return thread;
  }

  function receive(reply: SearchReply): void {
    alive = true;
    if ('damage' in reply) return onDamage(reply.damage);
    const asked = waiting.get(reply.id);
    if ('done' in reply) return asked?.onProgress?.(reply.done, reply.total);
    waiting.delete(reply.id);
    if ([...waiting.values()].every(({ background }) => background === true)) worker?.unref();
    if ('value' in reply) asked?.resolve(reply.value);
    else asked?.reject(new AppError(reply.error.code, reply.error.message, reply.error.details));
  }

  async function ask(name: keyof SearchWork, input: unknown, control: Control = {}) {
    if (closed) throw new AppError('cancelled', 'Croupier is closing.');
    const { stop, background } = control;
    const id = (number += 1);
    const thread = started();
    // A caller that waits for a reply keeps the program alive.
    if (background !== true) thread.ref();
    const tell = (request: SearchRequest) => thread.postMessage(request);
    const end = () => tell({ stop: id });
    stop?.addEventListener('abort', end, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(id, { ...control, resolve, reject });
        tell({ id, name, input, stopped: stop?.aborted === true });
      });
    } finally {
      stop?.removeEventListener('abort', end);
    }
  }

  return {
    /** Fails also with `storage` if the thread ends, and with `cancelled` after `close`. */
    work: Object.fromEntries(
      Object.values(names).map((name) => [name, (input: unknown, control?: Control) => ask(name, input, control)]),
    ) as unknown as SearchWork,
    /** Waits for the step that the thread is at, a second at most. */
    async close(): Promise<void> {
      closed = true;
      const thread = worker;
      if (thread === null) return;
      thread.ref();
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      thread.postMessage({ close: true } satisfies SearchRequest);
      if ((await within(closeLimitMs, ended)) === null) await thread.terminate();
    },
  };
}
