import type { DatabaseSync } from 'node:sqlite';
import { onlyRow } from '../database/only-row.ts';

/** Number and bytes of calls that are not deleted. Triggers keep those of calls with an outcome, and few are without. */
export interface Totals {
  readonly calls: number;
  /** By weight: the request twice, as it was typed and as it was sent, the response, and 1,024 bytes for the rest. */
  readonly bytes: number;
  /** Of them. */
  readonly pinned: number;
  readonly pinnedBytes: number;
}

export function totalsOf(connection: DatabaseSync): Totals {
  const row = onlyRow(
    connection.prepare(
      'SELECT t.calls + count(c.id) AS calls, t.bytes + total(c.weight) AS bytes, t.pinned + total(c.pinned) AS pinned, ' +
        't.pinned_bytes + total(c.pinned * c.weight) AS pinned_bytes FROM history_totals AS t ' +
        "LEFT JOIN calls c INDEXED BY calls_pending ON c.state = 'pending' AND c.deleted_by IS NULL",
    ),
  );
  return {
    calls: Number(row['calls']),
    bytes: Number(row['bytes']),
    pinned: Number(row['pinned']),
    pinnedBytes: Number(row['pinned_bytes']),
  };
}

/** The number that the newest call ever had; calls that were removed count. */
export function newestCall(connection: DatabaseSync): number {
  return Number(connection.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'calls'").get()?.['seq'] ?? 0);
}
