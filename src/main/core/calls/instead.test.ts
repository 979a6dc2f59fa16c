import { afterEach, expect, it } from 'vitest';
import type { EnvironmentDraft, Input } from '#shared/ipc/index.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import type { Instead } from '../app/app.ts';
import { createTestApp, draftOf } from '#testing/app.ts';
import { makeCertificate, startHttpsServer } from '#testing/https-server.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

type Send = Omit<Input<'calls.send'>, 'ticket'> & { readonly instead?: Instead };

/** An environment of one server, and another server that its authority vouches for. */
async function open(settings: Partial<EnvironmentDraft> = {}) {
  const test = await createTestApp();
  ended.push(test.close);
  const certificate = await makeCertificate();
  const paths: string[] = [];
  const serve = async (name: string) => {
    const server = await startHttpsServer(
      ({ request }, response) => {
        paths.push(`${name}${request.url ?? ''}`);
        if (name !== 'slow') response.end('{"code":0,"message":"ok","data":{"slots":[]}}');
      },
      { certificate },
    );
    ended.push(server.close);
    return server;
  };
  const [own, other, slow] = [await serve('own'), await serve('other'), await serve('slow')];
  const environment = await test.environment(own, { name: 'Stage', ...settings });
  let tickets = 0;
  const send = ({ instead = {}, ...request }: Send) => {
    const ticket = `instead-${++tickets}`;
    test.app.useInstead(ticket, instead);
    return test.client.call('calls.send', { ...request, ticket });
  };
  return { ...test, environment, own, other, slow, paths, send };
}

it('sends to the URL that was given, for this call alone, and the history says so', async () => {
  const { environment, other, own, paths, send, client } = await open();
  const draft = draftOf(environment.id, { operation: 'gameList' });
  const call = await send({ draft, instead: { baseUrl: `${other.baseUrl}/` } });
  expect(call).toMatchObject({ url: `${other.baseUrl}/serviceApi.php`, instead: { baseUrl: true, timeoutMs: null } });
  expect(await client.call('calls.get', { id: call.id })).toEqual(call);
  const { calls } = await client.call('calls.list', {});
  expect(calls[0]).toMatchObject({ id: call.id, instead: { baseUrl: true, timeoutMs: null } });
  const har = await exportWhole(client, { callIds: [call.id], format: 'har' });
  expect(har.files[0]?.text).toContain(`This call used ${call.url} instead of the URL of Stage.`);
  expect(await send({ draft })).not.toHaveProperty('instead');
  expect(await send({ draft, instead: { baseUrl: own.baseUrl } })).not.toHaveProperty('instead');
  expect(paths).toEqual(['other/serviceApi.php', 'own/serviceApi.php', 'own/serviceApi.php']);
  await expect(client.call('calls.repeat', { id: call.id, ticket: 'again', confirmed: false })).rejects.toMatchObject({
    message: expect.stringContaining('That URL was set for this call only.') as string,
  });
});

it('lets another URL prove no key and bring no game list', async () => {
  const { environment, other, send, client } = await open();
  const draft = draftOf(environment.id, { operation: 'gameList', text: '{"currency": "EUR"}' });
  for (const key of ['the older key', 'the new key']) await client.call('keys.set', { environmentId: environment.id, key });
  const proven: number[] = [];
  client.on('keys.proven', ({ callId }) => proven.push(callId));
  await send({ draft, instead: { baseUrl: other.baseUrl } });
  expect((await client.call('catalogue.snapshots', { environmentId: environment.id })).snapshots).toEqual([]);
  const { id } = await send({ draft });
  await expect.poll(() => proven).toEqual([id]);
});

it('takes the place of the wallet URL in a wallet method', async () => {
  const { environment, other, own, paths, send } = await open({ walletUrl: 'https://wallet.example' });
  const draft = draftOf(environment.id, { operation: 'playerInfo', text: '{}' });
  await send({ draft, instead: { baseUrl: other.baseUrl } });
  expect(paths).toEqual(['other/playerInfo']);
  expect(await send({ draft, instead: { baseUrl: own.baseUrl } })).toMatchObject({ instead: { baseUrl: true } });
});

it('keeps the guard of production, which asks about the URL that the call would go to', async () => {
  const { environment, other, paths, send } = await open({ production: true });
  const draft = draftOf(environment.id, { operation: 'bet', text: '{"amount": 1.50, "currency": "EUR"}' });
  await send({ draft, confirmed: true });
  paths.length = 0;
  await expect(send({ draft, instead: { baseUrl: other.baseUrl } })).rejects.toMatchObject({
    code: 'refused',
    details: { reason: 'production_unconfirmed', question: { url: `${other.baseUrl}/bet` } },
  });
  expect(paths).toEqual([]);
});

it.each(['http://localhost', 'https://a:b@localhost', 'nothing'])('refuses %s before anything is recorded', async (baseUrl) => {
  const { environment, send, client } = await open();
  const draft = draftOf(environment.id, { operation: 'gameList' });
  await expect(send({ draft, instead: { baseUrl } })).rejects.toMatchObject({ code: 'invalid_input' });
  expect((await client.call('calls.list', {})).total).toBe(0);
});

it('ends at the limit that was given, and names no setting of the environment for it', async () => {
  const { environment, slow, send } = await open({ timeouts: { connect: 10_000, headers: 1, idle: 1, total: 60_000 } });
  const draft = draftOf(environment.id, { operation: 'gameList' });
  const { failure, instead } = await send({ draft, instead: { baseUrl: slow.baseUrl, timeoutMs: 150 } });
  expect(instead).toEqual({ baseUrl: true, timeoutMs: 150 });
  expect(failure).toMatchObject({
    kind: 'timeout',
    message: 'The call did not finish within 150 ms.',
    hint: expect.stringMatching(/^This limit was set for this call only\. /) as string,
  });
  expect((await send({ draft: { ...draft }, instead: { baseUrl: slow.baseUrl } })).failure?.hint).toMatch(
    /^The limit is set in the environment\. /,
  );
});
