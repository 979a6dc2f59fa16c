import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { operations } from '#shared/provider/operations.ts';
import type { KeptPart } from '#shared/ipc/index.ts';
import type { Outcome, OutgoingCall } from './record.ts';
import { callQuery, partQuery, subjectColumn, summaryColumns } from './rows.ts';
import { doubtOf } from '#shared/provider/findings.ts';

/** The statements of the history's store, prepared for one connection. */
export type Statements = ReturnType<typeof prepare>;

/** The operations that only read, as SQL. */
const reading = operations.flatMap(({ name, effect }) => (effect === 'reads' ? [`'${name}'`] : [])).join(', ');

/** Prepares every statement of the store. */
export function prepare(connection: DatabaseSync) {
  const sql = (text: string): StatementSync => connection.prepare(text);
  return {
    begin: sql('BEGIN IMMEDIATE'),
    commit: sql('COMMIT'),
    rollback: sql('ROLLBACK'),
    insertCall: sql(
      'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes, repeats, ' +
        'collection_run, request_path, masked_keys, subject, replaced, origin, request_raw_bytes) ' +
        "VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ),
    insertRequest: sql('INSERT INTO call_requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    finishCall: sql(
      'UPDATE calls SET state = ?, status = ?, code = ?, message = ?, failure = ?, duration_ms = ?, response_bytes = ?, raw_bytes = ?, doubt = ? ' +
        'WHERE id = ?',
    ),
    withdraw: sql("DELETE FROM calls WHERE id = ? AND state = 'pending'"),
    insertResponse: sql('INSERT OR REPLACE INTO call_responses VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    pendingRuns: sql("SELECT DISTINCT run FROM calls WHERE state = 'pending' AND run <> ?"),
    interrupt: sql(
      `UPDATE calls SET state = 'interrupted', failure = CASE WHEN operation IN (${reading}) THEN ? ELSE ? END ` +
        "WHERE state = 'pending' AND run = ?",
    ),
    page: sql(`SELECT ${summaryColumns} FROM calls c WHERE c.id < ? AND c.deleted_by IS NULL ORDER BY c.id DESC LIMIT ?`),
    one: sql(callQuery),
    parts: prepareParts(connection),
  };
}

/** Prepares the reading of each part of a call that is bytes. */
export function prepareParts(connection: DatabaseSync) {
  const read = (part: KeptPart) => connection.prepare(partQuery(part));
  return { body: read('body'), raw: read('raw'), sentRaw: read('sentRaw') };
}

/** Writes a call that leaves, as pending, and returns its ID; `run` is the token of the session that sends it. */
export function insertCall(
  sql: Statements,
  run: string,
  call: Omit<OutgoingCall, 'environment'> & { readonly environment: Pick<OutgoingCall['environment'], 'id' | 'name'> },
): number {
  const { environment, masked, passed } = call;
  // The very bytes hold the key as well.
  const raw = masked ? null : (passed?.raw ?? null);
  // The history's record of a request with a key in it never had the key.
  const { draft, url, body, hashInput, hash } = masked ?? call;
  const { lastInsertRowid } = sql.insertCall.run(
    environment.id,
    environment.name,
    passed?.isOperation === false ? '' : draft.operation,
    url,
    call.sentAt,
    run,
    call.body.length,
    call.repeats,
    call.collectionRun?.id ?? null,
    call.collectionRun?.path ?? null,
    masked ? JSON.stringify(masked.keys) : null,
    subjectColumn(body),
    call.instead === undefined ? null : JSON.stringify(call.instead),
    passed?.origin ?? null,
    raw?.length ?? null,
  );
  const id = Number(lastInsertRowid);
  sql.insertRequest.run(
    id,
    JSON.stringify(draft),
    JSON.stringify(call.headers),
    body,
    hashInput?.time ?? null,
    hashInput?.hasData ? hashInput.dataOffset : null,
    hashInput?.hasData ? hashInput.dataLength : null,
    hash,
    call.keyFingerprint,
    raw,
  );
  return id;
}

/** Writes the outcome of a call that was pending. */
export function finishCall(sql: Statements, id: number, outcome: Outcome): void {
  const { response, raw, failure, timings } = outcome;
  sql.finishCall.run(
    outcome.state,
    response?.status ?? null,
    outcome.code,
    outcome.message,
    failure === null ? null : JSON.stringify(failure),
    timings?.total ?? null,
    response?.body.length ?? null,
    raw?.length ?? null,
    doubtOf(outcome.findings),
    id,
  );
  sql.insertResponse.run(
    id,
    response === null ? null : JSON.stringify(response.headers),
    response?.body ?? null,
    response?.truncated ? 1 : 0,
    timings === null ? null : JSON.stringify(timings),
    outcome.clockOffsetMs,
    JSON.stringify(outcome.findings),
    raw,
  );
}
