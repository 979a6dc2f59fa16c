import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OperationName } from '#shared/provider/index.ts';
import { draftOf } from '#testing/app.ts';
import { someOutcome, someOutgoing } from '#testing/some-record.ts';
import { forgetRounds } from '#testing/forget-rounds.ts';
import { createHistoryStore } from './store.ts';
import { createDatabase } from '../database/database.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createCallReader } from './call-reader.ts';
import { findCalls } from './find-calls.ts';

let home: string;
let close: () => void;
let record: (operation: OperationName, sent: string, received?: string) => Promise<number>;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-find-'));
  const run = createSessionLock(join(home, 'runs'));
  const database = createDatabase(join(home, 'history.sqlite'), { run });
  const history = createHistoryStore(database, run);
  record = async (operation, sent, received = '') => {
    const draft = draftOf('e', { operation });
    const id = await history.begin(
      someOutgoing({ draft, url: `https://p.example/${operation}`, sentAt: 7, body: Buffer.from(sent) }),
    );
    if (received !== '-') await history.finish(id, someOutcome(received, { code: null, message: null }));
    return id;
  };
  close = () => {
    history.close();
    database.close();
    run.close();
  };
});
afterEach(() => {
  close();
  rmSync(home, { recursive: true, force: true });
});

const find = (player: string, stop = new AbortController().signal) =>
  findCalls(join(home, 'history.sqlite'), { player, tokenFields: [] }, { stop });

it('finds what names a player in what was sent and received, and nothing by chance', async () => {
  const named = [
    await record('freeRounds', '{"data":{"playerId":"12"}}'),
    await record('freeRoundsByBet', '{"data":{"playerIds":["11","12"]}}'),
    await record('playerInfo', '{"externalToken":"a"}', '{"playerId":"12"}'),
    await record('bet', '{"playerId":12}'),
    await record('getLauncherURL', '{}', '{"data":{"launcherURL":"https:\\/\\/g.example\\/?playerId=12&gameId=1"}}'),
    await record('bet', '{"playerId":"12"', '-'),
  ];
  await record('bet', '{"playerId":"1234","amount":12}');
  await record('bet', '{"playerId":"112","transactionId":"12000"}');
  await record('gameList', '{"partnerId":2}');
  const found = await find('12');
  expect(found?.calls.map(({ id }) => id)).toEqual(named);
  expect(found?.calls.map(({ pending }) => pending)).toEqual([false, false, false, false, false, true]);
  // The amount of a bet of another player.
  expect(found?.elsewhere).toBe(1);
  expect((await find('13'))?.calls).toEqual([]);
});

it('finds calls of a session by its tokens, through new ones, and not by a token that another player has too', async () => {
  const early = await record('generateNewToken', '{"token":"session-0","newGameId":"1"}', '{"newToken":"session-1"}');
  const unnamed = await record('playerInfo', '{"externalToken":"session-1"}', '{"code":404,"message":"Invalid Token"}');
  const named = await record('bet', '{"externalToken":"session-1","playerId":"p"}');
  const fresh = await record('generateNewToken', '{"token":"session-1"}', '{"data":{"sessionToken":"session-2"}}');
  const later = await record('cancel', '{"externalToken":"session-2"}');
  await record('bet', '{"externalToken":"test","playerId":"p"}');
  await record('bet', '{"externalToken":"test","playerId":"q"}');
  await record('playerInfo', '{"externalToken":"test"}', '{"code":404}');
  await record('generateNewToken', '{"token":"test"}', '{"newToken":"of-nobody"}');
  await record('cancel', '{"externalToken":"of-nobody"}');
  const found = await find('p');
  expect(found?.calls.map(({ id, byToken }) => [id, byToken])).toEqual([
    [early, true],
    [unnamed, true],
    [named, false],
    [fresh, true],
    [later, true],
    [named + 3, false],
  ]);
  expect(found?.sharedTokens).toBe(1);
});

it('finds no call by a token that turns out to be another player’s too, nor by one that was given for it', async () => {
  await record('playerInfo', '{"externalToken":"shared"}');
  await record('generateNewToken', '{"token":"shared"}', '{"newToken":"given-for-it"}');
  await record('cancel', '{"externalToken":"given-for-it"}');
  const named = await record('bet', '{"externalToken":"shared","playerId":"p"}');
  await record('bet', '{"externalToken":"shared","playerId":"q"}');
  const found = await find('p');
  expect(found?.calls.map(({ id, environmentId, sentAt, run }) => [id, environmentId, sentAt, run])).toEqual([
    [named, 'e', 7, null],
  ]);
  expect(found?.sharedTokens).toBe(1);
});

it('looks through any number of calls in bounded steps, and says how far it is', async () => {
  for (let n = 0; n < 3; n += 1) await record('bet', `{"playerId":"p","externalToken":"session","n":${n}}`);
  const path = join(home, 'history.sqlite');
  const connection = new DatabaseSync(path);
  // Each of these by itself is more than a step reads; as many more as two steps take.
  const add = connection.prepare(
    'INSERT INTO calls (environment_id, environment_name, operation, url, sent_at, state, run, request_bytes, note) ' +
      "VALUES ('e', 'e', 'bet', 'u', 1, 'answered', 'r', 1, '')",
  );
  const body = connection.prepare("INSERT INTO call_requests (call_id, draft, headers, body) VALUES (?, '{}', '[]', ?)");
  connection.exec('BEGIN');
  for (const text of ['a', 'b']) body.run(add.run().lastInsertRowid, Buffer.alloc(2_000_001, text));
  for (let n = 0; n < 400; n += 1) add.run();
  connection.exec('COMMIT');
  connection.close();
  const last = await record('cancel', '{"externalToken":"session"}');
  const steps: [number, number][] = [];
  const question = { player: 'p', tokenFields: [] };
  const stop = new AbortController().signal;
  const found = await findCalls(path, question, { onProgress: (done, total) => steps.push([done, total]), stop });
  expect(found?.calls.map(({ id }) => id)).toEqual([1, 2, 3, last]);
  // Once for the player, and once for the tokens.
  const once = [4, 5, 205, 405, 406].map((done): [number, number] => [done, 406]);
  expect(steps).toEqual([...once.slice(0, -1), [406, 812], ...once.map(([done]): [number, number] => [406 + done, 812])]);
  expect(found?.sharedTokens).toBe(0);
});

it('follows new tokens ten times, and no chain of them for ever', async () => {
  // Each is found by the token that the next one got: one in each round.
  for (let n = 12; n >= 0; n -= 1)
    await record('generateNewToken', `{"token":"session-${n}"}`, `{"newToken":"session-${n + 1}"}`);
  const named = await record('bet', '{"externalToken":"session-0","playerId":"p"}');
  expect((await find('p'))?.calls.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, at) => named - 9 + at));
});

it('ends when it is stopped', async () => {
  await record('bet', '{"playerId":"p"}');
  expect(await find('p', AbortSignal.abort())).toBeNull();
});

it('makes no history where there is none', async () => {
  const path = join(home, 'missing.sqlite');
  const question = { player: 'p', tokenFields: [] };
  await expect(findCalls(path, question)).rejects.toThrow('unable to open');
  expect(existsSync(path)).toBe(false);
  expect(() => createCallReader(path)).toThrow('unable to open');
  expect(existsSync(path)).toBe(false);
});

it('removes each form of a name to the last byte, and nothing that only looks like one', async () => {
  const folder = join(home, 'rounds');
  mkdirSync(folder);
  const counts = await forgetRounds(folder, 10, 13, () => undefined);
  expect(counts.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(counts).toHaveLength(15);
});
