import { DatabaseSync } from 'node:sqlite';
import type { Call, KeptPart } from '#shared/ipc/index.ts';
import { callQuery, missingCall, toBuffer, toCall } from './rows.ts';
import { prepareParts } from './statements.ts';

/** The calls of a history as they are at one moment, on a connection of its own that only reads: for a thread. */
export function createCallReader(historyPath: string) {
  const connection = new DatabaseSync(historyPath, { readOnly: true, timeout: 5_000 });
  connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; BEGIN');
  const one = connection.prepare(callQuery);
  const parts = prepareParts(connection);
  const light = connection.prepare(
    'SELECT c.environment_id, c.operation, c.masked_keys, q.time IS NOT NULL AS signed FROM calls c ' +
      'LEFT JOIN call_requests q ON q.call_id = c.id WHERE c.id = ?',
  );
  const found = <T>(row: T | undefined, id: number): T => {
    if (row === undefined) throw missingCall(id);
    return row;
  };
  return {
    /** Fails with `not_found`. */
    call: (id: number): Call => toCall(found(one.get(id), id)),
    /** Returns the decoded body of the response, or other bytes of the call; empty without them. Fails with `not_found`. */
    part: (id: number, part: KeptPart): Uint8Array => toBuffer(found(parts[part].get(id), id)['bytes']),
    /** Returns facts about a call without its texts. Fails with `not_found`. */
    facts(id: number): { environmentId: string; operation: string; signed: boolean; maskedKeys: readonly string[] | null } {
      const row = found(light.get(id), id);
      const keys = row['masked_keys'];
      return {
        environmentId: String(row['environment_id']),
        operation: String(row['operation']),
        signed: row['signed'] === 1,
        maskedKeys: typeof keys === 'string' ? (JSON.parse(keys) as readonly string[]) : null,
      };
    },
    close: (): void => connection.close(),
  };
}
