import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSchemaValidator } from '#testing/schema-validator.ts';
import { startTestSandbox, type TestSandbox } from '#testing/sandbox-client.ts';
import { readStart } from './start-file.ts';

const invalid = '{"code":404,"message":"Invalid Token"}';
let sandbox: TestSandbox;

beforeEach(async () => {
  sandbox = await startTestSandbox();
});
const contract = createSchemaValidator();
afterEach(async () => {
  await sandbox.close();
  for (const { path, body, answer } of sandbox.exchanges) expect(contract.exchange(path, body, answer.text), body).toEqual([]);
});

function fields(index: number, change: Record<string, unknown> = {}) {
  const player = sandbox.players()[index];
  return {
    externalToken: player?.externalToken,
    playerId: player?.playerId,
    gameId: '1042',
    transactionId: 't-1',
    amount: 10,
    currency: player?.currency,
    ...change,
  };
}

test('playerInfo answers the documented fields, non-ASCII ids included', async () => {
  const answer = await sandbox.wallet('playerInfo', { externalToken: sandbox.players()[2]?.externalToken });
  expect(answer.text).toBe('{"code":0,"message":"ok","country":"CH","currency":"CHF","balance":500,"playerId":"Zo\\u00eb-7"}');
});

test('bet, win, cancel, tournamentWin and promoWin move the balance', async () => {
  const balances: unknown[] = [];
  for (const [method, change] of [
    ['bet', { amount: 10.25 }],
    ['win', { amount: 0.1 }],
    ['bet', { transactionId: 't-2', amount: 100 }],
    ['cancel', { transactionId: 't-2' }],
    ['tournamentWin', { amount: 20 }],
    ['promoWin', { amount: 0.2, externalReferenceId: 'campaign-1' }],
  ] as const) {
    const { json } = await sandbox.wallet(method, fields(0, change));
    expect(json).toMatchObject({ code: 0, message: 'ok' });
    expect(Object.keys(json)).toEqual(['code', 'message', 'transactionId', 'externalTrxId', 'balance']);
    balances.push(json['balance']);
  }
  expect(balances).toEqual([989.75, 989.85, 889.85, 989.85, 1009.85, 1010.05]);
  expect(sandbox.players()[0]?.balance).toBe(1010.05);
});

test('a verdict says the balance before and after, and none without a session', async () => {
  const token = sandbox.players()[0]?.externalToken;
  const balances: unknown[] = [];
  for (const [method, body] of [
    ['playerInfo', { externalToken: token }],
    ['bet', fields(0, { amount: 10.25 })],
    ['bet', fields(0, { amount: 10.25 })],
    ['bet', fields(0, { transactionId: 't-2', amount: 5_000 })],
    ['win', fields(0, { amount: 0.1 })],
    ['generateNewToken', { token, newGameId: '1043' }],
    ['bet', fields(0, { externalToken: token })],
    ['playerInfo', { token: sandbox.players()[0]?.externalToken }],
  ] as const) {
    await sandbox.wallet(method, body);
    const { balance } = sandbox.verdicts.at(-1)?.verdict ?? {};
    balances.push(balance === undefined ? null : [balance.before, balance.after, balance.currency]);
  }
  expect(balances).toEqual([
    ['1000', '1000', 'EUR'],
    ['1000', '989.75', 'EUR'],
    ['989.75', '989.75', 'EUR'],
    ['989.75', '989.75', 'EUR'],
    ['989.75', '989.85', 'EUR'],
    ['989.85', '989.85', 'EUR'],
    null,
    null,
  ]);
});

test('the same transaction again gets the same bytes and moves nothing', async () => {
  const first = await sandbox.wallet('bet', fields(0));
  await sandbox.wallet('tournamentWin', fields(0, { amount: 5 }));
  const again = await sandbox.wallet('bet', fields(0));
  expect(again.text).toBe(first.text);
  expect(sandbox.lastWhy()).toContain('already processed');
  expect(sandbox.players()[0]?.balance).toBe(995);
});

