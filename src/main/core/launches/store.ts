import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/errors.ts';
import type { Launch, LaunchEntry, LaunchPicture, LaunchRules, LaunchState, Output } from '#shared/ipc/index.ts';
import { judgeLaunch, judgeOldLaunch, rulesName } from '#shared/launches/judge.ts';
import type { Database } from '../database/database.ts';
import { onlyRow } from '../database/only-row.ts';
import { toBuffer } from '../history/rows.ts';

/** The stored part of a launch: everything that may be shown, and no URL with a token. */
export type StoredLaunch = Omit<Launch, 'state' | 'pictures' | 'note'>;

/** A launch as it stands in its row. Rows of earlier versions lack the last members. */
type Row = Omit<StoredLaunch, Later> & Partial<Pick<StoredLaunch, Later>>;
type Later = 'lang' | 'playerId' | 'country' | 'ip' | 'device' | 'verdict' | 'overruled';

/** An entry as it stands in its row. */
type EntryRow = Omit<LaunchEntry, 'count' | 'lastAt' | 'signal'> & Partial<Pick<LaunchEntry, 'count' | 'lastAt' | 'signal'>>;

/** A launch, and what the user keeps beside it. */
export interface FoundLaunch {
  readonly launch: StoredLaunch;
  readonly beside: Pick<Launch, 'pictures' | 'note'>;
}

/** Bytes of all pictures of moments of one launch. */
const mostMomentBytes = 1_000_000;

/** Launches and their records, in SQLite; the one place that reads and writes their tables. */
export type LaunchStore = ReturnType<typeof createLaunchStore>;

