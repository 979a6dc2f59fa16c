import { closeSync, openSync, writeSync } from 'node:fs';
import { createDatabase } from '#core/database/database.ts';

/** Overwrites the root page of a table of a history that nobody has open: from then on every look at it fails. */
export function spoilTable(historyPath: string, table: string): void {
  const database = createDatabase(historyPath);
  const number = (sql: string) => Number(Object.values(database.connection().prepare(sql).get() ?? {})[0]);
  const page = number('PRAGMA page_size');
  const root = number(`SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`);
  database.close();
  const file = openSync(historyPath, 'r+');
  writeSync(file, new Uint8Array(page), 0, page, (root - 1) * page);
  closeSync(file);
}
