import type { StatementSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import type { CatalogueGame, CatalogueSnapshot } from '#shared/ipc/index.ts';
import type { Database } from '../database/database.ts';
import type { SnapshotGames } from './compare.ts';

/** Game lists that were fetched, in SQLite; the one place that reads and writes their tables. */
export interface SnapshotStore {
  /** Keeps a list and drops the environment's oldest ones beyond the limit. Fails with `storage`. */
  add(snapshot: Omit<CatalogueSnapshot, 'id' | 'games'>, games: readonly CatalogueGame[]): CatalogueSnapshot;
  /** Newest first, of one environment or of all. */
  list(environmentId?: string): CatalogueSnapshot[];
  /** Fails with `not_found`. */
  get(id: number): SnapshotGames;
}

/** `keep`: how many snapshots of one environment stay. */
export function createSnapshotStore(database: Database, keep = 50): SnapshotStore {
  const insertGames = (statement: StatementSync, id: number, games: readonly CatalogueGame[]) => {
    for (const [position, game] of games.entries()) {
      statement.run(id, position, game.id, game.name, JSON.stringify(game.bets), game.thumbnail, game.status);
    }
  };
  return {
    add: (snapshot, games) =>
      database.run((connection) => {
        connection.exec('BEGIN IMMEDIATE');
        try {
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
          insertGames(connection.prepare('INSERT INTO catalogue_games VALUES (?, ?, ?, ?, ?, ?, ?)'), id, games);
          connection
            .prepare(
              'DELETE FROM catalogue_snapshots WHERE environment_id = ?1 AND id NOT IN ' +
                '(SELECT id FROM catalogue_snapshots WHERE environment_id = ?1 ORDER BY id DESC LIMIT ?2)',
            )
            .run(snapshot.environmentId, keep);
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
          ? connection.prepare('SELECT * FROM catalogue_snapshots ORDER BY id DESC').all().map(toSnapshot)
          : connection
              .prepare('SELECT * FROM catalogue_snapshots WHERE environment_id = ? ORDER BY id DESC')
              .all(environmentId)
              .map(toSnapshot),
      ),
    get: (id) =>
      database.run((connection) => {
        const row = connection.prepare('SELECT * FROM catalogue_snapshots WHERE id = ?').get(id);
        if (row === undefined)
          throw new AppError('not_found', `There is no game list ${id}. It may have been dropped for newer ones.`);
        const games = connection
          .prepare('SELECT game_id, name, bets, thumbnail, status FROM catalogue_games WHERE snapshot_id = ? ORDER BY position')
          .all(id)
          .map(toGame);
        return { snapshot: toSnapshot(row), games };
      }),
  };
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
