import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, draftOf, type TestApp, type TestAppOptions } from '#testing/app.ts';
import type { GatewayStatus, Input, PassedCall } from '#shared/ipc/index.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

interface Gateway extends TestApp {
  readonly status: GatewayStatus;
  /** Sends a body as a backend does. Returns the status and the body of the response. */
  readonly ask: (body: string, headers?: Record<string, string>, url?: string) => Promise<string>;
  /** Ends the gateway and returns what passed. */
  readonly passed: () => Promise<PassedCall[]>;
}

async function start(options: TestAppOptions = { sandbox: true }, more: Partial<Input<'gateway.start'>> = {}): Promise<Gateway> {
  const test = await createTestApp(options);
  opened.push(test);
  const { client } = test;
  const status = await client.call('gateway.start', { environmentId: 'sandbox', ...more });
  const ca = readFileSync(status.caFile);
  const ask: Gateway['ask'] = (body, headers = {}, url = `${status.baseUrl}/serviceApi.php`) =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', ca, agent: false, headers: { 'content-type': 'application/json', ...headers } };
      const asked = request(url, options, (response) => {
        let text = `${response.statusCode} `;
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve(text)).on('error', reject);
      });
      asked.on('error', reject);
      asked.end(Buffer.from(body));
    });
  const passed = async () => {
    await client.call('gateway.stop', {});
    return (await client.call('gateway.log', {})).entries;
  };
  return { ...test, status, ask, passed };
}

const gameList = draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' });
const round = draftOf('sandbox', { operation: 'getGameRound', text: '{"roundId":7,"logMonth":0,"note":"a/b"}' });

