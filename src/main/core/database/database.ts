import { randomBytes } from 'node:crypto';
import { closeSync, fdatasync, linkSync, openSync, statSync, type Stats } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { AppError } from '#shared/errors.ts';
import type { HistoryState } from '#shared/ipc/index.ts';
import { sqliteCode, stateOfFailure, storageFailure } from '../files/disk-failures.ts';
import { migrations } from './migrations.ts';
import { makePrivate } from '../files/private-file.ts';
import { isShareable, isWritable, openReadOnly, readOnlyMessage } from './read-only.ts';
import type { SessionLock } from '../files/session-lock.ts';
import { damageMark, hasOnlyLeftovers, markDamaged, setAside } from './set-aside.ts';
import { renameSync, rmSync } from '../files/moves.ts';

/** `Crup` in ASCII: distinguishes a history from another database and from an emptied file. */
const applicationId = 0x43727570;
/** Older versions can corrupt a write-ahead log that two connections reset at the same time. */
const oldestSqlite = [3, 51, 3];
/** The number that SQLite has for `PRAGMA synchronous = FULL`. */
const full = 2;

export type Database = ReturnType<typeof createDatabase>;

export interface DatabaseOptions {
  readonly steps?: readonly string[];
  /** Milliseconds to wait for another program's lock. */
  readonly busyTimeoutMs?: number;
  /**
   * With it, a file that is not a sound history is renamed and a new one begun, once no other session uses it. Without it, such a
   * file is refused.
   */
  readonly run?: Pick<SessionLock, 'hold' | 'hasOthers' | 'exclusively'>;
  /** Returns milliseconds since the epoch. */
  readonly now?: () => number;
  /** Called after a file was set aside. */
  readonly onSetAside?: (path: string, reason: string) => void;
}

/** Creates the access to the history's file at `path`. Nothing is opened or created before the first use. */
export function createDatabase(path: string, options: DatabaseOptions = {}) {
  const { steps = migrations, busyTimeoutMs = 5_000, run, now = Date.now, onSetAside } = options;
  let connection: DatabaseSync | null = null;
  let damage: AppError | null = null;
  let trouble: { state: HistoryState; message: string } | null = null;
  let unclean = false;
  let closed = false;
  let readOnly = false;
  /** The file that is open: its name may come to mean another. */
  let opened: Stats | undefined;
  let flushesByItself = false;
  const log = createLogFlush(path);

  function openIt(): DatabaseSync {
    const file = { path, steps, busyTimeoutMs };
    if (run === undefined) return openHistory(file);
    try {
      return openAlone(file, run);
    } catch (error) {
      const mayOnlyRead = stateOfFailure(error) === 'readonly' || !isShareable(path);
      const found = mayOnlyRead ? openReadOnly(path, applicationId, steps.length) : null;
      if (found === null) throw error;
      readOnly = true;
      trouble = { state: 'readonly', message: readOnlyMessage(path) };
      return found;
    }
  }

  function openAlone(file: HistoryFile, run: NonNullable<DatabaseOptions['run']>): DatabaseSync {
    // One process at a time, so that none opens by its name a file that another one is renaming.
    return run.exclusively(() => {
      unclean = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0 && !run.hasOthers();
      const opened = openOrSetAside(file, run, now, onSetAside);
      try {
        run.hold();
      } catch (error) {
        opened.close();
        throw error;
      }
      return opened;
    });
  }

  function endUse(failure: AppError): void {
    // A damaged page may still take inserts that are lost later: the first report ends all use in this session.
    damage = failure;
    markDamaged(path, failure.message);
  }

  /** Returns the error for a file that somebody removed: SQLite goes on with it, and loses what it then takes. */
  function removal(): AppError | null {
    if (opened === undefined || damage !== null) return null;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.ino === opened.ino && found.dev === opened.dev) return null;
    damage = new AppError(
      'storage',
      `The history ${path} was removed or replaced while in use. Restart Croupier: it sends nothing that it can't record.`,
      { state: 'unavailable' },
    );
    return damage;
  }

  /** Replaces a failure to write with the message for a read-only history. */
  function inReadOnly(failure: unknown): unknown {
    if (!readOnly || stateOfFailure(failure) !== 'readonly') return failure;
    return new AppError('storage', readOnlyMessage(path), { state: 'readonly' }, { cause: failure });
  }

  const database = {
    path,
    /** Opens at the first use, so that a program that needs no history pays nothing. Fails with `storage`. */
    connection(): DatabaseSync {
      if (damage !== null) throw damage;
      // A late use must not open it again behind the program's back.
      if (closed) throw new AppError('cancelled', 'Croupier is closing.');
      if (connection === null) {
        connection = openIt();
        opened = statSync(path, { throwIfNoEntry: false });
        flushesByItself = pragma(connection, 'synchronous') === full;
      }
      return connection;
    },
    /** Runs `work` and turns any failure of SQLite into an AppError with code `storage`. */
    run<T>(work: (connection: DatabaseSync) => T): T {
      try {
        const result = work(database.connection());
        const removed = removal();
        if (removed !== null) throw removed;
        // A disk that is full or read-only can still be read; every other obstacle is over.
        if (trouble?.state === 'locked' || trouble?.state === 'unavailable') trouble = null;
        return result;
      } catch (error) {
        const removed = removal();
        const failure = removed ?? inReadOnly(storageFailure(path, error));
        if (failure instanceof AppError && failure.code === 'storage') {
          trouble = { state: stateOfFailure(failure), message: failure.message };
          if (removed === null && sqliteCode(error) === 11) endUse(failure);
        }
        throw failure;
      }
    },
    /** Returns whether the file's folder cannot be written, so that the file was opened only for reading. Opens it. */
    readOnly(): boolean {
      database.connection();
      return readOnly;
    },
    /** Resolves once everything that was written so far is on the disk, while this thread goes on. Fails with `storage`. */
    async synced(): Promise<void> {
      database.connection();
      if (flushesByItself) return;
      try {
        await log.flush();
      } catch (error) {
        database.run(() => {
          throw error;
        });
      }
    },
    /** Reports that a write went through: the obstacle of the one before is over. */
    wrote: (): void => void (trouble = null),
    /** Returns the state and message of the last failure; null if the history can be used. */
    trouble: (): { readonly state: HistoryState; readonly message: string } | null => trouble,
    /** Reports damage that another reader found in the file: its use ends for this session, and the next one sets it aside. */
    reportDamage(message: string): void {
      const failure = new AppError('storage', `The history ${path} cannot be used: ${message}.`, { state: 'damaged' });
      trouble = { state: 'damaged', message: failure.message };
      endUse(failure);
    },
    /** Returns whether the session that used the file before ended without closing it, as far as this open shows. */
    leftUnclean: (): boolean => unclean,
    close(): void {
      closed = true;
      connection?.close();
      connection = null;
      log.close();
    },
  };
  return database;
}

