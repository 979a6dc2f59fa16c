import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import type { Retention } from '#shared/ipc/index.ts';
import type { Database } from '../database/database.ts';
import type { RunLock } from '../database/run-lock.ts';

/** What the user does to calls that are there, and what retention does. */
export interface Removal {
  /** Fails with `not_found`. */
  pin(id: number, pinned: boolean): void;
  /** Fails with `not_found`. */
  note(id: number, note: string): void;
  /** Gives back the calls that are now deleted; they can be restored while this run lives. Pending and missing ones are left out. */
  remove(ids: readonly number[]): number[];
  restore(ids: readonly number[]): number[];
  /** Removes for good some calls that runs which are gone had deleted; gives back how many. */
  empty(): number;
  /** Removes for good some of what this run deleted; gives back how many. What is left is removed by the next run. */
  emptyOwn(): number;
  /** Removes these for good, whoever deleted them, except pending ones; gives back how many. To be called with a batch. */
  purge(ids: readonly number[]): number;
  /** Removes for good some of the oldest calls that are not to be kept; gives back how many. */
  retain(retention: Retention, now: number): number;
}

const batch = 100;
const day = 86_400_000;

export function createRemoval(database: Database, run: RunLock): Removal {
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

  function purge(connection: DatabaseSync, ids: readonly number[]): number {
    const drop = connection.prepare("DELETE FROM calls WHERE id = ? AND state <> 'pending'");
    return ids.reduce((sum, id) => sum + Number(drop.run(id).changes), 0);
  }

  return {
    pin: (id, pinned) => set(id, 'pinned', pinned ? 1 : 0),
    note: (id, note) => set(id, 'note', note),
    remove(ids) {
      // Others must see that the run lives whose deletions they have to leave alone.
      run.hold();
      return change((connection) => {
        const mark = connection.prepare(
          "UPDATE calls SET deleted_by = ? WHERE id = ? AND deleted_by IS NULL AND state <> 'pending'",
        );
        return ids.filter((id) => Number(mark.run(run.token, id).changes) > 0);
      });
    },
    restore: (ids) =>
      change((connection) => {
        const clear = connection.prepare('UPDATE calls SET deleted_by = NULL WHERE id = ? AND deleted_by IS NOT NULL');
        return ids.filter((id) => Number(clear.run(id).changes) > 0);
      }),
    empty: () =>
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
    emptyOwn: () =>
      change((connection) => {
        const rows = connection.prepare('SELECT id FROM calls WHERE deleted_by = ? LIMIT ?').all(run.token, batch);
        return purge(
          connection,
          rows.map(({ id }) => Number(id)),
        );
      }),
    purge: (ids) => change((connection) => purge(connection, ids)),
    retain(retention, now) {
      if (retention.maxAgeDays === null && retention.maxCalls === null && retention.maxBytes === null) return 0;
      return change((connection) => {
        const oldest = connection
          .prepare(
            'SELECT id, sent_at, request_bytes + coalesce(response_bytes, 0) AS bytes FROM calls ' +
              "WHERE pinned = 0 AND state <> 'pending' AND deleted_by IS NULL ORDER BY id LIMIT ?",
          )
          .all(batch);
        const ids = oldest.map(({ id }) => Number(id));
        const tooOld = now - (retention.maxAgeDays ?? Number.POSITIVE_INFINITY) * day;
        // The first one that is young enough ends it: the rest was sent later.
        const young = oldest.findIndex((row) => Number(row['sent_at']) >= tooOld);
        const aged = young === -1 ? ids.length : young;
        const surplus = retention.maxCalls === null ? 0 : countOf(connection) - retention.maxCalls;
        let excess = retention.maxBytes === null ? 0 : usedBytes(connection) - retention.maxBytes;
        // What a call weighs beside its bodies is left out, so that rather too few are taken than too many: the next batch takes more.
        const light = excess > 0 ? oldest.findIndex(({ bytes }) => (excess -= Number(bytes)) <= 0) : -1;
        const heavy = light === -1 ? (excess > 0 ? ids.length : 0) : light + 1;
        return purge(connection, ids.slice(0, Math.max(aged, surplus, heavy, 0)));
      });
    },
  };
}

/** Calls that are there and not deleted. */
export function countOf(connection: DatabaseSync): number {
  const sql = 'SELECT (SELECT count(*) FROM calls) - (SELECT count(*) FROM calls WHERE deleted_by IS NOT NULL) AS n';
  return Number(connection.prepare(sql).get()?.['n']);
}

/** What the database file holds without what is free for new calls. */
export function usedBytes(connection: DatabaseSync): number {
  const read = (name: string) => Number(connection.prepare(`PRAGMA ${name}`).get()?.[name]);
  return (read('page_count') - read('freelist_count')) * read('page_size');
}
