import { request } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import type { Client, LoggedVerdict, SandboxVerdict } from '#shared/ipc/index.ts';
import { createTestApp, draftOf, testHost } from '#testing/app.ts';
import type { TestApp, TestAppOptions } from '#testing/app.ts';
import { leaksIn, secretForms } from '#testing/secret-forms.ts';
import { createSessionLog } from '../host/session-log.ts';

const opened: TestApp[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

async function open(options: TestAppOptions = { sandbox: true }): Promise<TestApp> {
  const opening = await createTestApp(options);
  opened.push(opening);
  return opening;
}

const log = async (client: Client) => (await client.call('sandbox.log', {})).entries;
const gameList = draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' });

/** Sends bytes to the provider as another program does, with headers of its own. */
async function sendFromOutside(client: Client, body: string, headers: Record<string, string> = {}): Promise<void> {
  const [sandbox] = (await client.call('environments.list', {})).environments;
  if (sandbox === undefined) throw new Error('no sandbox');
  await new Promise<void>((resolve, reject) => {
    const options = { method: 'POST', ca: sandbox.ca, agent: false, headers: { 'content-type': 'application/json', ...headers } };
    const sent = request(`${sandbox.baseUrl}/serviceApi.php`, options, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('the bounds of the log', () => {
  const verdict = (bodyText: string): SandboxVerdict => ({
    time: '2026-11-20T10:15:30.000Z',
    path: '',
    action: null,
    verdict: { code: 0, message: 'ok', why: '', reason: '', standsIn: false },
    bodyText,
    headers: null,
  });
  const logOf = (limits: { entries: number; bytes: number }) => {
    const own = createSessionLog<LoggedVerdict>({ ...limits, sizeOf: ({ bodyText }) => Buffer.byteLength(bodyText) });
    return { page: own.page, add: (told: SandboxVerdict, callId: number | null) => own.add({ ...told, callId }) };
  };
  const numbers = (entries: readonly LoggedVerdict[]) => entries.map(({ number }) => number);

  it('keeps the newest by number and by bytes, and says how many it released', () => {
    const few = logOf({ entries: 3, bytes: 10 });
    for (let at = 0; at < 5; at += 1) few.add(verdict('x'), null);
    expect(few.page({ limit: 10 })).toMatchObject({ total: 3, dropped: 2 });
    expect(numbers(few.page({ limit: 10 }).entries)).toEqual([5, 4, 3]);
    few.add(verdict('ä'.repeat(4)), null);
    expect(numbers(few.page({ limit: 10 }).entries)).toEqual([6, 5, 4]);
    few.add(verdict('four'), 7);
    expect(numbers(few.page({ limit: 10 }).entries)).toEqual([7]);
    few.add(verdict('y'.repeat(50)), null);
    expect(few.page({ limit: 10 })).toMatchObject({ total: 1, dropped: 7, entries: [{ number: 8 }] });
  });

  it('is read page by page, newest first', () => {
    const all = logOf({ entries: 9, bytes: 99 });
    for (let at = 0; at < 5; at += 1) all.add(verdict(''), at);
    expect(numbers(all.page({ limit: 2 }).entries)).toEqual([5, 4]);
    expect(numbers(all.page({ limit: 2, before: 4 }).entries)).toEqual([3, 2]);
    expect(numbers(all.page({ limit: 9, before: 2 }).entries)).toEqual([1]);
    expect(numbers(all.page({ limit: 9, before: 1 }).entries)).toEqual([]);
  });
});

describe('the log of the built-in provider', () => {
  it('tells each verdict with its number, and has the same ones afterwards, joined to their calls', async () => {
    const { client, send, faults } = await open();
    const told: LoggedVerdict[] = [];
    client.on('sandbox.judged', (one) => told.push(one));
    expect(await client.call('sandbox.log', {})).toEqual({ entries: [], total: 0, dropped: 0 });
    const good = await send(gameList);
    const bad = await send({ ...gameList, overrides: { hash: 'wrong' } });
    const wallet = await send(draftOf('sandbox', { operation: 'playerInfo', text: '{"externalToken": "Zoë"}' }));
    const entries = await log(client);
    expect(entries).toEqual(told.toReversed());
    expect(entries.map(({ number, callId, path, verdict }) => [number, callId, path, verdict.code])).toEqual([
      [3, wallet.id, '/playerInfo', 404],
      [2, bad.id, '/serviceApi.php', 8],
      [1, good.id, '/serviceApi.php', 0],
    ]);
    expect(entries.map(({ bodyText }) => bodyText)).toEqual([wallet, bad, good].map(({ request: { bodyText } }) => bodyText));
    expect(entries[0]?.headers).toEqual(wallet.request.headers);
    expect((await client.call('sandbox.log', { before: 3, limit: 1 })).entries).toEqual([told[1]]);
    expect(faults).toEqual([]);
  });

  it('says what hash it expected, which the right key makes of the parts that it names', async () => {
    const { client, send } = await open();
    const call = await send({
      ...draftOf('sandbox', { operation: 'getGameRound', text: '{"roundId": 9007199254740993, "logMonth": 0}' }),
      overrides: { hash: 'wrong' },
    });
    const [entry] = await log(client);
    const { expected, received, difference, mistake } = entry?.verdict ?? {};
    const { time = '', data = null } = expected?.input ?? {};
    expect(data).toBe('{"roundId":9007199254740993,"logMonth":0}');
    expect((await client.call('keys.digest', { environmentId: 'sandbox', time, data })).digest).toBe(expected?.hash);
    expect(received).toEqual({ hash: call.request.hash, data, dataBytes: 41 });
    expect(difference).toBeNull();
    expect(mistake).toMatch(/^One digit of the hash is wrong: . instead of . at byte \d+\./);
  });

  it('joins two calls of the same bytes that follow each other, each to its own', async () => {
    const { client, send } = await open();
    const overrides = { time: '20-11-2026 10:15:30' };
    const first = await send({ ...gameList, overrides });
    const second = await send({ ...gameList, overrides });
    expect(second.request.bodyText).toBe(first.request.bodyText);
    expect((await log(client)).map(({ callId }) => callId)).toEqual([second.id, first.id]);
  });

  it('does not join what another program sends, be it the very bytes of a call', async () => {
    const { client, send } = await open();
    const call = await send(gameList);
    await sendFromOutside(client, call.request.bodyText);
    const [outside] = await log(client);
    expect(outside).toMatchObject({ number: 2, callId: null, verdict: { code: 0 }, bodyText: call.request.bodyText });
  });

  it('has the key in none of its forms, also where a request carries it', async () => {
    const key = 'k€y/with "quotes" & more';
    const { client, send } = await open({ sandbox: { key } });
    await send({ ...gameList, overrides: { hash: 'wrong' } });
    const holding = {
      ...draftOf('sandbox', { operation: 'getGameRound', text: '{"roundId": 1, "note": "ä"}' }),
      overrides: { hash: key },
    };
    await client.call('calls.send', { draft: holding, ticket: 'holding', keyConfirmed: true });
    for (const [name, form] of secretForms(key)) {
      await sendFromOutside(
        client,
        JSON.stringify({ action: form, platform: 1, partnerId: 42, time: form, data: { name: form }, hash: form }),
        {
          'x-form': encodeURIComponent(name),
          'x-key': Buffer.from(form).toString('base64'),
        },
      );
    }
    const { entries, total } = await client.call('sandbox.log', { limit: 500 });
    expect(total).toBe(2 + secretForms(key).size);
    expect(entries.every(({ verdict }) => verdict.code === 8)).toBe(true);
    const text = JSON.stringify(entries);
    expect(leaksIn(text, key)).toEqual([]);
    const secrets = testHost().secrets;
    await secrets.set('log', key, 'session');
    expect(await secrets.contains('log', 'run', true, Buffer.from(text))).toBe(false);
    expect(await secrets.contains('log', 'run', true, Buffer.from(`${text}${key}`))).toBe(true);
    await secrets.close();
  });

  it('does not take part in the answer: a log that fails is reported', async () => {
    const { send, faults, app } = await open();
    app.subscribe((name) => {
      if (name === 'sandbox.judged') throw new Error('a listener');
    });
    expect(await send(gameList)).toMatchObject({ code: 0 });
    expect(faults).toEqual([new Error('a listener')]);
  });
});
