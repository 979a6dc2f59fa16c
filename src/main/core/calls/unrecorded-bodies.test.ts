import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { createUnrecordedBodies } from './unrecorded-bodies.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

it('the response of a call whose outcome the history does not take is there to be copied', async () => {
  const answer = '{"code":0,"message":"ok","data":{"slots":[]}}';
  const server = await startHttpsServer((_, response) => void response.end(answer));
  ended.push(server.close);
  const test = await createTestApp();
  ended.push(test.close);
  const { id } = await test.environment(server);
  await test.send(draftOf(id, { operation: 'gameList' }));
  const other = new DatabaseSync(join(test.home, 'history.sqlite'));
  other.exec("CREATE TRIGGER full BEFORE INSERT ON call_responses BEGIN SELECT RAISE(ABORT, 'no room'); END");
  other.close();
  const call = await test.send(draftOf(id, { operation: 'gameList' }));
  expect(call).toMatchObject({ code: 0, responseBytes: answer.length });
  expect(call.findings[0]).toMatchObject({ rule: 'history.outcome' });
  expect(Buffer.from(await test.client.body(call.id)).toString()).toBe(answer);
});

it('keeps the newest, and says where it has not kept one', () => {
  const bodies = createUnrecordedBodies(10);
  const body = (length: number) => ({ body: new Uint8Array(length - 1), raw: new Uint8Array(1) });
  bodies.keep(1, body(4));
  bodies.keep(2, body(6));
  expect([1, 2, 3].map((id) => bodies.get(id)?.body.length)).toEqual([3, 5, undefined]);
  bodies.keep(3, body(1));
  expect(() => bodies.get(1)).toThrow('no longer has it in memory');
  expect([2, 3].map((id) => bodies.get(id)?.body.length)).toEqual([5, 0]);
  bodies.keep(4, body(20));
  expect(bodies.get(4)?.body.length).toBe(19);
  for (const id of [1, 2, 3]) expect(() => bodies.get(id)).toThrow('was not recorded in the history');
});
