import { setImmediate } from 'node:timers/promises';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import type { CatalogueSnapshot } from '#shared/ipc/index.ts';
import type { Database } from '../database/database.ts';
import type { GameRow } from './read-games.ts';

/** One snapshot with its games. */
export interface KeptList {
  readonly snapshot: CatalogueSnapshot;
  readonly games: readonly GameRow[];
}

/** Fetched game lists in SQLite; the one place that reads and writes their tables. A long list is read and written in steps. */
export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

/** Most game lists of one environment, and of one currency in it; the limits of calls do not apply to them. */
const mostLists = { currency: 10, environment: 50 } as const;
/** Number of lists that the arrival of one drops. The next arrivals and the next start drop the rest. */
const dropAtOnce = 2;
/** Games that one step reads, writes or drops: some 20 ms. */
const mostInStep = 2_000;
/** Stand in place of the number of games while a list is written, and while it is dropped: nobody is shown it. */
const [beingWritten, beingDropped] = [-1, -2];
/** Milliseconds after which nobody writes a list any more. */
const abandonedMs = 3_600_000;

export function createSnapshotStore(database: Database, most: { currency: number; environment: number } = mostLists) {
  /** One after the other: each is compared with the one before. */
  let written: Promise<unknown> = Promise.resolve();

  /** Returns the lists beyond the limits, of one environment or of all, and those that are dropped only in part. */
  function beyond(connection: DatabaseSync, environmentId: string | null): number[] {
    const rows = connection
      .prepare(
        'SELECT id FROM (SELECT id, fetched_at, games, row_number() OVER (PARTITION BY environment_id, currency ORDER BY fetched_at DESC, id DESC) AS in_currency, ' +
          'row_number() OVER (PARTITION BY environment_id ORDER BY fetched_at DESC, id DESC) AS in_all ' +
          'FROM catalogue_snapshots WHERE ?1 IS NULL OR environment_id = ?1) ' +
          'WHERE games <> ?4 AND (in_currency > ?2 OR in_all > ?3) OR games = ?5 OR games = ?4 AND fetched_at < ?6 ORDER BY fetched_at, id',
      )
      .all(environmentId, most.currency, most.environment, beingWritten, beingDropped, Date.now() - abandonedMs);
    return rows.map(({ id }) => Number(id));
  }

  /** Drops the last games of a list, and the list with its first ones. */
  function remove(connection: DatabaseSync, id: number): void {
    const { n } = connection.prepare('SELECT count(*) AS n FROM catalogue_games WHERE snapshot_id = ?').get(id) ?? { n: 0 };
    const left = Number(n) - mostInStep;
    if (left <= 0) {
      connection.prepare('DELETE FROM catalogue_snapshots WHERE id = ?').run(id);
      return;
    }
    connection.prepare('UPDATE catalogue_snapshots SET games = ? WHERE id = ?').run(beingDropped, id);
    connection.prepare('DELETE FROM catalogue_games WHERE snapshot_id = ? AND position >= ?').run(id, left);
  }

  function inTransaction<T>(work: (connection: DatabaseSync) => T): T {
    return database.run((connection) => {
      connection.exec('BEGIN IMMEDIATE');
      try {
        const done = work(connection);
        connection.exec('COMMIT');
        return done;
      } catch (error) {
        if (connection.isTransaction) connection.exec('ROLLBACK');
        throw error;
      }
    });
  }

  const rowsFrom = (id: number, position: number) =>
    database.run((connection) =>
      connection.prepare(`${gamesOf} AND position >= ? ORDER BY position LIMIT ?`).all(id, position, mostInStep),
    ) as unknown as GameRow[];

  /** Returns the last snapshot in that currency with the newer call, if it holds the same games; else null. */
  async function seenAgain(
    snapshot: Omit<CatalogueSnapshot, 'id' | 'games'>,
    games: readonly GameRow[],
  ): Promise<CatalogueSnapshot | null> {
    const last = database.run((connection) => {
      const where = `WHERE environment_id = ? AND currency = ? AND games >= 0 ${newestFirst} LIMIT 1`;
      const row = connection.prepare(`SELECT * FROM catalogue_snapshots ${where}`).get(snapshot.environmentId, snapshot.currency);
      return row === undefined ? null : toSnapshot(row);
    });
    if (last?.games !== games.length || JSON.stringify(last.problems) !== JSON.stringify(snapshot.problems)) return null;
    for (let at = 0; at < games.length; at += mostInStep) {
      if (at > 0) await setImmediate();
      if (!isSame(rowsFrom(last.id, at), games.slice(at, at + mostInStep))) return null;
    }
    if (snapshot.fetchedAt < last.fetchedAt) return last;
    database.run((connection) =>
      connection
        .prepare('UPDATE catalogue_snapshots SET environment_name = ?, call_id = ?, fetched_at = ? WHERE id = ?')
        .run(snapshot.environmentName, snapshot.callId, snapshot.fetchedAt, last.id),
    );
    return { ...snapshot, id: last.id, games: last.games };
  }

  async function write(snapshot: Omit<CatalogueSnapshot, 'id' | 'games'>, games: readonly GameRow[]): Promise<CatalogueSnapshot> {
    let id = 0;
    for (let at = 0; at === 0 || at < games.length; at += mostInStep) {
      if (at > 0) await setImmediate();
      inTransaction((connection) => {
        if (at === 0) id = insertSnapshot(connection, snapshot);
        insertGames(connection, id, at, games.slice(at, at + mostInStep));
        if (at + mostInStep < games.length) return;
        connection.prepare('UPDATE catalogue_snapshots SET games = ? WHERE id = ?').run(games.length, id);
        for (const old of beyond(connection, snapshot.environmentId).slice(0, dropAtOnce)) remove(connection, old);
      });
    }
    return { ...snapshot, id, games: games.length };
  }

  return {
    /**
     * Keeps a list and drops some of the environment's that are beyond the limits. A list that is the same as the last one in its
     * currency makes no new snapshot: that one takes the newer call and time. Fails with `storage`.
     */
    add(snapshot: Omit<CatalogueSnapshot, 'id' | 'games'>, games: readonly GameRow[]): Promise<CatalogueSnapshot> {
      const kept = written.then(async () => (await seenAgain(snapshot, games)) ?? write(snapshot, games));
      written = kept.catch(() => undefined);
      return kept;
    },
    /** Returns snapshots, newest first, of one environment or of all. */
    list: (environmentId?: string): CatalogueSnapshot[] =>
      database.run((connection) =>
        environmentId === undefined
          ? connection.prepare(`SELECT * FROM catalogue_snapshots WHERE games >= 0 ${newestFirst}`).all().map(toSnapshot)
          : connection
              .prepare(`SELECT * FROM catalogue_snapshots WHERE games >= 0 AND environment_id = ? ${newestFirst}`)
              .all(environmentId)
              .map(toSnapshot),
      ),
    /** Returns a text that changes whenever a list is kept or dropped, also by another process. */
    stamp: (): string =>
      database.run((connection) => {
        const row = connection
          .prepare('SELECT count(*) AS n, max(id) AS id, sum(fetched_at) AS times FROM catalogue_snapshots WHERE games >= 0')
          .get();
        return `${String(row?.['n'])} ${String(row?.['id'])} ${String(row?.['times'])}`;
      }),
    /** Fails with `not_found`. */
    async get(id: number): Promise<KeptList> {
      const row = database.run((connection) =>
        connection.prepare('SELECT * FROM catalogue_snapshots WHERE id = ? AND games >= 0').get(id),
      );
      const gone = new AppError('not_found', `There is no game list ${id}. Newer lists may have replaced it.`);
      if (row === undefined) throw gone;
      const snapshot = toSnapshot(row);
      const games: GameRow[] = [];
      for (let at = 0; at < snapshot.games; at += mostInStep) {
        if (at > 0) await setImmediate();
        games.push(...rowsFrom(id, at));
      }
      // It may have been dropped in between.
      if (games.length < snapshot.games) throw gone;
      return { snapshot, games };
    },
    /** Returns the games of a list in one step; none if it is gone. */
    games: (id: number): GameRow[] =>
      database.run((connection) => connection.prepare(`${gamesOf} ORDER BY position`).all(id)) as unknown as GameRow[],
    /** Drops a step of one list beyond the limits, or of an environment that is not among these; returns whether there was one. */
    drop: (environmentIds: readonly string[]): boolean =>
      inTransaction((connection) => {
        const orphan = connection
          .prepare('SELECT id FROM catalogue_snapshots WHERE environment_id NOT IN (SELECT value FROM json_each(?)) LIMIT 1')
          .get(JSON.stringify(environmentIds));
        const id = orphan?.['id'] ?? beyond(connection, null)[0];
        if (id !== undefined) remove(connection, Number(id));
        return id !== undefined;
      }),
  };
}

