/**
 * A program that uses a history until it is killed, for tests of the state after a kill and of another user's access. Its one
 * argument is a JSON document.
 *
 * `write`: records calls in groups and prints a line with their IDs as soon as they are acknowledged, indexes between the groups,
 * and pins, deletes and retains now and then. `readAndTry`: prints the results of reading and the outcomes of writing.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '#core/app/app.ts';
import { createHistoryStore } from '#core/history/store.ts';
import type { OutgoingCall } from '#core/history/record.ts';
import { createDatabase } from '#core/database/database.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { createSearchEngine } from '#core/history/search-engine.ts';
import { createClient } from '#shared/ipc/client.ts';
import { testHost } from './app.ts';
import { someOutcome, someOutgoing } from './some-record.ts';

export interface HistoryDriverInput {
  readonly home: string;
  readonly does: 'write' | 'read';
  /** Begins the bodies, to distinguish them from those of other runs. */
  readonly mark: string;
  /** For `readAndTry`: searches in a thread, which keeps the index. */
  readonly thread?: boolean;
}

const input = JSON.parse(process.argv[2] ?? '') as HistoryDriverInput;

/** Returns a call whose body contains the name. Every body is about 1 kB. */
function outgoing(name: string): OutgoingCall {
  const body = Buffer.from(JSON.stringify({ name, padding: 'x'.repeat(1_000) }));
  return someOutgoing({ sentAt: Date.now(), body });
}

async function write(): Promise<void> {
  const run = createSessionLock(join(input.home, 'runs'));
  const database = createDatabase(join(input.home, 'history.sqlite'), { run });
  const history = createHistoryStore(database, run);
  const engine = createSearchEngine({
    historyPath: database.path,
    indexPath: join(input.home, 'history-index.sqlite'),
    write: true,
  });
  for (let group = 0; ; group += 1) {
    const names = Array.from({ length: 4 }, (_, at) => `${input.mark}-${group}-${at}`);
    const ids = await Promise.all(names.map((name) => history.begin(outgoing(name))));
    process.stdout.write(`${JSON.stringify({ begun: ids, names })}\n`);
    await Promise.all(names.map((name, at) => history.finish(ids[at] ?? 0, someOutcome(`answer of ${name}`))));
    process.stdout.write(`${JSON.stringify({ finished: ids, names })}\n`);
    engine.index();
  }
}

/** Prints the results of everything that reads, and the outcomes of writing. */
async function readAndTry(): Promise<void> {
  const searchWorker = fileURLToPath(new URL('../main/core/history/search-worker.ts', import.meta.url));
  const app = await createApp({ home: input.home, host: testHost(input.thread === true ? { searchWorker } : {}) });
  const client = createClient(app.transport);
  const said = (work: Promise<unknown>) => work.then(JSON.stringify, (error: Error) => error.message);
  const { calls } = await client.call('calls.list', {});
  const found = await client.call('calls.list', { text: input.mark });
  const [newest] = calls;
  const { state, message } = await client.call('history.status', {});
  if (newest === undefined) return void process.stdout.write(`${JSON.stringify({ calls: [], message })}\n`);
  const shown = await client.call('calls.get', { id: newest.id });
  const body = Buffer.from(await app.body(newest.id)).toString('utf8');
  await app.useKey(shown.environmentId, 'k');
  const draft = { ...shown.draft, environmentId: shown.environmentId };
  const sent = await said(client.call('calls.send', { draft, ticket: 't' }));
  const noted = await said(client.call('calls.note', { id: newest.id, note: 'mine' }));
  const { message: after } = await client.call('history.status', {});
  const ids = (list: typeof calls) => list.map(({ id }) => id);
  process.stdout.write(
    `${JSON.stringify({ calls: ids(calls), found: ids(found.calls), body: body.slice(0, 20), state, message, sent, noted, after })}\n`,
  );
  await app.close();
}

if (input.does === 'write') await write();
else await readAndTry();
