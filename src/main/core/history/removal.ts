import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import type { Database } from '../database/database.ts';
import type { SessionLock } from '../files/session-lock.ts';

/** The user's actions on recorded calls. */
export type Removal = ReturnType<typeof createRemoval>;

const batch = 100;

export function createRemoval(database: Database, run: SessionLock) {
  /** Runs `work` in a transaction that nobody else writes in. */
  function change<T>(work: (connection: DatabaseSync) => T): T {
    return database.run((connection) => {
      connection.exec('BEGIN IMMEDIATE');
      try {
        const result = work(connection);
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        if (connection.isTransaction) connection.exec('ROLLBACK');
        throw error;
      }
    });
  }

  function set(id: number, column: 'pinned' | 'note', value: number | string): void {
    const { changes } = database.run((connection) =>
      connection.prepare(`UPDATE calls SET ${column} = ? WHERE id = ? AND deleted_by IS NULL`).run(value, id),
    );
    if (Number(changes) === 0) throw new AppError('not_found', `There is no call ${id} in the history.`);
  }

  function purge(connection: DatabaseSync, ids: readonly number[], which: 'any' | 'unpinned' = 'any'): number {
    const condition = which === 'any' ? '' : ' AND pinned = 0 AND deleted_by IS NULL';
    const drop = connection.prepare(`DELETE FROM calls WHERE id = ? AND state <> 'pending'${condition}`);
    return ids.reduce((sum, id) => sum + Number(drop.run(id).changes), 0);
  }

  return {
    /** Fails with `not_found`. */
    pin: (id: number, pinned: boolean): void => set(id, 'pinned', pinned ? 1 : 0),
    /** Fails with `not_found`. */
    note: (id: number, note: string): void => set(id, 'note', note),
    /**
     * Returns the calls that are now deleted; they can be restored while this session lives. Pending and missing ones are left out.
     */
    remove(ids: readonly number[]): number[] {
      // Others must see that the run lives whose deletions they have to leave alone.
      run.hold();
      return change((connection) => {
        const mark = connection.prepare(
          "UPDATE calls SET deleted_by = ? WHERE id = ? AND deleted_by IS NULL AND state <> 'pending'",
        );
        return ids.filter((id) => Number(mark.run(run.token, id).changes) > 0);
      });
    },
    restore: (ids: readonly number[]): number[] =>
      change((connection) => {
        const clear = connection.prepare('UPDATE calls SET deleted_by = NULL WHERE id = ? AND deleted_by IS NOT NULL');
        return ids.filter((id) => Number(clear.run(id).changes) > 0);
      }),
    /** Removes for good some calls that dead sessions had deleted; returns their number. */
    empty: (): number =>
      change((connection) => {
        const owners = connection.prepare('SELECT DISTINCT deleted_by AS run FROM calls WHERE deleted_by IS NOT NULL').all();
        const dead = owners.map((row) => String(row['run'])).find((token) => !run.isAlive(token));
        if (dead === undefined) return 0;
        const rows = connection.prepare('SELECT id FROM calls WHERE deleted_by = ? LIMIT ?').all(dead, batch);
        return purge(
          connection,
          rows.map(({ id }) => Number(id)),
        );
      }),
    /** Removes for good some of the calls that this session deleted; returns their number. The next session removes the rest. */
    emptyOwn: (): number =>
      change((connection) => {
        const rows = connection.prepare('SELECT id FROM calls WHERE deleted_by = ? LIMIT ?').all(run.token, batch);
        return purge(
          connection,
          rows.map(({ id }) => Number(id)),
        );
      }),
    /**
     * Removes these for good, except pending ones; returns their number. `unpinned`: only those that are neither pinned nor deleted
     * by somebody now. To be called with a batch.
     */
    purge: (ids: readonly number[], which?: 'any' | 'unpinned'): number => change((connection) => purge(connection, ids, which)),
    within: change,
  };
}
