import { afterEach, expect, it } from 'vitest';
import type { Payload } from '#shared/ipc/index.ts';
import { createTestApp, draftOf } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** An environment in production with two keys, whose provider answers with the bodies given, in order. */
async function open(bodies: string[]) {
  const test = await createTestApp();
  ended.push(test.close);
  const server = await startHttpsServer((_, response) => {
    const body = bodies.shift() ?? '';
    if (body === '') response.destroy();
    else response.end(body);
  });
  ended.push(server.close);
  const { id: environmentId } = await test.environment(server, { name: 'Live', production: true });
  const { client } = test;
  const { fingerprint: older } = await client.call('keys.set', { environmentId, key: 'the older key' });
  const { fingerprint: newer } = await client.call('keys.set', { environmentId, key: 'the new key' });
  const proven: Payload<'keys.proven'>[] = [];
  const changed: unknown[] = [];
  client.on('keys.proven', (payload) => proven.push(payload));
  client.on('production.changed', (payload) => changed.push(payload));
  const send = (overrides = {}) => test.send(draftOf(environmentId, { operation: 'gameList', overrides }), true);
  const status = () => client.call('keys.status', { environmentId });
  return { ...test, environmentId, older, newer, proven, changed, send, status };
}

const answer = (code: number | string) => JSON.stringify({ code, message: 'm', data: { slots: [] } });

it('no code but 0 and no failure shows which of two keys is right, and no call that was not signed with the new one', async () => {
  const bodies = [answer(9), answer(404), answer(8), answer(77), '{"code":', '', '<html>', answer('zero')];
  const { client, environmentId, older, newer, proven, send, status } = await open([...bodies, answer(0), answer(0), answer(0)]);
  for (const _ of bodies) expect((await send()).request.keyFingerprint).toBe(newer);
  await send({ hash: 'wrong' });
  await send({ hash: 'a'.repeat(64) });
  await client.call('keys.choose', { environmentId, key: 'older' });
  const call = await send();
  expect([call.code, call.request.keyFingerprint]).toEqual([0, older]);
  expect((await status()).pair).toMatchObject({ signs: 'older', other: { fingerprint: newer } });
  expect(proven).toEqual([]);
});

it('code 0 of a call signed with the new key removes the older one, once, and asks nothing about production again', async () => {
  const { client, environmentId, older, newer, proven, changed, send, status } = await open([answer(0), answer(0), answer(0)]);
  const first = send();
  const told = new Promise<void>((resolve) => client.on('keys.proven', () => resolve()));
  const { id: callId } = await first;
  await told;
  expect(proven).toEqual([{ environmentId, callId, removed: older }]);
  expect(await status()).toMatchObject({ fingerprint: newer, pair: null });
  const asked = changed.length;
  await send();
  expect(proven).toHaveLength(1);
  expect(changed).toHaveLength(asked);
  // The same key under its name alone: it signs on, and what was recorded says of each call which key signed it.
  expect((await client.call('calls.get', { id: callId })).request.keyFingerprint).toBe(newer);
});

it('a program that ends with the proof under way removes the key first, and says so', async () => {
  const { app, newer, proven, send, status } = await open([answer(0)]);
  expect((await status()).fingerprint).toBe(newer);
  await send();
  await app.close();
  expect(proven).toHaveLength(1);
});