const datasync = promisify(fdatasync);

/**
 * Takes what SQLite wrote to a write-ahead log to the disk, in a thread of Node's pool. Creates the flush of the log of the database at
 * `path`, which opens the log when it is first asked.
 */
export function createLogFlush(path: string) {
  let log: number | null = null;
  /** The flush that was begun last; never rejects. */
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function begin(): Promise<void> {
    next = null;
    log ??= openSync(`${path}-wal`, 'r+');
    await datasync(log);
  }

  return {
    /** Resolves once all that was written before is on the disk. Fails as the system does. */
    flush(): Promise<void> {
      // Whoever asks while one goes on shares the one after it.
      next ??= current.then(() => {
        const begun = begin();
        current = begun.catch(() => undefined);
        return begun;
      });
      return next;
    },
    close(): void {
      void Promise.allSettled([current, next]).then(() => {
        if (log !== null) closeSync(log);
        log = null;
      });
    },
  };
}

interface HistoryFile {
  readonly path: string;
  readonly steps: readonly string[];
  readonly busyTimeoutMs: number;
}

/** Opens the history; if the file is not a sound one, renames it and creates a new one. */
function openOrSetAside(
  file: HistoryFile,
  run: Pick<SessionLock, 'hasOthers'>,
  now: () => number,
  onSetAside: DatabaseOptions['onSetAside'],
): DatabaseSync {
  const { path } = file;
  let reason = damageMark(path) ?? (hasOnlyLeftovers(path) ? 'left its write-ahead log behind' : null);
  if (reason === null) {
    try {
      return openHistory(file);
    } catch (error) {
      reason = reasonToSetAside(error);
      if (reason === null) throw error;
    }
  }
  if (run.hasOthers()) {
    throw new AppError(
      'storage',
      `The history ${path} ${reason}, and another copy of Croupier is using it. Close that copy and restart Croupier, which then sets the file aside.`,
      { state: 'damaged' },
    );
  }
  const aside = setAside(path, reason, now());
  onSetAside?.(aside, reason);
  return openHistory(file);
}

function reasonToSetAside(error: unknown): string | null {
  if (error instanceof NotOurs) return error.what;
  const code = sqliteCode(error);
  if (code === 26) return 'is not a database';
  return code === 11 ? 'is damaged' : null;
}

