import type { DatabaseSync } from 'node:sqlite';
import type { Call, CallPage, Failure, KeptPart } from '#shared/ipc/index.ts';
import { withActing } from '#shared/calls/acting.ts';
import type { Database } from '../database/database.ts';
import type { SessionLock } from '../files/session-lock.ts';
import { totalsOf } from './totals.ts';
import type { Outcome, OutgoingCall, Recorder, SentCall } from './record.ts';
import { missingCall, toBuffer, toCall, toSummary } from './rows.ts';
import { finishCall, insertCall, prepare, type Statements } from './statements.ts';

/** Every call that was sent, in SQLite: what writes them down and reads them again. */
export type HistoryStore = ReturnType<typeof createHistoryStore>;

const interrupted: Failure = {
  kind: 'interrupted',
  phase: 'send',
  message: 'Croupier ended before the response arrived.',
  hint: '',
};

/** The same of a call that only reads, and of any other. */
const interruptions = (['reads', 'pays'] as const).map((effect) => JSON.stringify(withActing(interrupted, effect)));

/** Longer bodies are taken from the log to the file in a step of its own. */
const longBytes = 1_048_576;

/** Creates the history in `database`; `run` shows which pending rows belong to processes that are gone. */
export function createHistoryStore(database: Database, run: SessionLock) {
  let statements: Statements | null = null;
  let closed = false;
  let held = false;
  // Calls that are in flight together share one transaction and so one flush to the disk.
  const queue = createWriteQueue((jobs) => {
    const ids = database.run((connection) => write(connection, jobs));
    database.wrote();
    return ids;
  });

  function ready(connection: DatabaseSync): Statements {
    statements ??= prepare(connection);
    return statements;
  }

  function write(connection: DatabaseSync, jobs: readonly Job[]): number[] {
    if (!held && jobs.some((job) => job.kind === 'begin')) {
      run.hold();
      held = true;
    }
    const sql = ready(connection);
    // Taking a long body from the log to the file is a step of its own. In a small cache its pages would be written twice.
    const long = jobs.some((job) => bytesOf(job) > longBytes);
    if (long) connection.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -64000');
    sql.begin.run();
    try {
      const ids = jobs.map((job) => {
        if (job.kind === 'begin') return insertCall(sql, run.token, job.call);
        if (job.kind === 'finish') finishCall(sql, job.id, job.outcome);
        else sql.withdraw.run(job.id);
        return job.id;
      });
      sql.commit.run();
      return ids;
    } catch (error) {
      // A full disk ends the transaction by itself, and then there is nothing left to undo.
      if (connection.isTransaction) sql.rollback.run();
      throw error;
    } finally {
      if (long) {
        connection.exec('PRAGMA wal_autocheckpoint = 1000; PRAGMA cache_size = -2000');
        setImmediate(checkpoint);
      }
    }
  }

  /** Moves the log into the file; if that fails now, the next write does it. */
  function checkpoint(): void {
    if (closed) return;
    try {
      database.run((connection) => connection.exec('PRAGMA wal_checkpoint(PASSIVE)'));
    } catch {
      // Whoever writes or reads next hears what is wrong with the file.
    }
  }

  /** Rows that a dead process left pending become `interrupted`. */
  function settleOrphans(connection: DatabaseSync): void {
    if (database.readOnly()) return;
    const sql = ready(connection);
    for (const row of sql.pendingRuns.all(run.token)) {
      const owner = String(row['run']);
      if (run.isAlive(owner)) continue;
      sql.interrupt.run(...interruptions, owner);
      run.forget(owner);
    }
  }

  function read<T>(work: (connection: DatabaseSync) => T): T {
    if (queue.isWaiting()) queue.flush();
    return database.run((connection) => {
      settleOrphans(connection);
      return work(connection);
    });
  }

  function one(connection: DatabaseSync, id: number) {
    const row = ready(connection).one.get(id);
    if (row === undefined) throw missingCall(id);
    return row;
  }

  /** A call that leaves must survive a power loss. Its outcome survives the end of this process, and the next call's flush takes it along. */
  async function begin(call: OutgoingCall): Promise<number> {
    const id = await new Promise<number>((resolve, reject) => queue.add({ kind: 'begin', call, resolve, reject }));
    try {
      await database.synced();
    } catch (error) {
      // What stays is interrupted when the program ends.
      await withdraw(id).catch(() => undefined);
      throw error;
    }
    return id;
  }

  function withdraw(id: number): Promise<void> {
    return new Promise((resolve, reject) => queue.add({ kind: 'withdraw', id, resolve, reject }));
  }

  return {
    run: run.token,
    begin,
    finish: (...[id, outcome, withinMs]: Parameters<Recorder['finish']>) =>
      new Promise<void>((resolve, reject) => queue.add({ kind: 'finish', id, outcome, resolve, reject }, withinMs)),
    withdraw,
    /** Newest first, from below `before`. */
    page: ({ before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number }): CallPage =>
      read((connection) => ({
        calls: ready(connection).page.all(before, limit).map(toSummary),
        total: totalsOf(connection).calls,
        totalIsExact: true,
        searchedFrom: null,
        rest: null,
      })),
    /** Fails with `not_found`. */
    get: (id: number): Call => read((connection) => toCall(one(connection, id))),
    /** A call with the bytes of its request. Fails with `not_found`. */
    sent: (id: number): SentCall =>
      read((connection) => {
        const row = one(connection, id);
        return { call: toCall(row), body: toBuffer(row['request_body']) };
      }),
    /** Returns the decoded body of the response, or other bytes of the call; empty without them. Fails with `not_found`. */
    body: (id: number, part: KeptPart = 'body'): Uint8Array =>
      read((connection) => {
        const row = ready(connection).parts[part].get(id);
        if (row === undefined) throw missingCall(id);
        return toBuffer(row['bytes']);
      }),
    count: (): number => read((connection) => totalsOf(connection).calls),
    /** Makes rows that dead runs left pending `interrupted`, as every reading does first. */
    settle: (): void => read(() => undefined),
    close(): void {
      closed = true;
      queue.flush();
      statements = null;
    },
  };
}

