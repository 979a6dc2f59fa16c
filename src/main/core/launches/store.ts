import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import type { Launch, LaunchEntry, LaunchPicture, LaunchRules } from '#shared/ipc/index.ts';
import { judgeLaunch, judgeOldLaunch, rulesName } from '#shared/launches/judge.ts';
import type { Database } from '../database/database.ts';
import { toBuffer } from '../history/rows.ts';

/** The stored part of a launch: everything that may be shown, and no URL with a token. */
export type StoredLaunch = Omit<Launch, 'state' | 'pictures' | 'note'>;

/** A launch as it stands in its row; `rules`: the name of the rules that judged it. Rows of earlier versions lack the last members. */
type Row = Omit<StoredLaunch, Later> & Partial<Pick<StoredLaunch, Later>> & { readonly rules?: string };
type Later = 'lang' | 'playerId' | 'country' | 'ip' | 'verdict' | 'overruled';

/** An entry as it stands in its row. */
type EntryRow = Omit<LaunchEntry, 'count' | 'lastAt' | 'signal'> & Partial<Pick<LaunchEntry, 'count' | 'lastAt' | 'signal'>>;

/** A launch, and what the user keeps beside it. */
export interface FoundLaunch {
  readonly launch: StoredLaunch;
  readonly beside: Pick<Launch, 'pictures' | 'note'>;
}

/** Launches and their records, in SQLite; the one place that reads and writes their tables. */
export interface LaunchStore {
  /** Adds the launch, or replaces the earlier state, and drops the oldest ones beyond the limit. */
  save(launch: StoredLaunch): void;
  addEntries(id: string, entries: readonly LaunchEntry[]): void;
  addPicture(id: string, takenAt: number, png: Uint8Array): LaunchPicture;
  /** Null if there is none of that number. */
  picture(id: string, number: number): Buffer | null;
  removePicture(id: string, number: number): void;
  setNote(id: string, note: string): void;
  /** Newest first. */
  list(limit: number): FoundLaunch[];
  /** Fails with `not_found`. */
  get(id: string): FoundLaunch;
  entries(id: string): LaunchEntry[];
  /** Every launch that is kept, oldest first. */
  all(): FoundLaunch[];
  /** With its record and its pictures; gone for good. */
  remove(id: string): void;
}

/** `rulesOf` returns the rules of an environment. `keep`: how many launches stay, with that which is saved: a clock that was set back must not cost it. */
export function createLaunchStore(database: Database, rulesOf: (environmentId: string) => LaunchRules, keep = 200): LaunchStore {
  const columns = `launch, note, (SELECT json_group_array(json_object('number', number, 'takenAt', taken_at) ORDER BY number)
    FROM launch_pictures WHERE launch_id = launches.id) AS pictures`;

  function rowsOf(connection: DatabaseSync, id: string): EntryRow[] {
    const rows = connection.prepare('SELECT entry FROM launch_entries WHERE launch_id = ? ORDER BY seq').all(id);
    return rows.map((row) => JSON.parse(row['entry'] as string) as EntryRow);
  }

  function put(connection: DatabaseSync, launch: StoredLaunch): void {
    const row = { ...launch, rules: rulesName(rulesOf(launch.environmentId)) } satisfies Row;
    connection
      .prepare(
        'INSERT INTO launches (id, prepared_at, launch) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET launch = excluded.launch',
      )
      .run(launch.id, launch.preparedAt, JSON.stringify(row));
  }

  /** Reads a launch, and judges it again if other rules judged it; the new verdict is kept. */
  function toFound(connection: DatabaseSync, row: Record<string, unknown>): FoundLaunch {
    const { rules, verdict: kept, ...rest } = JSON.parse(row['launch'] as string) as Row;
    const launch = { lang: '', playerId: '', country: '', ip: '', overruled: null, ...rest };
    const beside = { note: row['note'] as string, pictures: JSON.parse(row['pictures'] as string) as LaunchPicture[] };
    const own = rulesOf(launch.environmentId);
    if (kept !== undefined && rules === rulesName(own)) return { launch: { ...launch, verdict: kept }, beside };
    const entries = rowsOf(connection, launch.id);
    if (entries.some(({ signal }) => signal === undefined))
      return { launch: { ...launch, verdict: judgeOldLaunch(launch, own) }, beside };
    const judged = { ...launch, verdict: judgeLaunch(launch, entries.map(toEntry), own) };
    put(connection, judged);
    return { launch: judged, beside };
  }

  return {
    save: (launch) =>
      database.run((connection) => {
        put(connection, launch);
        connection
          .prepare(
            'DELETE FROM launches WHERE id NOT IN (SELECT id FROM launches ORDER BY id = ? DESC, prepared_at DESC LIMIT ?)',
          )
          .run(launch.id, keep);
      }),
    addEntries: (id, entries) =>
      database.run((connection) => {
        connection.exec('BEGIN IMMEDIATE');
        try {
          const insert = connection.prepare('INSERT OR REPLACE INTO launch_entries VALUES (?, ?, ?)');
          for (const entry of entries) insert.run(id, entry.seq, JSON.stringify(entry));
          connection.exec('COMMIT');
        } catch (error) {
          if (connection.isTransaction) connection.exec('ROLLBACK');
          throw error;
        }
      }),
    addPicture: (id, takenAt, png) =>
      database.run((connection) => {
        const added = connection
          .prepare(
            'INSERT INTO launch_pictures SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM launch_pictures WHERE launch_id = ?1 RETURNING number',
          )
          .get(id, takenAt, png);
        return { number: Number(added?.['number']), takenAt };
      }),
    picture: (id, number) =>
      database.run((connection) => {
        const found = connection.prepare('SELECT png FROM launch_pictures WHERE launch_id = ? AND number = ?').get(id, number);
        return found === undefined ? null : toBuffer(found['png']);
      }),
    removePicture: (id, number) =>
      void database.run((connection) =>
        connection.prepare('DELETE FROM launch_pictures WHERE launch_id = ? AND number = ?').run(id, number),
      ),
    setNote: (id, note) =>
      void database.run((connection) => connection.prepare('UPDATE launches SET note = ? WHERE id = ?').run(note, id)),
    list: (limit) =>
      database.run((connection) =>
        connection
          .prepare(`SELECT ${columns} FROM launches ORDER BY prepared_at DESC LIMIT ?`)
          .all(limit)
          .map((row) => toFound(connection, row)),
      ),
    get: (id) =>
      database.run((connection) => {
        const row = connection.prepare(`SELECT ${columns} FROM launches WHERE id = ?`).get(id);
        if (row === undefined)
          throw new AppError('not_found', 'There is no such launch. It may have been dropped for newer ones.');
        return toFound(connection, row);
      }),
    entries: (id) => database.run((connection) => rowsOf(connection, id).map(toEntry)),
    all: () =>
      database.run((connection) =>
        connection
          .prepare(`SELECT ${columns} FROM launches ORDER BY prepared_at`)
          .all()
          .map((row) => toFound(connection, row)),
      ),
    remove: (id) => void database.run((connection) => connection.prepare('DELETE FROM launches WHERE id = ?').run(id)),
  };
}

/** Fills in what an entry of an earlier version lacks. */
function toEntry(row: EntryRow): LaunchEntry {
  return { ...row, count: row.count ?? 1, lastAt: row.lastAt ?? row.at, signal: row.signal ?? null };
}
