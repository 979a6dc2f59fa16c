import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createDatabase } from '#core/database/database.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { createRemoval } from '#core/history/removal.ts';
import { createRetention } from '#core/history/retention.ts';
import { keepsAll } from '#core/history/retention-state.ts';
import type { Figure } from './measure.ts';

/** Milliseconds of processor time for each call that goes, three quarters of so many of 2 kB. */
type Way = (home: string, calls: number) => Promise<number>;

/**
 * A limit that removes three quarters of the history: against the same rows deleted by their ids alone, and against a history of a quarter of the
 * size, since what one call costs must not grow with how many there are.
 */
export async function measureRetention(calls: number): Promise<Figure[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'croupier-bench-retention-'));
  try {
    const few = await byLimit(path.join(home, 'few'), calls / 4);
    const ours = await byLimit(path.join(home, 'ours'), calls);
    const counting = await byCounting(path.join(home, 'counting'), calls);
    const bare = await byIds(path.join(home, 'bare'), calls);
    const name = `one call that a limit removes from ${calls.toLocaleString('en')}`;
    return [
      { name: `${name}, against deleting it by its ID`, ours, baseline: bare, unit: 'ms', goal: 1.5 },
      { name: `${name}, against one from ${(calls / 4).toLocaleString('en')}`, ours, baseline: few, unit: 'ms', goal: 1.3 },
      {
        name: 'as it was: counting all calls for each hundred, against deleting by ID',
        ours: counting,
        baseline: bare,
        unit: 'ms',
        goal: 100,
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function filled(home: string, calls: number) {
  const run = createSessionLock(path.join(home, 'runs'));
  run.hold();
  const database = createDatabase(path.join(home, 'history.sqlite'), { run });
  const connection = database.connection();
  const call = connection.prepare(
    'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes, response_bytes) ' +
      "VALUES ('e', 'e', 'bet', 'https://p.example/bet', ?, 'answered', 'r', 1000, 1000)",
  );
  const request = connection.prepare("INSERT INTO call_requests (call_id, draft, headers, body) VALUES (?, '{}', '[]', ?)");
  const response = connection.prepare(
    "INSERT INTO call_responses (call_id, headers, body, truncated, findings) VALUES (?, '[]', ?, 0, '[]')",
  );
  const body = Buffer.alloc(1_000, 'x');
  connection.exec('BEGIN');
  for (let n = 1; n <= calls; n += 1) {
    const id = Number(call.run(1_790_000_000_000 + n).lastInsertRowid);
    request.run(id, body);
    response.run(id, body);
  }
  connection.exec('COMMIT');
  return {
    run,
    database,
    connection,
    close() {
      database.close();
      run.close();
    },
  };
}

async function perCall(calls: number, work: () => Promise<number>): Promise<number> {
  const before = process.cpuUsage();
  const removed = await work();
  const { user, system } = process.cpuUsage(before);
  if (removed !== (calls * 3) / 4) throw new Error(`${removed} of ${calls} were removed.`);
  return (user + system) / 1_000 / removed;
}

const byLimit: Way = async (home, calls) => {
  const { database, run, close } = filled(home, calls);
  let kept: Record<string, string> = {};
  const rule = createRetention({
    database,
    removal: createRemoval(database, run),
    settings: { read: () => kept, write: async (name, value) => ((kept = { [name]: value }), { masked: false }) },
    now: () => 1_790_000_000_000,
    monotonic: () => performance.now(),
  });
  await rule.set({ ...keepsAll, maxCalls: calls / 4 }, (calls * 3) / 4);
  const taken = await perCall(calls, async () => {
    let removed = 0;
    for (let more = true; more;) {
      const step = rule.step();
      ({ more } = step);
      removed += step.removed;
    }
    return removed;
  });
  close();
  return taken;
};

const byIds: Way = async (home, calls) => deleting(home, calls, 250, () => undefined);

const byCounting: Way = async (home, calls) =>
  deleting(home, calls, 100, (connection) => {
    connection
      .prepare('SELECT (SELECT count(*) FROM calls) - (SELECT count(*) FROM calls WHERE deleted_by IS NOT NULL) AS n')
      .get();
  });

async function deleting(home: string, calls: number, batch: number, before: (connection: DatabaseSync) => void): Promise<number> {
  const { connection, close } = filled(home, calls);
  const taken = await perCall(calls, async () => {
    const end = (calls * 3) / 4;
    for (let from = 1; from <= end; from += batch) {
      connection.exec('BEGIN IMMEDIATE');
      before(connection);
      const drop = connection.prepare('DELETE FROM calls WHERE id = ?');
      for (let id = from; id < from + batch && id <= end; id += 1) drop.run(id);
      connection.exec('COMMIT');
    }
    return end;
  });
  close();
  return taken;
}
