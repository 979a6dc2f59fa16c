import type { DatabaseSync } from 'node:sqlite';

/** Writes so many answered calls into a history at once, with the next numbers; `bytes`: of each one's request. */
export function writeCalls(connection: DatabaseSync, count: number, bytes = 0): void {
  connection.exec(
    'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes) ' +
      `WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${count}) ` +
      "SELECT 'e', 'e', 'bet', 'u', 1, 'answered', 'r', 1 FROM n; " +
      "INSERT INTO call_requests (call_id, draft, headers, body) SELECT id, '{}', '[]', " +
      `zeroblob(${bytes}) FROM calls WHERE id NOT IN (SELECT call_id FROM call_requests)`,
  );
}
