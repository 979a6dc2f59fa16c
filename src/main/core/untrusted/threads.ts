import type { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import { overLimit, type Limits } from '#shared/json/measure.ts';
import { smallBytes, unread } from './measure.ts';
import type { InputOf, JobReply, JobRequest, JobResult, JobTable, OutputOf } from './messages.ts';

interface ReadOptions {
  /** Subject for sentences: "The response". */
  readonly subject: string;
  /** Size of the untrusted text. */
  readonly bytes: number;
  readonly characters?: number;
  /** True if a short text is read in the calling thread; false if its length does not bound the cost. */
  readonly inPlace?: boolean;
  /** Ends the job at once. */
  readonly signal?: AbortSignal;
  /** Buffers of the input that are given away, not copied. */
  readonly transfer?: readonly ArrayBuffer[];
}

/** Does jobs on untrusted text in threads that can be ended at any moment. */
export interface Threads<Table extends JobTable> {
  /**
   * Fails with `refused` if the text is beyond the limits of time or memory (`unreadWords` has its sentence), with `cancelled` if
   * it was stopped, and as the job does. Only plain data and bytes go in and come out; the result is small.
   */
  run<Name extends keyof Table & string>(
    name: Name,
    input: InputOf<Table, Name>,
    options: ReadOptions,
  ): Promise<OutputOf<Table, Name>>;
  close(): Promise<void>;
}

export interface ThreadsDeps<Table extends JobTable> {
  /** A thread's program, which serves the same table. */
  readonly program: string | URL;
  readonly table: Table;
  /** A job without a row does not compile. */
  readonly limits: { readonly [Name in keyof Table]: JobLimits };
  /** Does work after so many milliseconds, unless the returned function is called before; never keeps the program alive. */
  readonly later: (work: () => void, milliseconds: number) => () => void;
  /** Threads at most. */
  readonly most?: number;
  /** Heap of one thread in MB. Buffers are not counted. */
  readonly heapMb?: number;
}

/** Limits of a job's text, and how many milliseconds after it began a job is ended. */
interface JobLimits extends Limits {
  readonly ms: number;
}

interface Waiting {
  readonly request: JobRequest;
  readonly limits: JobLimits;
  readonly options: ReadOptions;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** The user's stop; to be removed from its signal when the job is over. */
  readonly onAbort: () => void;
}

interface Thread {
  readonly worker: Worker;
  job: Waiting | null;
  stopTimer: (() => void) | null;
  /** True once it was ended: it takes nothing any more and leaves the list when it is gone. */
  ending: boolean;
}

const mostThreads = 2;
const defaultHeapMb = 384;
/** Milliseconds for a thread to begin, on a machine that is busy with others. */
const startMs = 60_000;
/** Number of bytes from which one text is read at a time: together they would take the memory of both. */
const largeBytes = 1_048_576;
/** Milliseconds after which a thread without work ends: only its end certainly frees the memory that it once took. */
const idleMs = 10_000;

export function createThreads<Table extends JobTable>(deps: ThreadsDeps<Table>): Threads<Table> {
  const { program, table, limits, later, most = mostThreads, heapMb = defaultHeapMb } = deps;
  const threads = new Set<Thread>();
  const queue: Waiting[] = [];
  let closed = false;

  function start(): Thread {
    const { Worker: NodeWorker } = process.getBuiltinModule('node:worker_threads');
    const worker = new NodeWorker(program, {
      execArgv: [],
      stdout: false,
      stderr: false,
      // A limit that is reached ends the thread, not the program.
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 8 },
    });
    worker.unref();
    const thread: Thread = { worker, job: null, stopTimer: null, ending: false };
    threads.add(thread);
    worker.on('message', (reply: JobReply) => {
      if ('begun' in reply) begin(thread);
      else finish(thread, (job) => settle(reply, job));
    });
    worker.on('error', (error) => {
      thread.ending = true;
      finish(thread, (job) =>
        job.reject((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory(job, heapMb) : error),
      );
    });
    worker.on('exit', () => {
      threads.delete(thread);
      thread.stopTimer?.();
      finish(thread, ({ reject, options }) =>
        reject(new AppError('internal', `${undone(options)}: its thread ended. Try again.`)),
      );
      next();
    });
    return thread;
  }

  /** Ends the thread's job, in one way or another; a second way changes nothing. */
  function finish(thread: Thread, settleJob: (job: Waiting) => void): void {
    const { job } = thread;
    if (job === null) return;
    thread.job = null;
    thread.stopTimer?.();
    job.options.signal?.removeEventListener('abort', job.onAbort);
    settleJob(job);
    if (!thread.ending) {
      thread.worker.unref();
      thread.stopTimer = later(() => end(thread), idleMs);
    }
    next();
  }

  function end(thread: Thread): void {
    if (thread.ending) return;
    thread.ending = true;
    void thread.worker.terminate();
  }

  function next(): void {
    while (queue.length > 0) {
      const at = queue.findIndex(mayStart);
      if (at === -1) return;
      const idle = [...threads].find(({ job, ending }) => job === null && !ending);
      // A thread that is ending still has its memory.
      if (idle === undefined && threads.size >= most) return;
      const [job] = queue.splice(at, 1);
      if (job !== undefined) give(idle ?? start(), job);
    }
  }

  function mayStart(job: Waiting): boolean {
    return !isLarge(job) || ![...threads].some(({ job: other }) => other !== null && isLarge(other));
  }

  function give(thread: Thread, job: Waiting): void {
    const { request, options, reject } = job;
    thread.stopTimer?.();
    thread.job = job;
    // A caller that waits for a job keeps the program alive.
    thread.worker.ref();
    endAfter(thread, job, startMs);
    try {
      thread.worker.postMessage(request, options.transfer ?? []);
    } catch (error) {
      finish(thread, () => reject(error));
    }
  }

  function begin(thread: Thread): void {
    const { job } = thread;
    if (job !== null) endAfter(thread, job, job.limits.ms);
  }

  function endAfter(thread: Thread, job: Waiting, timeMs: number): void {
    thread.stopTimer?.();
    thread.stopTimer = later(() => {
      end(thread);
      finish(thread, () => job.reject(tooLong(job, timeMs)));
    }, timeMs);
  }

  function stop(job: Waiting): void {
    const cancelled = () => job.reject(new AppError('cancelled', `${undone(job.options)}: you stopped it.`));
    const at = queue.indexOf(job);
    if (at !== -1) {
      queue.splice(at, 1);
      cancelled();
      return;
    }
    const thread = [...threads].find((one) => one.job === job);
    if (thread === undefined) return;
    end(thread);
    finish(thread, cancelled);
  }

  async function inPlace(name: string, input: unknown): Promise<unknown> {
    const job = await (table[name] as () => Promise<(input: unknown) => unknown>)();
    return job(input);
  }

  function inThread(name: keyof Table & string, input: unknown, options: ReadOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request = { name, input };
      const job: Waiting = { request, limits: limits[name], options, resolve, reject, onAbort: () => stop(job) };
      options.signal?.addEventListener('abort', job.onAbort, { once: true });
      queue.push(job);
      next();
    });
  }

  return {
    async run(name, input, options) {
      const { signal, bytes, characters = 0, inPlace: mayBeInPlace = true } = options;
      if (closed || signal?.aborted === true) throw new AppError('cancelled', `${undone(options)}: it was cancelled.`);
      const excess = overLimit(limits[name], { bytes, characters });
      if (excess !== null) throw unread(`${undone(options)}: it ${excess}`);
      const small = mayBeInPlace && bytes <= smallBytes;
      return (await (small ? inPlace(name, input) : inThread(name, input, options))) as OutputOf<Table, typeof name>;
    },
    async close() {
      closed = true;
      for (const job of queue.splice(0)) job.reject(new AppError('cancelled', 'Croupier is closing.'));
      const ended = [...threads].map((thread) => {
        finish(thread, ({ reject }) => reject(new AppError('cancelled', 'Croupier is closing.')));
        thread.stopTimer?.();
        thread.ending = true;
        return thread.worker.terminate();
      });
      await Promise.all(ended);
    },
  };
}

function isLarge({ options }: Waiting): boolean {
  return options.bytes > largeBytes;
}

function settle(reply: JobResult, job: Waiting): void {
  const {
    request: { name },
    resolve,
    reject,
  } = job;
  if ('value' in reply) resolve(reply.value);
  else if ('exceeded' in reply) reject(exceeded(job));
  else if ('error' in reply) reject(new AppError(reply.error.code, reply.error.message, reply.error.details));
  else reject(new Error(`The job ${name} failed: ${reply.fault}`, { cause: reply.stack }));
}

function exceeded({ options, limits }: Waiting): AppError {
  return unread(`${undone(options)}: its texts are too long for Croupier to search. ${limits.advice}`);
}

function tooLong({ options, limits }: Waiting, timeMs: number): AppError {
  return unread(`${undone(options)}: it took longer than ${timeMs / 1_000} seconds. ${limits.advice}`);
}

function tooMuchMemory({ options, limits }: Waiting, heapMb: number): AppError {
  return unread(`${undone(options)}: it needs more than ${heapMb} MB of memory. ${limits.advice}`);
}

function undone({ subject }: ReadOptions): string {
  return `${subject} was not read`;
}
