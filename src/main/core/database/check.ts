import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Up to this size the whole file is checked in one go, which takes less than a second. */
const wholeBytes = 256 * 1_048_576;
const stepCalls = 2_000;

/** A check of the history in steps of well under a second, on a connection of its own that only reads. */
export interface Check {
  /** Gives back whether there is more to do; fails with SQLite's own error or `DamageFound` where the file is broken. */
  step(): boolean;
  close(): void;
}

/** What `quick_check` says is broken. */
export class DamageFound extends Error {}

/** `thorough`: also where the file is so large that it takes long. */
export function createCheck(path: string, thorough: boolean): Check {
  const connection = new DatabaseSync(`${pathToFileURL(path).href}?mode=ro`, { readOnly: true, timeout: 5_000 });
  connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
  const left = [
    { table: 'call_requests', column: 'body', from: 0 },
    { table: 'call_responses', column: 'body', from: 0 },
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
        assertOk(connection, 'PRAGMA quick_check(calls)');
        return thorough;
      }
      const [part] = left;
      if (part === undefined) return false;
      // Every byte of the bodies is read, and with it every page that holds some of them.
      const row = connection
        .prepare(
          `SELECT max(call_id) AS last, total(length(CAST(body AS TEXT))) AS bytes FROM (SELECT call_id, ${part.column} AS body ` +
            `FROM ${part.table} WHERE call_id > ? ORDER BY call_id LIMIT ${stepCalls})`,
        )
        .get(part.from);
      if (row?.['last'] === null) left.shift();
      else part.from = Number(row?.['last']);
      return left.length > 0;
    },
    close: () => connection.close(),
  };
}

function assertOk(connection: DatabaseSync, sql: string): void {
  const found = Object.values(connection.prepare(sql).get() ?? {})[0];
  if (found !== 'ok') throw new DamageFound(String(found));
}
