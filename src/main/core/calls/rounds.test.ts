import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTime } from '#shared/signing/time.ts';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp({ sandbox: true });
});
afterAll(() => test.close());

let tickets = 0;
const today = (timeZone = 'UTC') => formatTime(Date.now(), timeZone, 'dmy').slice(0, 10);
function lookup(roundId: string, date = today(), environmentId = 'sandbox') {
  return test.client.call('rounds.lookup', { environmentId, roundId, date, ticket: `round-${++tickets}` });
}

async function playRound(roundId: string): Promise<void> {
  const [player] = (await test.client.call('sandbox.status', {})).players;
  const body = (amount: string) =>
    `{"externalToken":"${player?.externalToken}","playerId":"${player?.playerId}","gameId":"1001","transactionId":"${roundId}","amount":${amount},"currency":"${player?.currency}"}`;
  const bet = await test.send(draftOf('sandbox', { operation: 'bet', text: body('1.50') }));
  const win = await test.send(draftOf('sandbox', { operation: 'win', text: body('4.00') }));
  expect([bet.code, win.code]).toEqual([0, 0]);
}

describe('a round of the built-in provider', () => {
  it('beyond 2^53 is found with every digit, in its records and its replay', async () => {
    await playRound('9007199254740995');
    const found = await lookup('9007199254740995');
    expect(found).toMatchObject({ roundId: '9007199254740995', logMonth: 0, timeZone: 'UTC' });
    expect(found.month).toBe(found.currentMonth);
    expect(found.round.problem).toBeNull();
    expect(found.round.records?.map(({ action, roundId, gameId }) => [action, roundId, gameId])).toEqual([
      ['bet', '9007199254740995', '1001'],
      ['win', '9007199254740995', '1001'],
    ]);
    expect(found.round.records?.[0]?.bet).toMatch(/^1\.50?$/);
    expect(found.replay?.record?.replayLink).toMatch(/^https:\/\/localhost:\d+\/replay\?/);
    expect(found.replay?.checks.every(({ passed }) => passed)).toBe(true);
    const sent = await test.client.call('calls.get', { id: found.round.call.id });
    expect(sent.request.bodyText).toContain('"roundId":9007199254740995,"logMonth":0');
  });

  it('opens as a replay in the launcher, from the call that brought the link', async () => {
    await playRound('9007199254740997');
    const found = await lookup('9007199254740997');
    const launch = await test.client.call('launches.fromCall', { callId: found.replay?.call.id ?? 0 });
    expect(launch).toMatchObject({ source: 'replay', gameMode: null, problem: null, state: 'ready' });
    expect(launch.url).toContain('replayToken=[token]');
    expect(launch.checks.map(({ rule, passed }) => [rule, passed])).toContainEqual(['replayToken', true]);
  });

  it('that does not exist is an empty list and no replay, in words', async () => {
    const found = await lookup('8234567890123456789');
    expect(found.round).toMatchObject({ records: [], problem: null });
    expect(found.replay).toMatchObject({ record: null, problem: 'The response has no replay of this round.', checks: [] });
  });

  it('is looked for in the month of its date', async () => {
    const found = await lookup('1', '01-01-2020');
    const sent = await test.client.call('calls.get', { id: found.round.call.id });
    expect(found.month).toBe('2020-01');
    expect(sent.request.bodyText).toContain(`"logMonth":${found.logMonth}`);
    expect(found.logMonth).toBeGreaterThan(12);
  });

  it.each(['01-01-9999', '31-02-2026'])('on %s is refused before anything is sent', async (date) => {
    const { total } = await test.client.call('calls.list', { limit: 1 });
    await expect(lookup('1', date)).rejects.toMatchObject({ code: 'invalid_input', details: { path: 'date' } });
    expect((await test.client.call('calls.list', { limit: 1 })).total).toBe(total);
  });
});

it('of a provider that rejects says so for both calls', async () => {
  const server = await startHttpsServer((_, response) => void response.end('{"code":8,"message":"hash not valid","data":null}'));
  const { id } = await test.environment(server);
  const found = await lookup('1', today(), id);
  expect(found.round).toMatchObject({ records: null, problem: 'The provider answered code 8: hash not valid.' });
  expect(found.replay).toMatchObject({ record: null, problem: 'The provider answered code 8: hash not valid.' });
  await server.close();
});

it('shows the first response where it was cancelled after that, and does not send the second call', async () => {
  const received: string[] = [];
  const server = await startHttpsServer(({ body }, response) => {
    received.push(body.toString());
    response.end('{"code":8,"message":"hash not valid","data":null}');
  });
  const { id } = await test.environment(server);
  const ticket = 'between';
  let recorded = 0;
  const stop = test.client.on('calls.changed', () => {
    recorded += 1;
    // As pending, and with its outcome.
    if (recorded === 2) void test.client.call('calls.cancel', { ticket });
  });
  const found = await test.client.call('rounds.lookup', { environmentId: id, roundId: '1', date: today(), ticket });
  expect(found.round.call).toMatchObject({ state: 'answered', code: 8 });
  expect(found.replay).toBeNull();
  expect(received).toHaveLength(1);
  stop();
  await server.close();
});

it('stops after the first call that was cancelled', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<undefined>();
  const server = await startHttpsServer(() => resolve(undefined));
  const { id } = await test.environment(server);
  const looking = test.client.call('rounds.lookup', { environmentId: id, roundId: '1', date: today(), ticket: 'to-cancel' });
  await asked;
  expect(await test.client.call('calls.cancel', { ticket: 'to-cancel' })).toEqual({ cancelled: true });
  const found = await looking;
  expect(found.round.call.state).toBe('cancelled');
  expect(found.replay).toBeNull();
  await server.close();
});