/** One change of the history that waits to be written. */
export type Job = { reject: (error: unknown) => void } & (
  | { kind: 'begin'; call: OutgoingCall; resolve: (id: number) => void }
  | { kind: 'finish'; id: number; outcome: Outcome; resolve: () => void }
  | { kind: 'withdraw'; id: number; resolve: () => void }
);

/** Number of bytes of bodies that are written in one step: 20 MB take some 50 ms. */
const mostBytesAtOnce = 4_194_304;

/** Most milliseconds in which changes wait for others. */
const mostWaitMs = 5;

/** Returns the number of bytes of bodies that a change writes. */
function bytesOf(job: Job): number {
  if (job.kind === 'finish') return (job.outcome.response?.body.length ?? 0) + (job.outcome.raw?.length ?? 0);
  return job.kind === 'begin' ? job.call.body.length + (job.call.passed?.raw?.length ?? 0) : 0;
}

/**
 * Changes that wait to be written: those of one turn of the event loop together, and of several while more come. Creates the queue.
 * `write` writes several in one transaction and returns an ID for each, or fails and has written none.
 */
export function createWriteQueue(write: (jobs: readonly Job[]) => readonly number[]) {
  let queue: Job[] = [];
  /** The turn of the event loop in which the queue is written; null if none is requested. */
  let turn: NodeJS.Immediate | null = null;
  /** The moment at which it is written at the latest; null if nothing waits for one. */
  let deadline: NodeJS.Timeout | null = null;

  /** Writes it in this turn or, while others come, in one of the next; or within so many milliseconds. */
  function add(job: Job, withinMs = 0): void {
    queue.push(job);
    if (withinMs > 0) deadline ??= setTimeout(flushSome, withinMs);
    else if (turn === null) awaitOthers(1, performance.now() + mostWaitMs);
  }

  /** Writes it once a turn has brought no more: the pages of several are written once. One that is alone waits for nobody. */
  function awaitOthers(known: number, until: number): void {
    turn = setImmediate(() => {
      if (queue.length > known && performance.now() < until) awaitOthers(queue.length, until);
      else flushSome();
    });
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

  /** Writes all of them now. */
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

  return {
    add,
    /** Returns whether some may wait for longer than this turn. */
    isWaiting: (): boolean => deadline !== null,
    flush,
  };
}
