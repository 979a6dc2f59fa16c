import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Call, CallPage, Failure } from '#shared/ipc/index.ts';
import type { Database } from '../database/database.ts';
import type { SessionLock } from '../files/session-lock.ts';
import { totalsOf } from './totals.ts';
import { callQuery, missingCall, responseQuery, summaryColumns, toBuffer, toCall, toSummary } from './rows.ts';
import type { Outcome, OutgoingCall, Recorder, SentCall } from './record.ts';

/** Every call that was sent, in SQLite: what writes them down and reads them again. */
export interface HistoryStore extends Recorder {
  /** Newest first, from below `before`. */
  page(query: { before?: number | undefined; limit: number }): CallPage;
  /** Fails with `not_found`. */
  get(id: number): Call;
  /** A call with the bytes of its request. Fails with `not_found`. */
  sent(id: number): SentCall;
  /** The decoded body of the answer, empty where there is none. Fails with `not_found`. */
  body(id: number): Uint8Array;
  count(): number;
  /** Makes rows that dead runs left pending `interrupted`, as every reading does first. */
  settle(): void;
  close(): void;
}

type Job = { reject: (error: unknown) => void } & (
  | { kind: 'begin'; call: OutgoingCall; resolve: (id: number) => void }
  | { kind: 'finish'; id: number; outcome: Outcome; resolve: () => void }
  | { kind: 'withdraw'; id: number; resolve: () => void }
);

const interrupted: Failure = {
  kind: 'interrupted',
  phase: 'send',
  message: 'The program ended before the response arrived.',
  hint: 'The provider may have acted on this call. Look it up there before you send it again.',
};

/** Bodies that are written in one step: 20 MB take some 50 ms. */
const mostBytesAtOnce = 4_194_304;
const longBytes = 1_048_576;

function bytesOf(job: Job): number {
  if (job.kind === 'finish') return job.outcome.response?.body.length ?? 0;
  return job.kind === 'begin' ? job.call.body.length : 0;
}

