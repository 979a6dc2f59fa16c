import type { DatabaseSync } from 'node:sqlite';
import { onlyRow } from '../database/only-row.ts';

/** Number and bytes of calls that are not deleted. Triggers maintain it, so that reading costs one row. */
export interface Totals {
  readonly calls: number;
  /** By weight: the request twice, as it was typed and as it was sent, the response, and 1,024 bytes for the rest. */
  readonly bytes: number;
  /** Of them. */
  readonly pinned: number;
  readonly pinnedBytes: number;
}

export function totalsOf(connection: DatabaseSync): Totals {
  const row = onlyRow(connection.prepare('SELECT calls, bytes, pinned, pinned_bytes FROM history_totals'));
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
