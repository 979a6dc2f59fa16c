import { expect, it } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import { createAgreement } from './agreement.ts';
import { readPassed } from './read-request.ts';

const environment = Environment.parse({
  id: 'e',
  name: 'e',
  baseUrl: 'https://a.example',
  platform: 1,
  partnerId: 2,
  timeZone: 'UTC',
});
const accepted = { code: 0, failure: null, response: { status: 200, headers: [], body: Buffer.alloc(0), truncated: false } };
const at = Date.UTC(2026, 10, 20, 10, 15, 30);
const service = (action: string, data: object, time = '20-11-2026 10:15:30') => ({
  path: '/serviceApi.php',
  json: { action, platform: 1, partnerId: 2, time, data, hash: 'h' },
});
const wallet = (path: string, json: object) => ({ path, json });

type Sent = ReturnType<typeof wallet>;
const grant = (externalReferenceId: string, numberOfFreeRounds = 5) =>
  service('freeRounds', { playerId: 'p', externalReferenceId, numberOfFreeRounds });
const bet = (transactionId: string, amount = 1) =>
  wallet('/bet', { externalToken: 'a', playerId: 'p', gameId: '1', transactionId, amount, currency: 'EUR' });

/** Exchanges in their order, the last of which is judged; `no` marks one that was rejected. */
const cases: readonly (readonly [name: string, sent: readonly (Sent | 'no')[], findings: readonly string[]])[] = [
  ['a new reference', [grant('r-1'), grant('r-2')], []],
  [
    'a reference with other values',
    [grant('r-1'), grant('r-1', 6)],
    ['externalReferenceId was accepted in call 1, with other values.'],
  ],
  ['a reference again', [grant('r-1'), grant('r-1')], ['Call 1 was the same request, and it was accepted.']],
  ['a reference that was rejected', [grant('r-1'), 'no', grant('r-1', 6)], []],
  [
    'a reference of one player among several',
    [grant('r-1'), service('freeRounds', { playerIds: ['p', 'q'], externalReferenceIds: ['r-0', 'r-1'], numberOfFreeRounds: 5 })],
    ['externalReferenceIds was accepted in call 1, with other values.'],
  ],
  ['a transaction of another method', [bet('t-1'), wallet('/win', { transactionId: 't-1' })], []],
  [
    'a transaction with another amount',
    [bet('t-1'), bet('t-1', 2)],
    ['transactionId was accepted in call 1, with other values.'],
  ],
  [
    'a token that was replaced',
    [wallet('/generateNewToken', { token: 'a', newGameId: '2' }), bet('t-1')],
    ['externalToken is the token that call 1 replaced by a new one, so it is not valid any more.'],
  ],
  ['a token that was not', [wallet('/generateNewToken', { token: 'a', newGameId: '2' }), 'no', bet('t-1')], []],
  [
    'a time that is farther off than those before',
    [grant('r-1'), service('gameList', {}, '20-11-2026 10:11:30')],
    ["time is 240 s behind this computer's clock. So far, the provider accepted at most 0 s."],
  ],
  ['a time a little off', [grant('r-1'), service('gameList', {}, '20-11-2026 10:16:10')], []],
  ['the first time', [service('gameList', {}, '20-11-2020 10:15:30')], []],
  ['a token that is used again', [bet('t-1'), bet('t-2')], []],
];

it.each(cases)('%s', (_, sent, findings) => {
  const agreement = createAgreement();
  const requests = sent.filter((one) => one !== 'no');
  const said = requests.map(({ path, json }, index) => {
    const body = Buffer.from(JSON.stringify(json));
    const read = readPassed({ method: 'POST', path, body, at, environment, isWallet: path !== '/serviceApi.php' });
    const found = agreement.check(read);
    agreement.learn(
      read,
      index + 1,
      sent[sent.indexOf(requests[index] as Sent) + 1] === 'no' ? { ...accepted, code: 9 } : accepted,
    );
    return found.map(({ message }) => message);
  });
  expect(said.at(-1)).toEqual(findings);
});
