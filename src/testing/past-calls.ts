import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHistoryStore } from '#core/history/store.ts';
import { prepareCall, signRequest } from '#core/calls/outgoing.ts';
import { createDatabase } from '#core/database/database.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { Environment, type PassedFrom } from '#shared/ipc/index.ts';
import { documentedMessage, operationByName, templateText, type OperationName } from '#shared/provider/index.ts';
import { draftOf } from './app.ts';
import { someOutcome } from './some-record.ts';

/** One session of the program on a past day, with calls a minute or more apart. */
export interface PastSession {
  readonly daysAgo: number;
  /** Local hour of its first call. */
  readonly hour: number;
  readonly calls: number;
  /** Sender whose requests the gateway passed; the first of them fits no operation. Absent for Croupier's own. */
  readonly from?: PassedFrom;
}

const turns: readonly (readonly [OperationName, number])[] = [
  ['gameList', 0],
  ['getLauncherURL', 0],
  ['playerInfo', 0],
  ['bet', 0],
  ['win', 0],
  ['getLauncherURL', 8],
  ['getGameRound', 0],
  ['bet', 0],
  ['getLauncherURL', 404],
  ['roundReplayInfo', 0],
];

/** Returns the environment of the built-in provider as it is stored in a home. */
export function sandboxOf(home: string): Environment {
  return Environment.parse(JSON.parse(readFileSync(join(home, 'environments', 'sandbox.json'), 'utf8')));
}

/** Records past calls in a home, oldest first, each session under a run of its own, by the recorder that every call uses. */
export async function recordPast(
  home: string,
  environment: Environment,
  sessions: readonly PastSession[],
  now: number,
): Promise<void> {
  const database = createDatabase(join(home, 'history.sqlite'));
  try {
    for (const session of sessions) await recordSession(home, database, environment, session, now);
  } finally {
    database.close();
  }
}

async function recordSession(
  home: string,
  database: ReturnType<typeof createDatabase>,
  environment: Environment,
  { daysAgo, hour, calls, from }: PastSession,
  now: number,
): Promise<void> {
  const run = createSessionLock(join(home, 'runs'));
  const history = createHistoryStore(database, run);
  const day = new Date(now);
  const start = new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo, hour).getTime();
  for (let at = 0; at < calls; at += 1) {
    const [name, code] = turns[at % turns.length] ?? ['gameList', 0];
    const sentAt = start + at * 97_000;
    const operation = operationByName(name);
    const form = operation.forms[0]?.id ?? '';
    const text = templateText(operation, form, environment.defaults, { now: sentAt });
    const draft = draftOf(environment.id, { operation: name, form, text });
    const request = prepareCall(draft, environment, sentAt);
    // A key that nobody has: showing these calls never needs it.
    const digest = async (parts: readonly Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest('hex');
    const { body, hashInput, hash } = await signRequest(request, digest);
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['content-length', String(body.length)],
    ];
    const sent = { environment, draft, url: request.url, sentAt, headers, body, hashInput, hash };
    const raw = at === 0 ? Buffer.from('GET /logo.png HTTP/1.1\r\nHost : p.example\r\n\r\n') : null;
    const passed = from === undefined ? {} : { passed: { origin: from, isOperation: raw === null, raw } };
    const id = await history.begin({ ...sent, ...passed, keyFingerprint: null, repeats: null });
    const message = documentedMessage(code);
    const total = 9 + ((at * 13) % 60);
    const timings = { dns: null, connect: null, tls: null, firstByte: total - 1, download: 1, total, reused: true };
    await history.finish(id, someOutcome(JSON.stringify({ code, message, data: null }), { timings, code, message }));
  }
  history.close();
  run.close();
}
