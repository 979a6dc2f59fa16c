import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { addressToRead } from './read-only.ts';

/** Up to this size the whole file is checked in one statement, which nothing can stop, and which takes some tenths of a second. */
const wholeBytes = 64 * 1_048_576;
const stepCalls = 2_000;

/** A check of the history in steps of well under a second, on a connection of its own that only reads. */
export interface Check {
  /** Takes a step; returns whether there is more to do. Fails with SQLite's own error or `DamageFound` if the file is broken. */
  step(): boolean;
  close(): void;
}

/** Damage that `quick_check` found. */
export class DamageFound extends Error {}

/** `thorough`: also where the file is so large that it takes long. */
export function createCheck(path: string, thorough: boolean): Check {
  const connection = new DatabaseSync(addressToRead(path), { readOnly: true, timeout: 5_000 });
  connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
  const left = [
    { table: 'calls', id: 'id', text: 'environment_name || operation || url || coalesce(message, note)', from: 0 },
    { table: 'call_requests', id: 'call_id', text: 'CAST(body AS TEXT)', from: 0 },
    { table: 'call_responses', id: 'call_id', text: 'CAST(body AS TEXT)', from: 0 },
    { table: 'call_responses', id: 'call_id', text: 'CAST(raw AS TEXT)', from: 0 },
  ];
  let begun = false;
  return {
    step() {
      if (!begun) {
        begun = true;
        if (statSync(path).size <= wholeBytes) {
          assertOk(connection, 'PRAGMA quick_check(1)');
          return false;
        }
        return true;
      }
      const [part] = left;
      if (part === undefined) return false;
      // Every byte of the texts is read, and with it every page that holds some of them.
      const row = connection
        .prepare(
          `SELECT max(id) AS last, total(length(text)) AS characters FROM (SELECT ${part.id} AS id, ${part.text} AS text ` +
            `FROM ${part.table} WHERE ${part.id} > ? ORDER BY ${part.id} LIMIT ${stepCalls})`,
        )
        .get(part.from);
      if (row?.['last'] !== null) part.from = Number(row?.['last']);
      // Without a reason for doubt, the findings of a page of the history are enough.
      else if (thorough) left.shift();
      else left.length = 0;
      return left.length > 0;
    },
    close: () => connection.close(),
  };
}

function assertOk(connection: DatabaseSync, sql: string): void {
  const found = Object.values(connection.prepare(sql).get() ?? {})[0];
  if (found !== 'ok') throw new DamageFound(String(found));
}
