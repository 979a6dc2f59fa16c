import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Call, CallPage, KeptPart } from '#shared/ipc/index.ts';
import { migrations } from '../database/migrations.ts';
import { memoryAddress } from '../database/read-only.ts';
import { createCallReader } from './call-reader.ts';
import type { Outcome, OutgoingCall } from './record.ts';
import { createSearch, type SearchDeps } from './search.ts';
import type { SearchQuery } from './search-engine.ts';
import { finishCall, insertCall, prepare } from './statements.ts';

/** A call from elsewhere, with the number that it had there. */
export interface ForeignCall extends Omit<OutgoingCall, 'environment'> {
  readonly id: number;
  readonly environment: Pick<OutgoingCall['environment'], 'id' | 'name'>;
  /** Null for a call that had no outcome. */
  readonly outcome: Outcome | null;
  /** Lengths of what was sent and received; they differ from the bodies if something is masked in those. */
  readonly requestBytes: number;
  readonly responseBytes: number | null;
  readonly rawBytes: number | null;
  readonly requestRawBytes: number | null;
}

/** Calls from elsewhere, in the memory of this process, read and searched as the history is. Nothing can be written. */
export interface MemoryHistory {
  /** Fails as a search of the history does. */
  list(query: SearchQuery): Promise<CallPage>;
  /** Fails with `not_found`. */
  get(id: number): Call;
  /** Fails with `not_found`. */
  body(id: number, part?: KeptPart): Uint8Array;
  close(): Promise<void>;
}

/** The thread in which calls in memory are searched: texts of megabytes would hold up the thread that answers a page. */
export type SearchedBy = Pick<SearchDeps, 'worker' | 'onFault'>;

const ignore = () => undefined;

/** Opens a history in this process's memory, which `write` writes at an address, in whatever thread. Fails as `write` does. */
export async function createMemoryHistory<Written>(
  write: (address: string) => Written | Promise<Written>,
  searchedBy: SearchedBy,
): Promise<readonly [history: MemoryHistory, written: Written]> {
  const address = memoryAddress(`croupier-${randomUUID()}`);
  // The memory is there as long as a connection is.
  const connection = new DatabaseSync(address);
  let written: Written;
  try {
    written = await write(address);
  } catch (error) {
    connection.close();
    throw error;
  }
  const reader = createCallReader(address);
  // SQLite's memory is that of all threads. There is no index, and nothing that can be damaged.
  const search = createSearch({
    ...searchedBy,
    historyPath: address,
    indexPath: '',
    later: () => ignore,
    onDamage: ignore,
    onRecovered: ignore,
  });
  const history: MemoryHistory = {
    list: search.search,
    get: reader.call,
    body: (id, part = 'body') => reader.part(id, part),
    async close() {
      await search.close();
      reader.close();
      connection.close();
    },
  };
  return [history, written];
}

/** Writes calls, which ascend by their IDs, as a history in this process's memory. */
export function writeMemoryHistory(address: string, calls: readonly ForeignCall[]): void {
  const connection = new DatabaseSync(address);
  try {
    for (const step of migrations) connection.exec(step);
    const sql = prepare(connection);
    const forgetLast = connection.prepare("DELETE FROM sqlite_sequence WHERE name = 'calls'");
    const setLast = connection.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('calls', ?)");
    const setLengths = connection.prepare(
      'UPDATE calls SET request_bytes = ?, request_raw_bytes = ?, response_bytes = ?, raw_bytes = ? WHERE id = ?',
    );
    sql.begin.run();
    for (const call of calls) {
      // The next ID is the one after this.
      forgetLast.run();
      setLast.run(call.id - 1);
      const id = insertCall(sql, 'elsewhere', call);
      if (call.outcome !== null) finishCall(sql, id, call.outcome);
      setLengths.run(call.requestBytes, call.requestRawBytes, call.responseBytes, call.rawBytes, id);
    }
    sql.commit.run();
  } finally {
    connection.close();
  }
}
