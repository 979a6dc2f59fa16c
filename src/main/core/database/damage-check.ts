import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { addressToRead } from './read-only.ts';

/** Up to this size the whole file is checked in one statement, which nothing can stop, and which takes some tenths of a second. */
const wholeBytes = 64 * 1_048_576;
const stepCalls = 2_000;

/** Damage that `quick_check` found. */
export class DamageFound extends Error {}

const parts = [
  { table: 'calls', id: 'id', text: 'environment_name || operation || url || coalesce(message, note)' },
  { table: 'call_requests', id: 'call_id', text: 'CAST(body AS TEXT)' },
  { table: 'call_responses', id: 'call_id', text: 'CAST(body AS TEXT)' },
  { table: 'call_responses', id: 'call_id', text: 'CAST(raw AS TEXT)' },
] as const;

/**
 * Checks the history on a connection of its own that only reads, and yields after each step of well under a second. `thorough`: also
 * where the file is so large that it takes long. Fails with SQLite's own error or `DamageFound` if the file is broken.
 */
export function* checkSteps(path: string, thorough: boolean): Generator<void, void> {
  const connection = new DatabaseSync(addressToRead(path), { readOnly: true, timeout: 5_000 });
  try {
    connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    if (statSync(path).size <= wholeBytes) {
      const found = Object.values(connection.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
      if (found !== 'ok') throw new DamageFound(String(found));
      return;
    }
    // Without a reason for doubt, the rows that a page of the history shows are enough.
    for (const { table, id, text } of thorough ? parts : parts.slice(0, 1)) {
      // Every byte of the texts is read, and with it every page that holds some of them.
      const next = connection.prepare(
        `SELECT max(id) AS last, total(length(text)) AS characters FROM (SELECT ${id} AS id, ${text} AS text ` +
          `FROM ${table} WHERE ${id} > ? ORDER BY ${id} LIMIT ${stepCalls})`,
      );
      for (let from: unknown = 0; from !== null;) {
        yield;
        from = next.get(Number(from))?.['last'] ?? null;
      }
    }
  } finally {
    connection.close();
  }
}