/** `rulesOf` returns the rules of an environment; `now` milliseconds since the epoch. */
export function createLaunchStore(
  database: Database,
  rulesOf: (environmentId: string) => LaunchRules,
  now: () => number = Date.now,
) {
  const columns = `launch, rules, note, (SELECT json_group_array(json_object('number', number, 'takenAt', taken_at, 'moment', moment) ORDER BY number)
    FROM launch_pictures WHERE launch_id = launches.id) AS pictures`;

  function rowsOf(connection: DatabaseSync, id: string): EntryRow[] {
    const rows = connection.prepare('SELECT entry FROM launch_entries WHERE launch_id = ? ORDER BY seq').all(id);
    return rows.map((row) => JSON.parse(row['entry'] as string) as EntryRow);
  }

  function put(connection: DatabaseSync, launch: StoredLaunch): void {
    const { id, preparedAt, environmentId, verdict, overruled } = launch;
    connection
      .prepare(
        'INSERT INTO launches (id, prepared_at, launch, environment_id, rules, state, search) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) ' +
          'DO UPDATE SET launch = excluded.launch, environment_id = excluded.environment_id, rules = excluded.rules, state = excluded.state, search = excluded.search',
      )
      .run(
        id,
        preparedAt,
        JSON.stringify(launch),
        environmentId,
        rulesName(rulesOf(environmentId)),
        overruled?.state ?? verdict.state,
        searchText(launch),
      );
  }

  /** Reads a launch, and judges it again if other rules judged it; the new verdict is kept. */
  function toFound(connection: DatabaseSync, row: Record<string, unknown>): FoundLaunch {
    const { verdict: kept, ...rest } = JSON.parse(row['launch'] as string) as Row;
    const launch = { lang: '', playerId: '', country: '', ip: '', device: '', overruled: null, ...rest };
    const beside = { note: row['note'] as string, pictures: JSON.parse(row['pictures'] as string) as LaunchPicture[] };
    const own = rulesOf(launch.environmentId);
    if (kept !== undefined && row['rules'] === rulesName(own)) return { launch: { ...launch, verdict: kept }, beside };
    const entries = rowsOf(connection, launch.id);
    const verdict = entries.some(({ signal }) => signal === undefined)
      ? judgeOldLaunch(launch, own)
      : judgeLaunch(launch, entries.map(toEntry), own);
    put(connection, { ...launch, verdict });
    return { launch: { ...launch, verdict }, beside };
  }

  /** Judges launches again that other rules judged, so that a search finds them by their present verdict. */
  function judgeAll(connection: DatabaseSync): void {
    for (const { environment_id: environmentId, rules } of connection
      .prepare('SELECT DISTINCT environment_id, rules FROM launches')
      .all()) {
      if (typeof environmentId === 'string' && rules === rulesName(rulesOf(environmentId))) continue;
      const stale = connection
        .prepare(`SELECT ${columns} FROM launches WHERE environment_id IS ? AND rules IS ?`)
        .all(environmentId ?? null, rules ?? null);
      for (const row of stale) toFound(connection, row);
    }
  }

  /** Removes the oldest launches beyond the limit; `id` stays: a clock that was set back must not cost it. */
  function removeOldest(connection: DatabaseSync, id: string): void {
    const { changes } = connection
      .prepare(
        'DELETE FROM launches WHERE id NOT IN (SELECT id FROM launches ORDER BY id = ? DESC, prepared_at DESC LIMIT (SELECT most FROM launch_retention))',
      )
      .run(id);
    if (Number(changes) > 0)
      connection.prepare('UPDATE launch_retention SET removed = removed + ?, removed_at = ?').run(changes, now());
  }

  function keepingOf(connection: DatabaseSync): Output<'launches.keeping'> {
    const { kept } = onlyRow(connection.prepare('SELECT count(*) AS kept FROM launches'));
    const {
      most,
      removed,
      removed_at: at,
    } = onlyRow(connection.prepare('SELECT most, removed, removed_at FROM launch_retention'));
    return {
      most: Number(most),
      kept: Number(kept),
      removed: at === null ? null : { count: Number(removed), at: Number(at) },
    };
  }

  return {
    /** Adds the launch, or replaces the earlier state, and drops the oldest ones beyond the limit. */
    save: (launch: StoredLaunch): void =>
      database.run((connection) => {
        put(connection, launch);
        removeOldest(connection, launch.id);
      }),
    addEntries: (id: string, entries: readonly LaunchEntry[]): void =>
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
    /**
     * Keeps a screenshot, or a picture of a moment, and removes the oldest of the moments that are too large together.
     */
    addPicture: (id: string, takenAt: number, image: Uint8Array, moment: LaunchPicture['moment']): LaunchPicture =>
      database.run((connection) => {
        const added = connection
          .prepare(
            'INSERT INTO launch_pictures SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4 FROM launch_pictures WHERE launch_id = ?1 RETURNING number',
          )
          .get(id, takenAt, image, moment);
        if (moment !== null)
          connection
            .prepare(
              'DELETE FROM launch_pictures WHERE launch_id = ?1 AND moment IS NOT NULL AND number <= (SELECT max(number) FROM (SELECT number, sum(octet_length(image)) OVER (ORDER BY number DESC) AS bytes FROM launch_pictures WHERE launch_id = ?1 AND moment IS NOT NULL) WHERE bytes > ?2)',
            )
            .run(id, mostMomentBytes);
        return { number: Number(added?.['number']), takenAt, moment };
      }),
    /** Null if there is none of that number. */
    picture: (id: string, number: number): Buffer | null =>
      database.run((connection) => {
        const found = connection.prepare('SELECT image FROM launch_pictures WHERE launch_id = ? AND number = ?').get(id, number);
        return found === undefined ? null : toBuffer(found['image']);
      }),
    removePicture: (id: string, number: number): void =>
      void database.run((connection) =>
        connection.prepare('DELETE FROM launch_pictures WHERE launch_id = ? AND number = ?').run(id, number),
      ),
    setNote: (id: string, note: string): void =>
      void database.run((connection) => connection.prepare('UPDATE launches SET note = ? WHERE id = ?').run(note, id)),
    /** Returns the launches with a verdict, or all, newest first; `text`: what can be searched beside the record, in lower case. */
    candidates: (state: LaunchState | null): { readonly id: string; readonly text: string }[] =>
      database.run((connection) => {
        judgeAll(connection);
        return connection
          .prepare('SELECT id, search, note FROM launches WHERE ?1 IS NULL OR state = ?1 ORDER BY prepared_at DESC')
          .all(state)
          .map((row) => ({ id: String(row['id']), text: `${String(row['search'])}\n${String(row['note']).toLowerCase()}` }));
      }),
    /** Returns whether a title or a detail in the record of a launch holds a text; case counts only beyond ASCII. */
    recordHolds: (id: string, text: string): boolean =>
      database.run(
        (connection) =>
          connection
            .prepare(
              "SELECT 1 FROM launch_entries WHERE launch_id = ? AND (entry ->> '$.title' || char(10) || (entry ->> '$.detail')) LIKE ? ESCAPE '\\' LIMIT 1",
            )
            .get(id, `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`) !== undefined,
      ),
    /** Returns those of the launches that still exist, in their order. */
    some: (ids: readonly string[]): FoundLaunch[] =>
      database.run((connection) => {
        const find = connection.prepare(`SELECT ${columns} FROM launches WHERE id = ?`);
        return ids.flatMap((id) => {
          const row = find.get(id);
          return row === undefined ? [] : [toFound(connection, row)];
        });
      }),
    keeping: (): Output<'launches.keeping'> => database.run(keepingOf),
    /** Sets how many launches stay, and removes the oldest beyond. Fails with `conflict` unless that removes as many as the user saw. */
    keep: (most: number, removes: number): void =>
      database.run((connection) => {
        const now = Math.max(0, keepingOf(connection).kept - most);
        if (now !== removes) {
          throw new AppError(
            'conflict',
            `Nothing was changed: the number of launches to remove is now ${now.toLocaleString('en')}. Check it again.`,
          );
        }
        connection.prepare('UPDATE launch_retention SET most = ?').run(most);
        removeOldest(connection, '');
      }),
    /** Fails with `not_found`. */
    get: (id: string): FoundLaunch =>
      database.run((connection) => {
        const row = connection.prepare(`SELECT ${columns} FROM launches WHERE id = ?`).get(id);
        if (row === undefined) throw new AppError('not_found', 'There is no such launch. Newer ones may have replaced it.');
        return toFound(connection, row);
      }),
    entries: (id: string): LaunchEntry[] => database.run((connection) => rowsOf(connection, id).map(toEntry)),
    /** Every launch that is kept, oldest first. */
    all: (): FoundLaunch[] =>
      database.run((connection) =>
        connection
          .prepare(`SELECT ${columns} FROM launches ORDER BY prepared_at`)
          .all()
          .map((row) => toFound(connection, row)),
      ),
    /** With its record and its pictures; gone for good. */
    remove: (id: string): void =>
      void database.run((connection) => connection.prepare('DELETE FROM launches WHERE id = ?').run(id)),
  };
}

/** Returns what a search looks at beside the record and the note, in lower case. */
function searchText(launch: StoredLaunch): string {
  const { gameName, gameId, gameMode, source, playerId, environmentName, lang, country, ip, device, origin, problem } = launch;
  const state = launch.overruled?.state ?? launch.verdict.state;
  const mode = gameMode ?? (source === 'replay' ? 'replay' : '');
  return [
    gameName,
    gameId,
    mode,
    playerId,
    environmentName,
    lang,
    country,
    ip,
    device,
    origin,
    problem,
    state,
    launch.overruled?.note,
  ]
    .filter((text) => typeof text === 'string' && text !== '')
    .join('\n')
    .toLowerCase();
}

/** Fills in what an entry of an earlier version lacks. */
function toEntry(row: EntryRow): LaunchEntry {
  return { ...row, count: row.count ?? 1, lastAt: row.lastAt ?? row.at, signal: row.signal ?? null };
}
