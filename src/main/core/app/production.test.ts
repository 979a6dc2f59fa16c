import { afterEach, describe, expect, it } from 'vitest';
import type { Environment } from '#shared/ipc/index.ts';
import { createTestApp, draftOf } from '../../../testing/app.ts';
import { startHttpsServer } from '../../../testing/https-server.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

async function open() {
  const test = await createTestApp();
  ended.push(test.close);
  const paths: (string | undefined)[] = [];
  const server = await startHttpsServer(({ request }, response) => {
    paths.push(request.url);
    response.end('{"code":0,"message":"ok","data":{"slots":[]}}');
  });
  ended.push(server.close);
  const live = await test.environment(server, { name: 'Live', production: true, platform: 7, partnerId: 31 }, 'live-key');
  return { ...test, live, paths };
}

const asks = { code: 'refused', details: { reason: 'production_unconfirmed' } };
const bet = (environmentId: string, text = '{"amount": 1.50, "currency": "EUR"}') =>
  draftOf(environmentId, { operation: 'bet', text });

describe('core', () => {
  it('lets no page bet that sends its yes for a gameList, whichever call it was given to', async () => {
    const { client, send, live, paths } = await open();
    const environmentId = live.id;
    const list = draftOf(environmentId, { operation: 'gameList' });
    await expect(send(list)).rejects.toMatchObject(asks);
    await client.call('catalogue.fetch', { environmentId, currency: 'EUR', ticket: 'c', confirmed: true });
    await client.call('rounds.lookup', { environmentId, roundId: '1', date: today(), ticket: 'r', confirmed: 'tenMinutes' });
    expect(await send(list)).toMatchObject({ code: 0 });
    const before = paths.length;
    await expect(send(bet(environmentId))).rejects.toMatchObject({
      ...asks,
      message: expect.stringContaining('Send bet to Live? It takes 1.50 EUR.'),
      details: {
        environmentId,
        question: {
          environment: { id: environmentId, name: 'Live', platform: 7, partnerId: 31 },
          call: { operation: 'bet', kind: 'takes', money: { amount: '1.50', currency: 'EUR' } },
          run: null,
        },
      },
    });
    const renewal = client.call('launches.renewToken', { environmentId, token: 't', newGameId: '1', ticket: 'n' });
    await expect(renewal).rejects.toMatchObject({ details: { question: { call: { kind: 'endsToken' } } } });
    expect(paths).toHaveLength(before);
    expect(await send(bet(environmentId), true)).toMatchObject({ operation: 'bet' });
    await expect(send(bet(environmentId))).rejects.toMatchObject(asks);
  });

  it('asks nothing for ten minutes once the user says so, tells of it, and ends it on request or with another key', async () => {
    const { app, client, send, live } = await open();
    const changed: string[] = [];
    client.on('production.changed', ({ environmentId }) => changed.push(environmentId));
    const status = async () => client.call('production.status', { environmentId: live.id });
    expect(await status()).toEqual({ notAskingUntil: null, like: null });
    const from = Date.now();
    await client.call('calls.send', { draft: bet(live.id), ticket: 'first', confirmed: 'tenMinutes' });
    const { notAskingUntil } = await status();
    expect(notAskingUntil).toBeGreaterThanOrEqual(from + 600_000);
    expect(await send(bet(live.id))).toMatchObject({ state: 'answered' });
    expect(changed).toEqual([live.id]);
    expect(await client.call('production.ask', { environmentId: live.id })).toEqual({ asked: true });
    expect(changed).toEqual([live.id, live.id]);
    await expect(send(bet(live.id))).rejects.toMatchObject(asks);
    await client.call('calls.send', { draft: bet(live.id), ticket: 'second', confirmed: 'tenMinutes' });
    await app.useKey(live.id, 'another-key');
    await expect(send(bet(live.id))).rejects.toMatchObject(asks);
    await client.call('calls.send', { draft: bet(live.id), ticket: 'third', confirmed: 'tenMinutes' });
    await client.call('environments.save', { environment: { ...live, platform: 8 } });
    await client.call('environments.save', { environment: live });
    await expect(send(bet(live.id))).rejects.toMatchObject(asks);
  });

  it('asks about nothing that cannot be sent', async () => {
    const { client, send, live } = await open();
    const broken = draftOf(live.id, { operation: 'freeRounds', text: '{"playerId": ' });
    await expect(send(broken)).rejects.toMatchObject({ code: 'invalid_input' });
    const { baseUrl } = live;
    const keyless = await client.call('environments.create', {
      environment: { name: 'Keyless', baseUrl, platform: 8, partnerId: 31, production: true },
    });
    const list = draftOf(keyless.id, { operation: 'gameList' });
    await expect(send(list)).rejects.toMatchObject({ code: 'key_missing' });
    await expect(send({ ...list, overrides: { hash: 'x' } })).rejects.toMatchObject(asks);
    expect((await client.call('calls.list', {})).total).toBe(0);
  });

  it('tells that an environment has the identity or the key of production, whatever its address', async () => {
    const { app, client, environment, live } = await open();
    const elsewhere = { baseUrl: 'https://elsewhere.example' };
    const likeOf = async ({ id }: Environment) => (await client.call('production.status', { environmentId: id })).like;
    const found = (by: 'identity' | 'key' | 'both') => ({ id: live.id, name: 'Live', by });
    const identity = await environment(elsewhere, { platform: 7, partnerId: 31 }, 'its-own-key');
    const key = await environment(elsewhere, { platform: 7, partnerId: 32 }, 'live-key');
    const neither = await environment(live, { platform: 8, partnerId: 31 }, 'third-key');
    expect(await likeOf(identity)).toEqual(found('identity'));
    expect(await likeOf(key)).toEqual(found('key'));
    // The spec's one endpoint serves both, so the same address says nothing.
    expect(await likeOf(neither)).toBeNull();
    expect(await likeOf(live)).toBeNull();
    await app.useKey(identity.id, 'live-key');
    expect(await likeOf(identity)).toEqual(found('both'));
    await client.call('environments.save', { environment: { ...live, production: false } });
    expect(await likeOf(identity)).toBeNull();
  });

  it('makes no environment of which nobody said whether it is production, and reads old files as they are', async () => {
    const { client } = await open();
    const environment = { name: 'new', baseUrl: 'https://n.example', platform: 1, partnerId: 1 } as never;
    await expect(client.call('environments.create', { environment })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

function today(): string {
  const [year, month, day] = new Date().toISOString().slice(0, 10).split('-');
  return `${day}-${month}-${year}`;
}
