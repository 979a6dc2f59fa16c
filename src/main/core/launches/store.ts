import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import type { Launch, LaunchEntry, LaunchRules } from '#shared/ipc/index.ts';
import { judgeLaunch, judgeOldLaunch, rulesName } from '#shared/launches/judge.ts';
import type { Database } from '../database/database.ts';
import { toBuffer } from '../history/rows.ts';

/** The stored part of a launch: everything that may be shown, and no URL with a token. */
export type StoredLaunch = Omit<Launch, 'state' | 'screenshot'>;

/** A launch as it stands in its row; `rules`: the name of the rules that judged it. Rows of earlier versions lack the last members. */
type Row = Omit<StoredLaunch, Later> & Partial<Pick<StoredLaunch, Later>> & { readonly rules?: string };
type Later = 'lang' | 'playerId' | 'country' | 'ip' | 'verdict' | 'overruled';

/** An entry as it stands in its row. */
type EntryRow = Omit<LaunchEntry, 'count' | 'lastAt' | 'signal'> & Partial<Pick<LaunchEntry, 'count' | 'lastAt' | 'signal'>>;

interface FoundLaunch {
  readonly launch: StoredLaunch;
  readonly screenshot: boolean;
}

/** Launches and their records, in SQLite; the one place that reads and writes their tables. */
export interface LaunchStore {
  /** Adds the launch, or replaces the earlier state, and drops the oldest ones beyond the limit. */
  save(launch: StoredLaunch): void;
  addEntries(id: string, entries: readonly LaunchEntry[]): void;
  setScreenshot(id: string, png: Uint8Array): void;
  /** Newest first. */
  list(limit: number): FoundLaunch[];
  /** Fails with `not_found`. */
  get(id: string): FoundLaunch;
  entries(id: string): LaunchEntry[];
  screenshot(id: string): Buffer | null;
  /** Every launch that is kept, oldest first. */
  all(): StoredLaunch[];
  /** With its record and its picture; gone for good. */
  remove(id: string): void;
}

/** `rulesOf` returns the rules of an environment. `keep`: how many launches stay, with that which is saved: a clock that was set back must not cost it. */
export function createLaunchStore(database: Database, rulesOf: (environmentId: string) => LaunchRules, keep = 200): LaunchStore {
  const columns = 'launch, screenshot IS NOT NULL AS has_screenshot';

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
    const screenshot = row['has_screenshot'] === 1;
    const own = rulesOf(launch.environmentId);
    if (kept !== undefined && rules === rulesName(own)) return { launch: { ...launch, verdict: kept }, screenshot };
    const entries = rowsOf(connection, launch.id);
    if (entries.some(({ signal }) => signal === undefined))
      return { launch: { ...launch, verdict: judgeOldLaunch(launch, own) }, screenshot };
    const judged = { ...launch, verdict: judgeLaunch(launch, entries.map(toEntry), own) };
    put(connection, judged);
    return { launch: judged, screenshot };
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
    setScreenshot: (id, png) =>
      void database.run((connection) => connection.prepare('UPDATE launches SET screenshot = ? WHERE id = ?').run(png, id)),
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
          .prepare('SELECT launch, 0 AS has_screenshot FROM launches ORDER BY prepared_at')
          .all()
          .map((row) => toFound(connection, row).launch),
      ),
    remove: (id) => void database.run((connection) => connection.prepare('DELETE FROM launches WHERE id = ?').run(id)),
    screenshot: (id) =>
      database.run((connection) => {
        const found = connection.prepare('SELECT screenshot FROM launches WHERE id = ?').get(id)?.['screenshot'];
        return found === null || found === undefined ? null : toBuffer(found);
      }),
  };
}

/** Fills in what an entry of an earlier version lacks. */
function toEntry(row: EntryRow): LaunchEntry {
  return { ...row, count: row.count ?? 1, lastAt: row.lastAt ?? row.at, signal: row.signal ?? null };
}
