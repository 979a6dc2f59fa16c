import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import { sqliteCode, storageFailure } from './failures.ts';
import { migrations } from './migrations.ts';

/** `Crup` in ASCII: tells our history from a foreign database and from an emptied file. */
const applicationId = 0x43727570;
/** Older versions can corrupt a write-ahead log that two connections reset at the same time. */
const oldestSqlite = [3, 51, 3];
const busyTimeoutMs = 5_000;

export interface Database {
  readonly path: string;
  /** Opens at the first use, so that a program that needs no history pays nothing. Fails with `storage`. */
  connection(): DatabaseSync;
  /** Runs `work` and turns whatever SQLite reports into an AppError with code `storage`. */
  run<T>(work: (connection: DatabaseSync) => T): T;
  close(): void;
}

/** The history's file at `path`. Nothing is opened or made before the first use. */
export function createDatabase(path: string, steps: readonly string[] = migrations): Database {
  let connection: DatabaseSync | null = null;
  let damage: AppError | null = null;

  const database: Database = {
    path,
    connection() {
      if (damage !== null) throw damage;
      connection ??= openHistory(path, steps);
      return connection;
    },
    run(work) {
      try {
        return work(database.connection());
      } catch (error) {
        const failure = storageFailure(path, error);
        // A damaged page may still take inserts that are lost later: the first report ends all use in this run.
        if (sqliteCode(error) === 11 && failure instanceof AppError) damage = failure;
        throw failure;
      }
    },
    close() {
      connection?.close();
      connection = null;
    },
  };
  return database;
}

function openHistory(path: string, steps: readonly string[]): DatabaseSync {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) createHistory(path, steps);
  else if (found.size === 0) throw notOurs(path, 'is empty');
  const connection = open(path);
  try {
    const id = pragma(connection, 'application_id');
    if (id !== applicationId) throw notOurs(path, 'was not made by Croupier');
    migrate(connection, path, steps);
    connection.exec('PRAGMA journal_mode = WAL');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Made under another name and linked into place whole, so that an empty file always means that something emptied it. */
function createHistory(path: string, steps: readonly string[]): void {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const connection = open(temporary);
    try {
      assertVersion(connection);
      connection.exec(`PRAGMA application_id = ${applicationId}`);
      migrate(connection, temporary, steps);
    } finally {
      connection.close();
    }
    try {
      linkSync(temporary, path);
    } catch (error) {
      // Another process made it in the meantime: theirs is as good. Some file systems have no links; there a rename has to do.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(temporary, path);
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

function open(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL');
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
        {
          version,
          known: steps.length,
        },
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

function pragma(connection: DatabaseSync, name: string): number {
  return Number(connection.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function assertVersion(connection: DatabaseSync): void {
  const version = String(connection.prepare('SELECT sqlite_version() AS version').get()?.['version']);
  const parts = version.split('.').map(Number);
  const difference = oldestSqlite.map((part, index) => (parts[index] ?? 0) - part).find((part) => part !== 0) ?? 0;
  if (difference < 0) {
    throw new AppError('storage', `SQLite ${version} is too old to keep the history safe. Use the Node that this project pins.`);
  }
}

function notOurs(path: string, what: string): AppError {
  return new AppError(
    'storage',
    `The history ${path} ${what}. Nothing was changed; move the file away, or put a backup in its place.`,
  );
}
