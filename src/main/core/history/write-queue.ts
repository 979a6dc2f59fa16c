import type { Outcome, OutgoingCall } from './record.ts';

/** One change of the history that waits to be written. */
export type Job = { reject: (error: unknown) => void } & (
  | { kind: 'begin'; call: OutgoingCall; resolve: (id: number) => void }
  | { kind: 'finish'; id: number; outcome: Outcome; resolve: () => void }
  | { kind: 'withdraw'; id: number; resolve: () => void }
);

/** Changes that wait to be written: those of one turn of the event loop together. */
export interface WriteQueue {
  /** Writes it in this turn, or within so many milliseconds. */
  add(job: Job, withinMs?: number): void;
  /** Returns whether some may wait for longer than this turn. */
  isWaiting(): boolean;
  /** Writes all of them now. */
  flush(): void;
}

/** Number of bytes of bodies that are written in one step: 20 MB take some 50 ms. */
const mostBytesAtOnce = 4_194_304;

/** Returns the number of bytes of bodies that a change writes. */
export function bytesOf(job: Job): number {
  if (job.kind === 'finish') return (job.outcome.response?.body.length ?? 0) + (job.outcome.raw?.length ?? 0);
  return job.kind === 'begin' ? job.call.body.length : 0;
}

/** Creates the queue. `write` writes several in one transaction and returns an ID for each, or fails and has written none. */
export function createWriteQueue(write: (jobs: readonly Job[]) => readonly number[]): WriteQueue {
  let queue: Job[] = [];
  /** The turn of the event loop in which the queue is written; null if none is requested. */
  let turn: NodeJS.Immediate | null = null;
  /** The moment at which it is written at the latest; null if nothing waits for one. */
  let deadline: NodeJS.Timeout | null = null;

  function add(job: Job, withinMs = 0): void {
    queue.push(job);
    if (withinMs > 0) deadline ??= setTimeout(flushSome, withinMs);
    else turn ??= setImmediate(flushSome);
  }

  /** Writes one step for the thread that sends: several long bodies are written in several. */
  function flushSome(): void {
    let bytes = 0;
    const end = queue.findIndex((job) => (bytes += bytesOf(job)) > mostBytesAtOnce);
    const rest = end === -1 ? [] : queue.splice(end + 1);
    flush();
    if (rest.length === 0) return;
    queue.push(...rest);
    turn ??= setImmediate(flushSome);
  }

  function flush(): void {
    if (turn !== null) clearImmediate(turn);
    if (deadline !== null) clearTimeout(deadline);
    [turn, deadline] = [null, null];
    const jobs = queue;
    queue = [];
    if (jobs.length > 0) writeTogether(jobs);
  }

  function writeTogether(jobs: readonly Job[]): void {
    try {
      const ids = write(jobs);
      jobs.forEach((job, index) => (job.kind === 'begin' ? job.resolve(ids[index] ?? 0) : job.resolve()));
    } catch (error) {
      // If there is no room for new calls there may be some for the outcomes of those that left.
      const begun = jobs.filter(({ kind }) => kind === 'begin');
      if (begun.length > 0 && begun.length < jobs.length) {
        writeTogether(jobs.filter(({ kind }) => kind !== 'begin'));
        writeTogether(begun);
      } else if (begun.length === 0 && jobs.length > 1) {
        // One outcome that does not fit takes no other with it.
        for (const job of jobs) writeTogether([job]);
      } else for (const job of jobs) job.reject(error);
    }
  }

  return { add, isWaiting: () => deadline !== null, flush };
}