function openHistory({ path, steps, busyTimeoutMs }: HistoryFile): DatabaseSync {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) createHistoryStore(path, steps);
  else if (found.size === 0) throw new NotOurs(path, 'is empty');
  const connection = open(path, busyTimeoutMs);
  try {
    const id = pragma(connection, 'application_id');
    if (id !== applicationId) throw new NotOurs(path, 'was not made by Croupier');
    assertOwn(connection, path, steps);
    migrate(connection, path, steps);
    // SQLite opens a file that may not be written all the same, and fails with the first call.
    if (!isWritable(path)) throw new AppError('storage', readOnlyMessage(path), { state: 'readonly' });
    // From here on SQLite leaves the flush of its log to `synced`, but before a page goes from the log to the file. Where there can be
    // no such log it flushes by itself.
    const mode = connection.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
    if (mode === 'wal') connection.exec('PRAGMA synchronous = NORMAL');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Creates the file under another name and links it into place whole, so that an empty file always means that something emptied it.
 */
function createHistoryStore(path: string, steps: readonly string[]): void {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    // SQLite would make it readable for everybody; its log takes the mode of the file.
    makePrivate(temporary);
    const connection = open(temporary, 5_000);
    try {
      assertVersion(connection);
      // A call touches a dozen pages, each written whole to the log: small ones are the least to write. Files of earlier versions
      // keep theirs of 8 kB: changing that would rewrite the whole file while nobody else has it open. With the second setting,
      // space that retention frees goes back to the disk.
      connection.exec('PRAGMA page_size = 2048; PRAGMA auto_vacuum = INCREMENTAL');
      connection.exec(`PRAGMA application_id = ${applicationId}`);
      migrate(connection, temporary, steps);
      if (steps === migrations) connection.exec('UPDATE history_identity SET erases = 1');
    } finally {
      connection.close();
    }
    try {
      linkSync(temporary, path);
    } catch (error) {
      // Another process created it in the meantime: that one is as good. Some file systems have no links; there a rename has to do.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(temporary, path);
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

function open(path: string, busyTimeoutMs: number): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  // Overwrites removed data with zeros, on the page and in pages that become free. What a statement with triggers would undo is kept
  // in memory: a file for it would take longer than the statement.
  connection.exec(
    'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY',
  );
  return connection;
}

function migrate(connection: DatabaseSync, path: string, steps: readonly string[]): void {
  if (pragma(connection, 'user_version') === steps.length) return;
  connection.exec('BEGIN IMMEDIATE');
  try {
    // Read again under the lock: another process may have been faster.
    const version = pragma(connection, 'user_version');
    if (version > steps.length) {
      throw new AppError(
        'storage',
        `The history ${path} was written by a newer version of Croupier. Use that version, or another home.`,
        { state: 'newer', version, known: steps.length },
      );
    }
    const next = steps[version];
    if (next !== undefined) {
      connection.exec(next);
      connection.exec(`PRAGMA user_version = ${version + 1}`);
    }
    connection.exec('COMMIT');
  } catch (error) {
    connection.exec('ROLLBACK');
    throw error;
  }
  migrate(connection, path, steps);
}

/** Refuses what somebody else put into a history: a trigger could drop a call that leaves, a view never end. */
function assertOwn(connection: DatabaseSync, path: string, steps: readonly string[]): void {
  // One of a newer version is refused as that.
  if (pragma(connection, 'user_version') > steps.length) return;
  const own = [...steps.join('\n').matchAll(/CREATE TRIGGER (\w+)/g)].map(([, name]) => name);
  const foreign = connection
    .prepare(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view') AND name NOT IN (SELECT value FROM json_each(?))",
    )
    .get(JSON.stringify(own));
  if (foreign === undefined) return;
  throw new AppError(
    'storage',
    `The history ${path} has a ${String(foreign['type'])} that Croupier did not create: ${String(foreign['name']).slice(0, 80)}. Remove it, or move the file away.`,
    { state: 'unavailable' },
  );
}

function pragma(connection: DatabaseSync, name: string): number {
  return Number(connection.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function assertVersion(connection: DatabaseSync): void {
  const version = String(connection.prepare('SELECT sqlite_version() AS version').get()?.['version']);
  const parts = version.split('.').map(Number);
  const difference = oldestSqlite.map((part, index) => (parts[index] ?? 0) - part).find((part) => part !== 0) ?? 0;
  if (difference < 0) {
    throw new AppError(
      'storage',
      `SQLite ${version} is too old to keep the history safe. Use the Node.js version that Croupier requires.`,
    );
  }
}

class NotOurs extends AppError {
  readonly what: string;

  constructor(path: string, what: string) {
    super('storage', `The history ${path} ${what}. Croupier changed nothing. Move the file away, or replace it with a backup.`, {
      state: 'damaged',
    });
    this.what = what;
  }
}
