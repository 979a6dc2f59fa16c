import { AppError } from '#shared/errors.ts';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import type { LaidOut } from '#shared/json/format.ts';
import { compareTexts, type TextComparison } from '#shared/json/compare-json.ts';
import { compareCalls, type CallComparison } from '#shared/calls/compare-calls.ts';
import { bodyTable, type BodyTable } from './body-table.ts';
import { layOutBody, readBody, type BodyText } from './body-view.ts';

/** Reads and compares the bytes that were sent and received; long ones off the page's thread. */
export type BodyReader = ReturnType<typeof createBodyReader>;

/** One task for the worker; its reply carries the same ID. */
export type BodyTask =
  | { readonly id: number; readonly task: 'read'; readonly bytes: Uint8Array }
  | { readonly id: number; readonly task: 'layOut'; readonly body: BodyText; readonly most: number | undefined }
  | { readonly id: number; readonly task: 'table'; readonly text: string }
  | { readonly id: number; readonly task: 'compareTexts'; readonly left: string; readonly right: string }
  | { readonly id: number; readonly task: 'compareCalls'; readonly left: Call; readonly right: Call };

export type BodyTaskResult = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

/** The members of a Worker that are used here. */
export interface BodyWorker {
  postMessage(task: BodyTask): void;
  addEventListener(type: 'message', listener: (event: { data: BodyTaskResult }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
}

/** Number of bytes or characters from which the worker does the work. */
const WORKER_FROM = 65_536;
/** Number of bytes or characters up to which the page does the work if the worker breaks: less than would hold the page up. */
const PAGE_UP_TO = 1_048_576;

/** Does one task: on the page for short responses, in the worker for long ones. */
export function runBodyTask(task: BodyTask): BodyText | LaidOut | BodyTable | TextComparison | CallComparison | null {
  switch (task.task) {
    case 'read':
      return readBody(task.bytes);
    case 'layOut':
      return layOutBody(task.body, task.most);
    case 'table':
      return bodyTable(task.text);
    case 'compareTexts':
      return compareTexts(task.left, task.right);
    case 'compareCalls':
      return compareCalls(task.left, task.right);
  }
}

/**
 * Creates a reader. It calls `startWorker` once, at the first long response; if no worker starts, the page does the work itself.
 */
export function createBodyReader(startWorker: () => BodyWorker) {
  let worker: BodyWorker | null = null;
  let broken = false;
  let lastId = 0;
  const waiting = new Map<
    number,
    { task: BodyTask; size: number; resolve: (value: never) => void; reject: (error: Error) => void }
  >();

  function start(): BodyWorker | null {
    if (worker !== null || broken) return worker;
    try {
      worker = startWorker();
    } catch {
      broken = true;
      return null;
    }
    worker.addEventListener('message', ({ data }) => {
      const one = waiting.get(data.id);
      waiting.delete(data.id);
      if (one === undefined) return;
      if ('error' in data) one.reject(new Error(data.error));
      else one.resolve(data.value as never);
    });
    worker.addEventListener('error', () => {
      broken = true;
      worker = null;
      for (const { task, size, resolve, reject } of waiting.values()) {
        if (size <= PAGE_UP_TO) resolve(runBodyTask(task) as never);
        else reject(new AppError('internal', 'The response is too large to show. Save it to a file and open it there.'));
      }
      waiting.clear();
    });
    return worker;
  }

  function run<V>(task: BodyTask, size: number): Promise<V> {
    const chosen = size >= WORKER_FROM ? start() : null;
    if (chosen === null) return Promise.resolve(runBodyTask(task) as V);
    return new Promise<V>((resolve, reject) => {
      waiting.set(task.id, { task, size, resolve, reject });
      chosen.postMessage(task);
    });
  }

  function nextId(): number {
    lastId += 1;
    return lastId;
  }

  return {
    read: (bytes: Uint8Array): Promise<BodyText> => run({ id: nextId(), task: 'read', bytes }, bytes.length),
    /** Lays out at most `most` characters; without it, as many as the editor takes. */
    layOut: (body: BodyText, most?: number): Promise<LaidOut> =>
      run({ id: nextId(), task: 'layOut', body, most }, body.text.length),
    table: (text: string): Promise<BodyTable | null> => run({ id: nextId(), task: 'table', text }, text.length),
    compareTexts: (left: string, right: string): Promise<TextComparison> =>
      run({ id: nextId(), task: 'compareTexts', left, right }, left.length + right.length),
    /** Compares two calls without the bodies of their responses. */
    compareCalls: (left: Call, right: Call): Promise<CallComparison> =>
      run({ id: nextId(), task: 'compareCalls', left, right }, left.request.bodyText.length + right.request.bodyText.length),
  };
}
