import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { afterEach, describe, expect, test } from 'vitest';
import { reasonHeader } from '#shared/explanation/provider-reason.ts';
import { startTestSandbox, testHash, testKey, testTime, type TestSandbox } from '#testing/sandbox-client.ts';

const data = '{"roundId":1001,"note":"a/b"}';
const sha = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
/** Two mistakes: the year first, and escaped slashes. */
const twoMistakes = sha(`${testKey}2026-11-20 10:15:30${data.replace('/', '\\/')}`);
const otherKey = sha(`other${testTime}${data}`);

let sandbox: TestSandbox;
let onClock: () => void = () => undefined;
afterEach(() => sandbox.close());

/** Starts a provider that reads its clock when it judges a hash, so that a test sees a search begin. */
async function start(explainMs: number): Promise<void> {
  const now = Date.UTC(2026, 10, 20, 10, 15, 30);
  const read = () => {
    onClock();
    return now;
  };
  sandbox = await startTestSandbox({ explainMs, now: read, choices: { timeTolerance: 60 } });
  // It reads it for each new connection, too: the client then has all that it uses.
  await Promise.all([1, 2, 3].map(() => sandbox.call('gameList', undefined, { currency: '"EUR"' })));
  sandbox.verdicts.length = 0;
}

/** Resolves when the provider next reads its clock: on a known connection when it judges a hash, and when it reports its verdict. */
function clockRead(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onClock = resolve;
  return promise;
}

function callWith(hash: string) {
  return sandbox.call('getGameRound', data, { hash: JSON.stringify(hash) });
}

function bet(transactionId: string) {
  const { playerId = '', externalToken = '', currency = '' } = sandbox.players()[0] ?? {};
  return sandbox.wallet('bet', { externalToken, playerId, gameId: '1001', transactionId, amount: 1, currency });
}

describe('while the provider searches for two mistakes', () => {
  test('it answers others, each transaction as a whole, and then says both', async () => {
    await start(60_000);
    const order: string[] = [];
    const judged = clockRead();
    const refused = callWith(twoMistakes).finally(() => order.push('the refused one'));
    await judged;
    const [one, again] = await Promise.all([bet('t-1'), bet('t-1')]);
    order.push('others');
    const { status, text, headers } = await refused;
    expect(order).toEqual(['others', 'the refused one']);
    expect(one.text).toBe(again.text);
    expect(sandbox.players()[0]?.balance).toBe(999);
    expect([status, text]).toEqual([200, '{"code":8,"message":"hash not valid","data":null}']);
    const { verdict } = sandbox.verdicts.at(-1) ?? {};
    expect(verdict?.mistake).toContain('Your backend escapes the slashes. Your backend hashes the time with the year first');
    expect(verdict?.mistake).toMatch(/ The hash input first differs at byte 2 after the key: - is right, 2 was hashed\.$/);
    expect(verdict?.why).toContain(verdict?.mistake);
    expect(JSON.parse(String(headers[reasonHeader]))).toEqual({ why: verdict?.mistake, standsIn: false, mistake: true });
  });

  test('it stops when the client leaves, and reports what it has', async () => {
    await start(60_000);
    const agent = new Agent({ ca: sandbox.ca, keepAlive: true });
    const [first] = (await once(request(`${sandbox.baseUrl}/favicon.ico`, { agent }).end(), 'response')) as [
      NodeJS.ReadableStream,
    ];
    await once(first.resume(), 'end');
    const judged = clockRead();
    const envelope = { action: 'getGameRound', platform: 7, partnerId: 12, time: testTime, hash: otherKey };
    const sent = request(`${sandbox.baseUrl}/serviceApi.php`, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json' },
    });
    sent.on('error', () => undefined);
    sent.end(`${JSON.stringify(envelope).slice(0, -1)},"data":${data}}`);
    await judged;
    const reported = clockRead();
    agent.destroy();
    await reported;
    expect(sandbox.lastWhy()).toContain('Not tried, because the client did not wait: ');
    expect(sandbox.verdicts).toMatchObject([{ verdict: { code: 8, mistake: null } }]);
  });

  test('it stops with the provider, which has reported it then', async () => {
    await start(60_000);
    const judged = clockRead();
    const refused = callWith(otherKey).catch(() => null);
    await judged;
    await sandbox.close();
    expect(sandbox.verdicts.map(({ verdict }) => verdict.code)).toEqual([8]);
    expect(sandbox.lastWhy()).toContain('Not tried, because the provider stopped: ');
    await refused;
  });
});

test('what the response does not wait for is said in it, and the verdict is the same', async () => {
  await start(0);
  const answer = await callWith(twoMistakes);
  expect(answer.json['code']).toBe(8);
  const said = 'None of the mistakes tried gives this hash; check the private key. Not tried, because the response waits';
  expect(sandbox.lastWhy()).toContain(said);
  expect(String(answer.headers[reasonHeader])).toContain(said);
  expect(sandbox.verdicts.at(-1)?.verdict.mistake).toBeNull();
  // A single mistake needs no waiting.
  await callWith(testHash(data).toUpperCase());
  expect(sandbox.verdicts.at(-1)?.verdict.mistake).toContain('uppercase');
});