it('passes a good request, keeps it as it came and says so', async () => {
  const { client, send, ask, passed, faults } = await start();
  const own = await send(gameList);
  const text = await ask(own.request.bodyText);
  expect(text).toMatch(/^200 \{"code":0/);
  expect(await passed()).toMatchObject([
    { callId: 2, from: 'backend', operation: 'gameList', subject: 'EUR', code: 0, verdict: 'good', hashIsRight: true, why: '' },
  ]);
  const call = await client.call('calls.get', { id: 2 });
  expect(call).toMatchObject({ origin: 'backend', operation: 'gameList', url: own.url, state: 'answered', code: 0 });
  expect(call.request).toMatchObject({
    bodyText: own.request.bodyText,
    hash: own.request.hash,
    hashInput: own.request.hashInput,
  });
  expect(call.draft.text).toBe('{"currency": "EUR"}');
  expect(call.findings.map(({ rule }) => rule)).toEqual(['gateway.host']);
  expect(Object.values(call.timings?.gateway ?? {})).toEqual([expect.any(Number), expect.any(Number)]);
  expect(Buffer.from(await client.body(2)).toString()).toBe(text.slice(4));
  expect(faults).toEqual([]);
});

it('names the mistake in a hash, in the log and in the history', async () => {
  const { client, send, ask, passed } = await start();
  const { request: own } = await send(round);
  const { digest } = await client.call('keys.digest', {
    environmentId: 'sandbox',
    time: own.hashInput?.time ?? '',
    data: (own.hashInput?.dataJson ?? '').replaceAll('/', '\\/'),
  });
  expect(await ask(own.bodyText.replace(own.hash ?? '', digest), { 'user-agent': 'GuzzleHttp/7' })).toContain('"code":8');
  const [entry] = await passed();
  expect(entry).toMatchObject({ verdict: 'wrongHash', hashIsRight: false, code: 8 });
  expect(entry?.why).toMatch(/slash/);
  expect(entry?.fix).toMatchObject({ language: 'php' });
  expect(JSON.stringify(entry?.fix)).toContain('JSON_UNESCAPED_SLASHES');
  const { findings } = await client.call('calls.get', { id: entry?.callId ?? 0 });
  expect(findings.find(({ rule }) => rule === 'gateway.hash')?.message).toBe(entry?.why);
});

it('tells an exchange when it passes, and again when the mistake in its hash is found', async () => {
  const { client, send, ask, passed } = await start();
  const { request: own } = await send(round);
  const told: PassedCall[] = [];
  client.on('gateway.passed', (call) => void told.push(call));
  await ask(own.bodyText.replace(own.hash ?? '', 'f'.repeat(64)));
  await passed();
  expect(told.map(({ number, searching, why }) => [number, searching, why])).toEqual([
    [1, true, "The hash is not that of this environment's key."],
    [1, false, expect.stringContaining('Probably another key')],
  ]);
});

it('tells no token of what it passes', async () => {
  const { client, ask, passed, status } = await start();
  const { players } = await client.call('sandbox.status', {});
  const { externalToken = '' } = players[0] ?? {};
  const bet = JSON.stringify({
    externalToken: 'a-token-of-nobody',
    playerId: 'p',
    gameId: '1',
    transactionId: 't',
    amount: 1,
    currency: 'EUR',
  });
  await ask(bet, {}, `${status.baseUrl}/bet?externalToken=${externalToken}`);
  await ask(bet, {}, `${status.baseUrl}/bet`);
  const text = JSON.stringify(await passed());
  expect(text).not.toContain(externalToken);
  expect(text).not.toContain('a-token-of-nobody');
});

it('stops a request of another partner with a response of its own, and passes it where it is told to', async () => {
  const { client, send, ask, passed, status } = await start();
  const { request: own } = await send(gameList);
  const other = own.bodyText.replace('"partnerId":42', '"partnerId":43');
  expect(await ask(other)).toMatch(/^502 Croupier gateway: Its partnerId is 43, that of sandbox is 42\./);
  expect(await passed()).toMatchObject([{ verdict: 'stopped', code: null }]);
  expect(await client.call('sandbox.log', {})).toMatchObject({ total: 1 });
  const again = await client.call('gateway.start', {
    environmentId: 'sandbox',
    anyPartner: true,
    port: Number(new URL(status.baseUrl).port),
  });
  expect(again.baseUrl).toBe(status.baseUrl);
  expect(await ask(other)).toMatch(/^200 \{"code":9/);
});

it("passes the provider's requests to the wallet, on a port of their own, and repeats one as a provider does", async () => {
  const test = await start();
  await test.client.call('gateway.stop', {});
  const { baseUrl: walletUrl, players } = await test.client.call('sandbox.status', {});
  const faults = ['bet=repeat:1,1'];
  const status = await test.client.call('gateway.start', { environmentId: 'sandbox', walletUrl: walletUrl ?? '', faults });
  const [{ playerId, externalToken, currency } = { playerId: '', externalToken: '', currency: '' }] = players;
  const bet = JSON.stringify({ externalToken, playerId, gameId: '1001', transactionId: 't-1', amount: 1, currency });
  const repeated = new Promise<void>((resolve) => test.client.on('sandbox.judged', ({ number }) => number === 2 && resolve()));
  expect(await test.ask(bet, {}, `${status.walletUrl}/bet`)).toMatch(/^200 \{.*"balance":/);
  await repeated;
  expect(await test.passed()).toMatchObject([{ from: 'provider', operation: 'bet', verdict: 'good', hashIsRight: null }]);
  const { calls } = await test.client.call('calls.list', {});
  expect(calls.map(({ origin, repeats }) => [origin, repeats])).toEqual([
    [undefined, 1],
    ['provider', null],
  ]);
});

it('says where a balance does not agree with the one before, and counts the bets without a win', async () => {
  const test = await start();
  const environment = (await test.client.call('environments.list', {})).environments.find(({ id }) => id === 'sandbox');
  const answers = { 'win.bet': { value: 'oldest', note: '' } };
  if (environment !== undefined) await test.client.call('environments.save', { environment: { ...environment, answers } });
  await test.client.call('gateway.stop', {});
  const { baseUrl: walletUrl, players } = await test.client.call('sandbox.status', {});
  const status = await test.client.call('gateway.start', { environmentId: 'sandbox', walletUrl: walletUrl ?? '' });
  const [{ playerId, externalToken, currency } = { playerId: '', externalToken: '', currency: '' }] = players;
  const bet = (transactionId: string) =>
    JSON.stringify({ externalToken, playerId, gameId: '1001', transactionId, amount: 1, currency });
  await test.ask(bet('t-1'), {}, `${status.walletUrl}/bet`);
  await test.send(draftOf('sandbox', { operation: 'bet', text: bet('elsewhere') }));
  await test.ask(bet('t-2'), {}, `${status.walletUrl}/bet`);
  expect(await test.client.call('gateway.status', {})).toMatchObject({ openBets: { count: 2, late: 0, calls: [1, 3] } });
  const [last, first] = await test.passed();
  expect(first).toMatchObject({ verdict: 'good', why: '' });
  expect(last).toMatchObject({
    verdict: 'good',
    why: expect.stringMatching(/^balance is .* Call 1 had .*, and a bet of 1 makes/),
  });
});

it('passes nothing that a page in a browser sends', async () => {
  const { client, send, ask, passed } = await start(undefined, { anyPartner: true });
  const { request: own } = await send(gameList);
  expect(await ask(own.bodyText, { 'Sec-Fetch-Site': 'cross-site' })).toMatch(
    /^502 Croupier gateway: A page in a browser sent it\./,
  );
  expect(await passed()).toMatchObject([{ verdict: 'stopped' }]);
  expect(await client.call('sandbox.log', {})).toMatchObject({ total: 1 });
});

it('says itself that the far side is out of reach, in a response that cannot be the provider’s', async () => {
  const test = await start();
  const environment = await test.environment({ baseUrl: 'https://localhost:9' });
  await test.client.call('gateway.stop', {});
  const port = Number(new URL(test.status.baseUrl).port);
  await test.client.call('gateway.start', { environmentId: environment.id, port });
  expect(await test.ask('{}')).toMatch(/^502 Croupier gateway: localhost:9 refused the connection\./);
  expect(await test.passed()).toMatchObject([{ verdict: 'failed', status: null }]);
});

it('keeps no private key of what it passes, whatever part holds it', async () => {
  const key = 'a kéy/that "nobody" writes';
  const { client, send, ask, passed, status } = await start({ sandbox: { key } });
  const { request: own } = await send(gameList);
  // As bytes of UTF-8, each of which HTTP takes for a character.
  await ask(own.bodyText, { 'x-key': Buffer.from(key).toString('latin1') });
  await ask(own.bodyText, {}, `${status.baseUrl}/serviceApi.php?key=${encodeURIComponent(key)}`);
  await ask(JSON.stringify({ ...(JSON.parse(own.bodyText) as object), note: key }));
  const entries = await passed();
  for (const { callId } of entries) {
    const call = await client.call('calls.get', { id: callId ?? 0 });
    expect(call.maskedKeys).toEqual(['sandbox']);
    const text = JSON.stringify(call);
    expect(text).not.toContain('nobody');
    expect(text).toContain('[private key]');
  }
  expect(entries).toHaveLength(3);
  expect(JSON.stringify(entries)).not.toContain('nobody');
});

describe('a fault on demand', () => {
  const cases: readonly (readonly [fault: string, answer: RegExp, calls: number, says: RegExp])[] = [
    ['gameList=503,1', /^503 \{"code":9,/, 0, /HTTP 503\. The gateway did not pass the request on\./],
    ['gameList=code:8,1', /^200 \{"code":8,"message":"hash not valid","data":null\}$/, 0, /code 8\. The gateway did not pass/],
    ['gameList=cut,1', /^ECONNRESET|^socket hang up/, 0, /cut the connection without a response\. The gateway did not/],
    ['gameList=cut-after,1', /^ECONNRESET|^socket hang up/, 1, /instead of sending this response/],
    ['gameList=cut-body,1', /^aborted/, 1, /in the middle of this response/],
    ['gameList=drip,1', /^200 \{"code":0,.*\}$/, 1, /byte by byte/],
    ['gameList=delay:30,1', /^200 \{"code":0,.*\}$/, 1, /held the response back for 30 ms/],
    ['gameList=repeat:1,1', /^200 \{"code":0,.*\}$/, 2, /sent this request again/],
  ];

  it.each(cases)('%s is met once, is said, and ends', async (fault, answer, calls, says) => {
    const { client, send, ask, faults } = await start(undefined, { faults: [fault] });
    const { request: own } = await send(gameList);
    const judged = Promise.withResolvers<void>();
    let count = 0;
    client.on('sandbox.judged', () => (count += 1) === calls && judged.resolve());
    const told = new Promise<PassedCall>((resolve) => client.on('gateway.passed', resolve));
    expect(await ask(own.bodyText).catch((error: Error) => error.message)).toMatch(answer);
    const { callId } = await told;
    if (calls > 0) await judged.promise;
    expect(count).toBe(calls);
    const { findings } = await client.call('calls.get', { id: callId ?? 0 });
    expect(findings.find(({ rule }) => rule === 'gateway.fault')?.message).toMatch(says);
    expect((await client.call('gateway.status', {}))?.faults).toEqual([]);
    expect(await ask(own.bodyText)).toMatch(/^200 \{"code":0/);
    if (fault.includes('repeat')) {
      const { calls: all } = await client.call('calls.list', {});
      expect(all.find(({ repeats }) => repeats === callId)).toMatchObject({ operation: 'gameList' });
      expect(all.find(({ repeats }) => repeats === callId)).not.toHaveProperty('origin');
    }
    expect(faults).toEqual([]);
  });

  it('is set while it runs, and is refused with the form of one', async () => {
    const { client } = await start();
    const { faults } = (await client.call('gateway.setFaults', { faults: ['bet=cut-after,2', 'all=delay:5'] })) ?? {};
    expect(faults).toEqual([
      { fault: 'bet=cut-after', left: 2 },
      { fault: 'all=delay:5', left: null },
    ]);
    await expect(client.call('gateway.setFaults', { faults: ['bet=never'] })).rejects.toThrow(
      'There is no fault never. Write it as',
    );
  });
});

it('answers under the names of the far side if it is told to', async () => {
  const test = await start();
  await test.client.call('gateway.stop', {});
  const environment = await test.environment({ baseUrl: 'https://provider.example:9' });
  const status = await test.client.call('gateway.start', { environmentId: environment.id, ownNames: true });
  const socket = connect({
    port: Number(new URL(status.baseUrl).port),
    host: 'localhost',
    servername: 'provider.example',
    ca: readFileSync(status.caFile),
  });
  await once(socket, 'secureConnect');
  expect(socket.getPeerX509Certificate()?.subjectAltName).toContain('DNS:provider.example');
  socket.destroy();
});
