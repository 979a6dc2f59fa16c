import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import type { CatalogueGame, CatalogueSnapshot } from '#shared/ipc/index.ts';
import type { Database } from '../database/database.ts';
import type { SnapshotGames } from './compare-snapshots.ts';

/** Fetched game lists in SQLite; the one place that reads and writes their tables. */
export interface SnapshotStore {
  /**
   * Keeps a list and drops some of the environment's that are beyond the limits. A list that is the same as the last one in its
   * currency makes no new snapshot: that one takes the newer call and time. Fails with `storage`.
   */
  add(snapshot: Omit<CatalogueSnapshot, 'id' | 'games'>, games: readonly CatalogueGame[]): CatalogueSnapshot;
  /** Returns snapshots, newest first, of one environment or of all. */
  list(environmentId?: string): CatalogueSnapshot[];
  /** Returns a text that changes whenever a list is kept or dropped, also by another process. */
  stamp(): string;
  /** Fails with `not_found`. */
  get(id: number): SnapshotGames;
  /** Drops one list beyond the limits, or of an environment that is not among these; returns whether there was one. */
  drop(environmentIds: readonly string[]): boolean;
}

/** Most game lists of one environment, and of one currency in it; the limits of calls do not apply to them. */
const mostLists = { currency: 10, environment: 50 } as const;
/**
 * Number of lists that the arrival of one drops: each may hold 10,000 games. The next arrivals and the next start drop the rest.
 */
const dropAtOnce = 2;

export function createSnapshotStore(
  database: Database,
  most: { currency: number; environment: number } = mostLists,
): SnapshotStore {
  /** Returns the lists beyond the limits, of one environment or of all. */
  function beyond(connection: DatabaseSync, environmentId: string | null): number[] {
    const rows = connection
      .prepare(
        'SELECT id FROM (SELECT id, fetched_at, row_number() OVER (PARTITION BY environment_id, currency ORDER BY fetched_at DESC, id DESC) AS in_currency, ' +
          'row_number() OVER (PARTITION BY environment_id ORDER BY fetched_at DESC, id DESC) AS in_all ' +
          'FROM catalogue_snapshots WHERE ?1 IS NULL OR environment_id = ?1) WHERE in_currency > ?2 OR in_all > ?3 ORDER BY fetched_at, id',
      )
      .all(environmentId, most.currency, most.environment);
    return rows.map(({ id }) => Number(id));
  }
  const remove = (connection: DatabaseSync, id: number) =>
    connection.prepare('DELETE FROM catalogue_snapshots WHERE id = ?').run(id);
  const insertGames = (statement: StatementSync, id: number, games: readonly GameRow[]) => {
    for (const [position, game] of games.entries()) statement.run(id, position, ...game);
  };
  return {
    add: (snapshot, games) =>
      database.run((connection) => {
        const rows = games.map(toRow);
        connection.exec('BEGIN IMMEDIATE');
        try {
          const again = seenAgain(connection, snapshot, rows);
          if (again !== null) {
            connection.exec('COMMIT');
            return again;
          }
          const { lastInsertRowid } = connection
            .prepare(
              'INSERT INTO catalogue_snapshots (environment_id, environment_name, currency, call_id, fetched_at, games, problems) ' +
                'VALUES (?, ?, ?, ?, ?, ?, ?)',
            )
            .run(
              snapshot.environmentId,
              snapshot.environmentName,
              snapshot.currency,
              snapshot.callId,
              snapshot.fetchedAt,
              games.length,
              JSON.stringify(snapshot.problems),
            );
          const id = Number(lastInsertRowid);
          insertGames(connection.prepare('INSERT INTO catalogue_games VALUES (?, ?, ?, ?, ?, ?, ?)'), id, rows);
          for (const old of beyond(connection, snapshot.environmentId).slice(0, dropAtOnce)) remove(connection, old);
          connection.exec('COMMIT');
          return { ...snapshot, id, games: games.length };
        } catch (error) {
          if (connection.isTransaction) connection.exec('ROLLBACK');
          throw error;
        }
      }),
    list: (environmentId) =>
      database.run((connection) =>
        environmentId === undefined
          ? connection.prepare(`SELECT * FROM catalogue_snapshots ${newestFirst}`).all().map(toSnapshot)
          : connection
              .prepare(`SELECT * FROM catalogue_snapshots WHERE environment_id = ? ${newestFirst}`)
              .all(environmentId)
              .map(toSnapshot),
      ),
    stamp: () =>
      database.run((connection) => {
        const row = connection
          .prepare('SELECT count(*) AS n, max(id) AS id, sum(fetched_at) AS times FROM catalogue_snapshots')
          .get();
        return `${String(row?.['n'])} ${String(row?.['id'])} ${String(row?.['times'])}`;
      }),
    get: (id) =>
      database.run((connection) => {
        const row = connection.prepare('SELECT * FROM catalogue_snapshots WHERE id = ?').get(id);
        if (row === undefined)
          throw new AppError('not_found', `There is no game list ${id}. It may have been dropped for newer ones.`);
        return { snapshot: toSnapshot(row), games: gamesOf(connection, id) };
      }),
    drop: (environmentIds) =>
      database.run((connection) => {
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

/** Returns the last snapshot in that currency with the newer call, if it holds the same games; else null. */
function seenAgain(
  connection: DatabaseSync,
  snapshot: Omit<CatalogueSnapshot, 'id' | 'games'>,
  games: readonly GameRow[],
): CatalogueSnapshot | null {
  const row = connection
    .prepare(`SELECT * FROM catalogue_snapshots WHERE environment_id = ? AND currency = ? ${newestFirst} LIMIT 1`)
    .get(snapshot.environmentId, snapshot.currency);
  if (row === undefined) return null;
  const last = toSnapshot(row);
  if (last.games !== games.length || !isSame(rowsOf(connection).iterate(last.id), games)) return null;
  if (JSON.stringify(last.problems) !== JSON.stringify(snapshot.problems)) return null;
  if (snapshot.fetchedAt < last.fetchedAt) return last;
  connection
    .prepare('UPDATE catalogue_snapshots SET environment_name = ?, call_id = ?, fetched_at = ? WHERE id = ?')
    .run(snapshot.environmentName, snapshot.callId, snapshot.fetchedAt, last.id);
  return { ...snapshot, id: last.id, games: last.games };
}

function gamesOf(connection: DatabaseSync, id: number): CatalogueGame[] {
  return rowsOf(connection).all(id).map(toGame);
}

function rowsOf(connection: DatabaseSync): StatementSync {
  return connection.prepare(
    'SELECT game_id, name, bets, thumbnail, status FROM catalogue_games WHERE snapshot_id = ? ORDER BY position',
  );
}

/** A game as its columns are read and written. */
type GameRow = readonly [id: string, name: string, bets: string, thumbnail: string, status: string | null];

function toRow({ id, name, bets, thumbnail, status }: CatalogueGame): GameRow {
  return [id, name, JSON.stringify(bets), thumbnail, status];
}

/** Compares rows as texts: neither list is parsed, and the first difference ends it. */
function isSame(kept: Iterable<Row>, games: readonly GameRow[]): boolean {
  let at = 0;
  for (const row of kept) {
    const game = games[at++];
    if (Object.values(row).some((value, column) => value !== game?.[column])) return false;
  }
  return at === games.length;
}

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

function toGame(row: Row): CatalogueGame {
  return {
    id: row['game_id'] as string,
    name: row['name'] as string,
    bets: JSON.parse(row['bets'] as string) as string[],
    thumbnail: row['thumbnail'] as string,
    status: row['status'] as string | null,
  };
}
