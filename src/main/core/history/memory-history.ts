import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Call, CallPage, ReceivedPart } from '#shared/ipc/index.ts';
import { migrations } from '../database/migrations.ts';
import { memoryAddress } from '../database/read-only.ts';
import { createCallReader } from './call-reader.ts';
import type { Outcome, OutgoingCall } from './record.ts';
import { createSearch, type SearchDeps } from './search.ts';
import type { SearchQuery } from './search-engine.ts';
import { finishCall, insertCall, prepare, type Statements } from './statements.ts';

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
}

/** Calls from elsewhere, in the memory of this process, read and searched as the history is. Nothing can be written. */
export interface MemoryHistory {
  /** Fails as a search of the history does. */
  list(query: SearchQuery): Promise<CallPage>;
  /** Fails with `not_found`. */
  get(id: number): Call;
  /** Fails with `not_found`. */
  body(id: number, part?: ReceivedPart): Uint8Array;
  close(): Promise<void>;
}

/** The thread in which calls in memory are searched: texts of megabytes would hold up the thread that answers a page. */
export type SearchedBy = Pick<SearchDeps, 'worker' | 'onFault'>;

/** Milliseconds after which other work goes on between two calls. */
const stepMs = 20;

const nothing = () => undefined;

/** `calls` ascend by their IDs. They are taken one by one, with other work in between. */
export async function createMemoryHistory(calls: Iterable<ForeignCall>, searchedBy: SearchedBy): Promise<MemoryHistory> {
  const address = memoryAddress(`croupier-${randomUUID()}`);
  const connection = new DatabaseSync(address);
  for (const step of migrations) connection.exec(step);
  const sql = prepare(connection);
  const insert = inserter(connection, sql);
  sql.begin.run();
  let count = 0;
  let begun = -stepMs;
  const pause = async () => {
    if (performance.now() - begun < stepMs) return;
    await setImmediate();
    begun = performance.now();
  };
  // What came before may have been a long step already, and so may be the reading of a call of megabytes.
  await pause();
  for (const call of calls) {
    await pause();
    insert(call);
    count += 1;
    await pause();
  }
  sql.commit.run();
  const reader = createCallReader(address);
  // SQLite's memory is that of all threads. There is no index, and nothing that can be damaged.
  const search = createSearch({
    ...searchedBy,
    historyPath: address,
    indexPath: '',
    later: () => nothing,
    onDamage: nothing,
    onRecovered: nothing,
  });
  return {
    async list(query) {
      const page = await search.search(query);
      return page.rest === null ? page : { ...page, rest: { ...page.rest, of: count } };
    },
    get: reader.call,
    body: (id, part = 'body') => reader.received(id, part),
    async close() {
      await search.close();
      reader.close();
      // The last connection: its memory goes with it.
      connection.close();
    },
  };
}

/** Returns the function that inserts a call under the number that it had. */
function inserter(connection: DatabaseSync, sql: Statements): (call: ForeignCall) => void {
  const forgetLast = connection.prepare("DELETE FROM sqlite_sequence WHERE name = 'calls'");
  const setLast = connection.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('calls', ?)");
  const setLengths = connection.prepare('UPDATE calls SET request_bytes = ?, response_bytes = ?, raw_bytes = ? WHERE id = ?');
  return (call) => {
    // The next ID is the one after this.
    forgetLast.run();
    setLast.run(call.id - 1);
    const id = insertCall(sql, 'elsewhere', call);
    if (call.outcome !== null) finishCall(sql, id, call.outcome);
    setLengths.run(call.requestBytes, call.responseBytes, call.rawBytes, id);
  };
}