/** The history in `database`; `run` tells which pending rows belong to processes that are gone. */
export function createHistoryStore(database: Database, run: SessionLock): HistoryStore {
  let statements: ReturnType<typeof prepare> | null = null;
  let queue: Job[] = [];
  let closed = false;
  /** The turn of the event loop in which the queue is written; null where none is asked for. */
  let turn: NodeJS.Immediate | null = null;
  /** The moment at which it is written at the latest; null where nothing waits for one. */
  let deadline: NodeJS.Timeout | null = null;
  let synchronous: 'FULL' | 'NORMAL' = 'FULL';

  function ready(connection: DatabaseSync): ReturnType<typeof prepare> {
    statements ??= prepare(connection);
    return statements;
  }

  // Calls that are in flight together share one transaction and so one flush to the disk.
  function enqueue(job: Job, withinMs = 0): void {
    queue.push(job);
    if (withinMs > 0) deadline ??= setTimeout(flushSome, withinMs);
    else turn ??= setImmediate(flushSome);
  }

  /** One step of the thread that sends: several long bodies are written in several. */
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
      const ids = database.run((connection) => write(connection, jobs));
      database.wrote();
      jobs.forEach((job, index) => (job.kind === 'begin' ? job.resolve(ids[index] ?? 0) : job.resolve()));
    } catch (error) {
      // Where there is no room for new calls there may be some for the outcomes of those that left.
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

  function write(connection: DatabaseSync, jobs: readonly Job[]): number[] {
    if (jobs.some((job) => job.kind === 'begin')) run.hold();
    const sql = ready(connection);
    // A call that leaves must survive a power loss. An outcome survives the end of this process either way, and the next
    // call's flush takes it to the disk.
    const wanted = jobs.some((job) => job.kind === 'begin') ? 'FULL' : 'NORMAL';
    if (wanted !== synchronous) {
      connection.exec(`PRAGMA synchronous = ${wanted}`);
      synchronous = wanted;
    }
    // Taking a long body from the log to the file is a step of its own.
    const long = jobs.some((job) => bytesOf(job) > longBytes);
    if (long) connection.exec('PRAGMA wal_autocheckpoint = 0');
    sql.begin.run();
    try {
      const ids = jobs.map((job) => {
        if (job.kind === 'begin') return insert(sql, job.call);
        if (job.kind === 'finish') complete(sql, job.id, job.outcome);
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
        connection.exec('PRAGMA wal_autocheckpoint = 1000');
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
      // Whoever writes or reads next is told what is wrong with the file.
    }
  }

  function insert(sql: ReturnType<typeof prepare>, call: OutgoingCall): number {
    const { environment, masked } = call;
    // What the history has of a request with a key in it never had the key.
    const { draft, url, body, hashInput, hash } = masked ?? call;
    const { lastInsertRowid } = sql.insertCall.run(
      environment.id,
      environment.name,
      draft.operation,
      url,
      call.sentAt,
      run.token,
      call.body.length,
      call.repeats,
      call.collectionRun?.id ?? null,
      call.collectionRun?.path ?? null,
      masked ? JSON.stringify(masked.keys) : null,
    );
    const id = Number(lastInsertRowid);
    sql.insertRequest.run(
      id,
      JSON.stringify(draft),
      JSON.stringify(call.headers),
      body,
      hashInput?.time ?? null,
      hashInput?.hasData ? hashInput.dataOffset : null,
      hashInput?.hasData ? hashInput.dataLength : null,
      hash,
      call.keyFingerprint,
    );
    return id;
  }

  function complete(sql: ReturnType<typeof prepare>, id: number, outcome: Outcome): void {
    const { response, failure, timings } = outcome;
    sql.finishCall.run(
      outcome.state,
      response?.status ?? null,
      outcome.code,
      outcome.message,
      failure === null ? null : JSON.stringify(failure),
      timings?.total ?? null,
      response?.body.length ?? null,
      id,
    );
    sql.insertResponse.run(
      id,
      response === null ? null : JSON.stringify(response.headers),
      response?.body ?? null,
      response?.truncated ? 1 : 0,
      timings === null ? null : JSON.stringify(timings),
      outcome.clockOffsetMs,
      JSON.stringify(outcome.findings),
    );
  }

  /** Rows that a dead process left pending become `interrupted`. */
  function settleOrphans(connection: DatabaseSync): void {
    if (database.readOnly()) return;
    const sql = ready(connection);
    for (const row of sql.pendingRuns.all(run.token)) {
      const owner = String(row['run']);
      if (run.isAlive(owner)) continue;
      sql.interrupt.run(JSON.stringify(interrupted), owner);
      run.forget(owner);
    }
  }

  function read<T>(work: (connection: DatabaseSync) => T): T {
    if (deadline !== null) flush();
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

  return {
    run: run.token,
    begin: (call) => new Promise<number>((resolve, reject) => enqueue({ kind: 'begin', call, resolve, reject })),
    finish: (id, outcome, withinMs) =>
      new Promise<void>((resolve, reject) => enqueue({ kind: 'finish', id, outcome, resolve, reject }, withinMs)),
    withdraw: (id) => new Promise<void>((resolve, reject) => enqueue({ kind: 'withdraw', id, resolve, reject })),
    page: ({ before = Number.MAX_SAFE_INTEGER, limit }) =>
      read((connection) => ({
        calls: ready(connection).page.all(before, limit).map(toSummary),
        total: totalsOf(connection).calls,
        totalIsExact: true,
        searchedFrom: null,
        rest: null,
      })),
    get: (id) => read((connection) => toCall(one(connection, id))),
    sent: (id) =>
      read((connection) => {
        const row = one(connection, id);
        return { call: toCall(row), body: toBuffer(row['request_body']) };
      }),
    body: (id) =>
      read((connection) => {
        const row = ready(connection).body.get(id);
        if (row === undefined) throw missingCall(id);
        return toBuffer(row['body']);
      }),
    count: () => read((connection) => totalsOf(connection).calls),
    settle: () => read(() => undefined),
    close() {
      closed = true;
      flush();
      statements = null;
    },
  };
}

function prepare(connection: DatabaseSync) {
  const sql = (text: string): StatementSync => connection.prepare(text);
  return {
    begin: sql('BEGIN IMMEDIATE'),
    commit: sql('COMMIT'),
    rollback: sql('ROLLBACK'),
    insertCall: sql(
      'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes, repeats, ' +
        "collection_run, request_path, masked_keys) VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?)",
    ),
    insertRequest: sql('INSERT INTO call_requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    finishCall: sql(
      'UPDATE calls SET state = ?, status = ?, code = ?, message = ?, failure = ?, duration_ms = ?, response_bytes = ? WHERE id = ?',
    ),
    withdraw: sql("DELETE FROM calls WHERE id = ? AND state = 'pending'"),
    insertResponse: sql('INSERT OR REPLACE INTO call_responses VALUES (?, ?, ?, ?, ?, ?, ?)'),
    pendingRuns: sql("SELECT DISTINCT run FROM calls WHERE state = 'pending' AND run <> ?"),
    interrupt: sql("UPDATE calls SET state = 'interrupted', failure = ? WHERE state = 'pending' AND run = ?"),
    page: sql(`SELECT ${summaryColumns} FROM calls c WHERE c.id < ? AND c.deleted_by IS NULL ORDER BY c.id DESC LIMIT ?`),
    one: sql(callQuery),
    body: sql(responseQuery),
  };
}
