import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Client, Payload } from '#shared/ipc/index.ts';
import type { OperationName } from '#shared/model/operations.ts';
import { createTestApp, draftOf, temporaryFolder } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

async function open(sandbox: { key?: string } | null = {}) {
  const folder = await temporaryFolder();
  opened.push({ close: () => rm(folder, { recursive: true, force: true }) });
  const home = join(folder, 'home');
  const test = await createTestApp({ home, ...(sandbox === null ? {} : { sandbox }) });
  opened.push(test);
  const { client } = test;
  const changes: Payload<'answers.changed'>[] = [];
  client.on('answers.changed', (change) => changes.push(change));
  const { id } = await client.call('collections.open', { directory: join(folder, 'requests'), create: true });
  return { ...test, home, id, changes };
}

let tickets = 0;
const send = (client: Client, environmentId: string, draft: { operation: OperationName; text: string; form?: string }) =>
  client.call('calls.send', { draft: draftOf(environmentId, draft), ticket: `t${(tickets += 1)}` });
const taken = async (client: Client, collectionId: string, environmentId: string) =>
  (await client.call('answers.taken', { collectionId, environmentId })).values;

describe('the response of a request that is sent by itself', () => {
  it('is checked, and what it takes is kept for its collection and its environment alone', async () => {
    const { client, id, changes } = await open();
    const call = await send(client, 'sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' });
    const { checks, taken: names } = await client.call('answers.check', {
      collectionId: id,
      path: 'games.yaml',
      callId: call.id,
      expect: [{ code: '0' }, { status: '201' }, { path: '/data/slots', type: 'array' }],
      take: { game: '/data/slots/0/id', lost: '/data/slots/0/nowhere' },
    });
    expect(checks.map(({ check, passed, expected, actual }) => [check, passed, expected, actual])).toEqual([
      ['code is 0', true, '0', '0'],
      ['HTTP status is 201', false, '201', '200'],
      ['/data/slots is an array', true, 'array', 'an array'],
      ['/data/slots/0/nowhere gives lost', false, 'one value', '(nothing)'],
    ]);
    expect(names).toEqual(['game']);
    const body = JSON.parse(Buffer.from(await client.body(call.id)).toString('utf8')) as { data: { slots: { id: string }[] } };
    const kept = { name: 'game', value: String(body.data.slots[0]?.id), path: 'games.yaml', callId: call.id };
    expect(await taken(client, id, 'sandbox')).toEqual([kept]);
    expect(await taken(client, id, 'another')).toEqual([]);
    expect(await taken(client, 'another', 'sandbox')).toEqual([]);
    expect(changes).toEqual([{ collectionId: id, environmentId: 'sandbox' }]);

    // A response that does not give it leaves the earlier value; nothing changed, so no event comes.
    const again = await client.call('answers.check', {
      collectionId: id,
      path: 'x.yaml',
      callId: call.id,
      take: { game: '/no' },
    });
    expect(again).toMatchObject({ taken: [], checks: [{ passed: true }, { passed: false }] });
    expect(await taken(client, id, 'sandbox')).toEqual([kept]);
    expect(changes).toHaveLength(1);

    await client.call('answers.forget', { collectionId: id, environmentId: 'sandbox', name: 'nothing' });
    expect(await taken(client, id, 'sandbox')).toEqual([kept]);
    await client.call('answers.forget', { collectionId: id, environmentId: 'sandbox', name: 'game' });
    expect(await taken(client, id, 'sandbox')).toEqual([]);
    expect(changes).toHaveLength(2);
  });

  it('keeps every digit, and masks tokens in results though not in what the next request uses', async () => {
    const token = 'tok-4f9a1c77e0';
    const server = await startHttpsServer((_, response) => {
      response.end(`{"code":0,"message":"ok","data":{"id":9007199254740993,"token":"${token}","hint":"use ${token}"}}`);
    });
    opened.push(server);
    const { client, id, environment, home } = await open(null);
    const target = await environment(server);
    const call = await send(client, target.id, { operation: 'gameList', text: '' });
    const { checks } = await client.call('answers.check', {
      collectionId: id,
      path: 'a.yaml',
      callId: call.id,
      expect: [
        { path: '/data/token', equals: 'other' },
        { path: '/data/hint', equals: 'other' },
      ],
      take: { token: '/data/token', id: '/data/id' },
    });
    expect(checks.map(({ passed }) => passed)).toEqual([false, false]);
    expect(JSON.stringify(checks)).not.toContain(token);
    const values = await taken(client, id, target.id);
    expect(values.map(({ name, value }) => [name, value])).toEqual([
      ['id', '9007199254740993'],
      ['token', token],
    ]);
    // A later response that repeats it is masked as well, though it is not under a token's name there.
    const plain = await startHttpsServer((_, response) => {
      response.end(`{"code":0,"message":"${token}","data":null}`);
    });
    opened.push(plain);
    await client.call('environments.save', { environment: { ...target, baseUrl: plain.baseUrl } });
    const next = await send(client, target.id, { operation: 'gameList', text: '' });
    const repeated = await client.call('answers.check', {
      collectionId: id,
      path: 'b.yaml',
      callId: next.id,
      expect: [{ path: '/message', equals: 'other' }],
    });
    expect(repeated.checks[0]?.actual).not.toContain(token);
    // In no file of the home but the history, which has the responses themselves.
    for (const file of await readdir(home, { recursive: true, withFileTypes: true })) {
      if (!file.isFile() || file.name.startsWith('history')) continue;
      expect(await readFile(join(file.parentPath, file.name), 'latin1'), file.name).not.toContain(token);
    }
  });

  it('fails what lacks a variable, with the reason, and passes nothing by mistake', async () => {
    const { client, id } = await open();
    const call = await send(client, 'sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' });
    const { checks, taken: names } = await client.call('answers.check', {
      collectionId: id,
      path: 'a.yaml',
      callId: call.id,
      expect: [{ path: '/code', not: '{{x}}' }, { code: '0' }],
      take: { v: '/{{x}}' },
      unresolved: [
        { text: '{{x}}', message: 'There is no variable x.' },
        { text: '/{{x}}', message: 'There is no variable x.' },
      ],
    });
    expect(checks.map(({ passed, message }) => [passed, message])).toEqual([
      [false, 'There is no variable x.'],
      [true, ''],
      [false, 'There is no variable x.'],
    ]);
    expect(names).toEqual([]);
  });

  it('is refused where there is no answer, no call or no collection', async () => {
    const { client, id, environment } = await open(null);
    const gone = await environment({ baseUrl: 'https://127.0.0.1:9', ca: '' });
    const call = await send(client, gone.id, { operation: 'gameList', text: '' });
    const check = (collectionId: string, callId: number) =>
      client.call('answers.check', { collectionId, path: 'a.yaml', callId, take: { v: '' } });
    await expect(check(id, call.id)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(check(id, 999)).rejects.toMatchObject({ code: 'not_found' });
    await expect(check('nobody', call.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await taken(client, id, gone.id)).toEqual([]);
  });
});
