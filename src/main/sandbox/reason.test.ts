import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reasonHeader, reasonOf } from '#shared/explanation/provider-reason.ts';
import { startTestSandbox, testHash, testKey, type TestAnswer, type TestSandbox } from '#testing/sandbox-client.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

/** Reads the reason as a client does, from the response of a call that Croupier sent. */
function readReason({ status, headers }: TestAnswer, environmentId = 'sandbox', url = `${sandbox.baseUrl}/bet`) {
  const list = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return reasonOf({ environmentId, url, response: { status, headers: list, bodyBytes: 0, truncated: false } });
}

function bet(change: object) {
  const player = sandbox.players()[0];
  const { playerId, externalToken, currency } = player ?? { playerId: '', externalToken: '', currency: '' };
  return { externalToken, playerId, gameId: '1001', transactionId: 't-1', amount: 1, currency, ...change };
}

const grant = {
  playerId: 'player-1',
  externalReferenceId: 'reason-1',
  freeRoundValidity: '31-12-2030 23:59:59',
  numberOfFreeRounds: 10,
  betLevel: 50,
  gameIds: ['1001'],
};

describe('the reason of a rejection is in its response', () => {
  test.each([
    ['a bet over the balance', { amount: 99_999 }, 404, true, 'The balance of 1000 EUR does not cover the bet of 99999.'],
    ['another currency', { currency: 'JPY' }, 404, true, 'currency "JPY" is not the currency of the player ("EUR").'],
    ['another player', { playerId: 'Zoë' }, 404, true, 'playerId "Zoë" is not the player of this session ("player-1").'],
    ['an unknown token', { externalToken: 'x' }, 404, false, 'No session has this externalToken'],
  ])('/bet with %s', async (_, change, code, standsIn, why) => {
    const answer = await sandbox.wallet('bet', bet(change));
    expect(answer.json['code']).toBe(code);
    const reason = readReason(answer);
    expect(reason).toMatchObject({ standsIn, byte: null, mistake: false });
    expect(reason?.why).toContain(why);
    expect(sandbox.verdicts.at(-1)?.verdict).toMatchObject({ standsIn, reason: reason?.why });
  });

  test('/generateNewToken names its own field', async () => {
    const answer = await sandbox.wallet('generateNewToken', { token: 'x', newGameId: '1001' });
    expect(readReason(answer)?.why).toContain('No session has this token: ');
  });

  test.each([
    ['betLevel 50', 'freeRounds', JSON.stringify(grant), {}, 9, true, 'betLevel 50 is too high: the last bet of game'],
    ['an unknown action', 'nothing', '{}', {}, 9, true, 'There is no action "nothing".'],
    ['another partnerId', 'gameList', undefined, { partnerId: '13' }, 9, false, 'partnerId is 13 and should be 12.'],
    ['real mode without a token', 'getLauncherURL', '{"gameMode":"real"}', {}, 404, false, 'Real mode needs an externalToken'],
    ['no hash', 'gameList', undefined, { hash: 'null' }, 8, false, 'The hash is not a string.'],
    ['the hash of another key', 'gameList', undefined, { hash: `"${'0'.repeat(64)}"` }, 8, false, 'check the private key.'],
  ])('%s', async (_, action, data, envelope, code, standsIn, why) => {
    const answer = await sandbox.call(action, data, envelope);
    expect(answer.json['code']).toBe(code);
    expect(readReason(answer)).toMatchObject({ standsIn });
    expect(readReason(answer)?.why).toContain(why);
  });

  test('where data changes on the way, with the byte and whether that is the reason', async () => {
    const reason = readReason(await sandbox.call('getGameRound', '{"roundId":1,"logMonth":0,"a":"\\/"}'));
    expect(reason).toEqual({ standsIn: false, byte: 31, isReason: true, mistake: true, why: expect.any(String) });
    expect(reason?.why).toContain('matches data as it was sent');
  });

  test('a success says something only where the code does not say it all', async () => {
    const first = await sandbox.wallet('bet', bet({ transactionId: 'reason-1' }));
    expect([first.json['code'], first.headers[reasonHeader]]).toEqual([0, undefined]);
    const again = await sandbox.wallet('bet', bet({ transactionId: 'reason-1' }));
    expect(readReason(again)).toMatchObject({ why: 'This transaction was already processed; no money was moved this time.' });
    const round = await sandbox.call('getGameRound', '{"roundId":5,"logMonth":0}');
    expect(readReason(round)?.why).toBe('There is no round 5.');
  });

  test('it holds neither the key nor a hash that would be right', async () => {
    const typed = `{"roundId":1,"logMonth":0,"a":"\\/","b":"${testKey}"}`;
    const answer = await sandbox.call('getGameRound', typed, { hash: `"${testHash('x')}"` });
    const header = String(answer.headers[reasonHeader]);
    expect(header).toContain('must never be sent');
    expect(header).not.toContain(testKey);
    expect(header).not.toContain(sandbox.verdicts.at(-1)?.verdict.expected?.hash);
    const named = await sandbox.call(testKey, '{}');
    expect(String(named.headers[reasonHeader])).not.toContain(testKey);
  });

  test('it is one line of ASCII, and of nobody else', async () => {
    const answer = await sandbox.wallet('bet', bet({ playerId: 'Zoë\r\n\u202e😀' }));
    expect(String(answer.headers[reasonHeader])).toMatch(/^[ -~]+$/);
    expect(readReason(answer)?.why).toContain('Zoë\r\n\u202e😀');
    expect(readReason(answer, 'staging-1a2b')).toBeNull();
    expect(readReason(answer, 'sandbox', 'https://provider.example/bet')).toBeNull();
  });
});