test('an unknown token is code 404 with code and message alone', async () => {
  for (const method of ['playerInfo', 'bet', 'win', 'cancel', 'tournamentWin', 'promoWin']) {
    const answer = await sandbox.wallet(method, fields(0, { externalToken: 'unknown' }));
    expect([answer.status, answer.text]).toEqual([200, invalid]);
  }
  expect((await sandbox.wallet('generateNewToken', { token: 'unknown', newGameId: '1043' })).text).toBe(invalid);
  expect(sandbox.players()[0]?.balance).toBe(1000);
});

test('a new token ends the old one and inherits the session', async () => {
  const old = sandbox.players()[0]?.externalToken;
  const answer = await sandbox.wallet('generateNewToken', { token: old, newGameId: '1043' });
  const token = answer.json['token'];
  expect(token).not.toBe(old);
  expect(sandbox.players()[0]?.externalToken).toBe(token);
  expect((await sandbox.wallet('playerInfo', { externalToken: old })).text).toBe(invalid);
  expect((await sandbox.wallet('playerInfo', { externalToken: token })).json).toMatchObject({
    playerId: 'player-1',
    balance: 1000,
  });
  expect((await sandbox.wallet('generateNewToken', { token: old, newGameId: '1043' })).text).toBe(invalid);
});

test('what has no documented code is refused with 404 and HTTP 400, and says why', async () => {
  for (const [change, why] of [
    [{ amount: 1000.01 }, 'does not cover'],
    [{ currency: 'USD' }, 'not the currency'],
    [{ playerId: 'player-2' }, 'not the player'],
  ] as const) {
    const answer = await sandbox.wallet('bet', fields(0, change));
    expect([answer.status, answer.text]).toEqual([400, invalid]);
    expect(sandbox.lastWhy()).toContain(why);
  }
  expect(sandbox.players()[0]?.balance).toBe(1000);
});

test('balances are exact where floats are not', async () => {
  for (let index = 0; index < 10; index += 1)
    await sandbox.wallet('bet', fields(4, { transactionId: `t-${index}`, amount: 0.001 }));
  const answer = await sandbox.wallet('playerInfo', { externalToken: sandbox.players()[4]?.externalToken });
  expect(answer.text).toContain('"balance":99.115,');
});

test.each([
  ['JPY', '9007199254740993', '1', '9007199254740992'],
  ['EUR', '90071992547409.93', '0.01', '90071992547409.92'],
  ['KWD', '999999999999999999.999', '999999999999999999.998', '0.001'],
])('a balance beyond 2^53 minor units of %s is exact', async (currency, balance, amount, left) => {
  const rich = await startTestSandbox({
    start: readStart(`players: [{ playerId: a, externalToken: t, currency: ${currency}, balance: ${balance} }]`, 'players.yaml'),
  });
  const bet = `{"externalToken":"t","playerId":"a","gameId":"1042","transactionId":"t-1","amount":${amount},"currency":"${currency}"}`;
  expect((await rich.send('/bet', bet)).text).toContain(`"balance":${left}}`);
  expect((await rich.send('/win', bet)).text).toContain(`"balance":${balance}}`);
  await rich.close();
});

test.each(['0.10000000000000000555', '1e-400', '1e400', '1234567890123456789'])('an amount of %s is refused', async (amount) => {
  const refused = await sandbox.send('/win', JSON.stringify(fields(0)).replace('"amount":10', `"amount":${amount}`));
  expect(refused.text).toBe(invalid);
  expect(sandbox.players()[0]?.balance).toBe(1000);
});

test('yen have no decimals', async () => {
  expect((await sandbox.wallet('bet', fields(3, { amount: 1.5 }))).text).toBe(invalid);
  expect((await sandbox.wallet('bet', fields(3, { amount: 1500 }))).text).toContain('"balance":148500}');
});