/** A list that comes again is the newest one, whatever its number. */
const newestFirst = 'ORDER BY fetched_at DESC, id DESC';
const gamesOf = 'SELECT game_id AS id, name, bets, thumbnail, status FROM catalogue_games WHERE snapshot_id = ?';

function insertSnapshot(connection: DatabaseSync, snapshot: Omit<CatalogueSnapshot, 'id' | 'games'>): number {
  const { environmentId, environmentName, currency, callId, fetchedAt, problems } = snapshot;
  const { lastInsertRowid } = connection
    .prepare(
      'INSERT INTO catalogue_snapshots (environment_id, environment_name, currency, call_id, fetched_at, games, problems) ' +
        'VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .run(environmentId, environmentName, currency, callId, fetchedAt, beingWritten, JSON.stringify(problems));
  return Number(lastInsertRowid);
}

function insertGames(connection: DatabaseSync, id: number, from: number, games: readonly GameRow[]): void {
  const insert: StatementSync = connection.prepare('INSERT INTO catalogue_games VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const [at, { id: game, name, bets, thumbnail, status }] of games.entries())
    insert.run(id, from + at, game, name, bets, thumbnail, status);
}

/** Compares rows as texts: no list is parsed. */
function isSame(kept: readonly GameRow[], games: readonly GameRow[]): boolean {
  const same = (one: GameRow, other: GameRow | undefined) => columns.every((column) => one[column] === other?.[column]);
  return kept.length === games.length && kept.every((row, at) => same(row, games[at]));
}

const columns = ['id', 'name', 'bets', 'thumbnail', 'status'] as const satisfies readonly (keyof GameRow)[];

type Row = Record<string, unknown>;

function toSnapshot(row: Row): CatalogueSnapshot {
  return {
    id: row['id'] as number,
    environmentId: row['environment_id'] as string,
    environmentName: row['environment_name'] as string,
    currency: row['currency'] as string,
    callId: row['call_id'] as number,
    fetchedAt: row['fetched_at'] as number,
    games: row['games'] as number,
    problems: JSON.parse(row['problems'] as string) as string[],
  };
}
