import { expect, it } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import type { Answers } from '#shared/provider/index.ts';
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
const failed = { kind: 'timeout', phase: 'headers', message: '', hint: '' } as const;
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

const readSent = ({ path, json }: Sent) =>
  readPassed({
    method: 'POST',
    path,
    body: Buffer.from(JSON.stringify(json)),
    at,
    environment,
    isWallet: path !== '/serviceApi.php',
  });

it.each(cases)('%s', (_, sent, findings) => {
  const agreement = createAgreement({});
  const requests = sent.filter((one) => one !== 'no');
  const said = requests.map((one, index) => {
    const isRejected = sent[sent.indexOf(one) + 1] === 'no';
    return agreement.begin(readSent(one))(isRejected ? { ...accepted, code: 9 } : accepted, index + 1, at);
  });
  expect(said.at(-1)?.map(({ message }) => message)).toEqual(findings);
});

/** An exchange of the wallet: `body` as it is written; `overlaps`: it ends after the next one. */
interface Leg {
  readonly method: string;
  readonly body: string;
  /** The response; 'refused' or 'lost' for none. */
  readonly came: string;
  readonly overlaps?: boolean;
  readonly minutes?: number;
}
let serial = 0;
const leg = (method: string, amount: string, came: string, more: Partial<Record<string, string>> = {}): Leg => {
  const fields = { playerId: '"p"', gameId: '"1"', transactionId: `"${method}-${++serial}"`, currency: '"EUR"', ...more };
  const members = Object.entries({ ...fields, amount }).flatMap(([name, text]) =>
    text === undefined ? [] : [`"${name}":${text}`],
  );
  return {
    method,
    body: `{"externalToken":"a",${members.join(',')}}`,
    came: /^[\d.-]/.test(came) ? `{"transactionId":"t","balance":${came}}` : came,
  };
};
const info = (balance: string, currency = 'EUR'): Leg => ({
  method: 'playerInfo',
  body: '{"externalToken":"a"}',
  came: `{"country":"DE","currency":"${currency}","balance":${balance},"playerId":"p"}`,
});
const renewal: Leg = { method: 'generateNewToken', body: '{"token":"a","newGameId":"2"}', came: '{"token":"b"}' };
const another = leg('bet', '5.00', '95.00');

/** Passes them in their order. Returns the findings of each, and the state of the bets some minutes after. */
function pass(legs: readonly Leg[], answers: Answers = {}, minutesAfter = 0) {
  const agreement = createAgreement(answers);
  let now = at;
  const said: string[][] = legs.map(() => []);
  let late: (() => void) | null = null;
  for (const [index, { method, body, came, overlaps, minutes = 0 }] of legs.entries()) {
    now += minutes * 60_000;
    const ended = agreement.begin(
      readPassed({ method: 'POST', path: `/${method}`, body: Buffer.from(body), at: now, environment, isWallet: true }),
    );
    const failure = came === 'lost' ? failed : null;
    const response = failure === null ? { ...accepted.response, body: Buffer.from(came) } : null;
    const end = () => {
      const found = ended({ code: came === 'refused' ? 404 : null, failure, response }, index + 1, now);
      said[index] = found
        .filter(({ rule }) => rule === 'gateway.balance' || rule === 'gateway.openBet')
        .map(({ message }) => message);
    };
    if (overlaps === true) late = end;
    else {
      end();
      late?.();
      late = null;
    }
  }
  return { said, bets: agreement.openBets(now + minutesAfter * 60_000) };
}

const balanceCases: readonly (readonly [name: string, legs: readonly Leg[], last: string])[] = [
  [
    'a bet that takes more',
    [info('100.00'), leg('bet', '1.00', '97.00')],
    'balance is 97.00. Call 1 had 100.00, and a bet of 1.00 makes that 99.00; another change may have passed elsewhere.',
  ],
  [
    'a win that is missing',
    [leg('bet', '1', '99'), leg('win', '2.5', '99')],
    'balance is 99. Call 1 had 99, and a win of 2.5 makes that 101.5; another change may have passed elsewhere.',
  ],
  [
    'a bet that adds',
    [info('1'), leg('bet', '1', '2')],
    'balance is 2. Call 1 had 1, and a bet of 1 makes that 0; another change may have passed elsewhere.',
  ],
  ['exact decimals', [info('0.3'), leg('bet', '0.1', '0.2'), leg('win', '0.10', '0.30'), leg('promoWin', '1e1', '10.3')], ''],
  [
    'prizes',
    [info('1'), leg('tournamentWin', '2', '3'), leg('promoWin', '2', '4')],
    'balance is 4. Call 2 had 3, and a promotional win of 2 makes that 5; another change may have passed elsewhere.',
  ],
  ['whole and minor units', [info('10000'), leg('bet', '1.50', '9850'), leg('win', '200', '9852')], ''],
  ['the first balance', [leg('bet', '1', '7')], ''],
  ['other players between', [info('100'), leg('bet', '1', '5', { playerId: '"q"' }), leg('bet', '1', '99')], ''],
  ['a repeat', [info('100'), another, another, leg('win', '1', '96')], ''],
  [
    'a transaction again with other values',
    [
      info('100'),
      leg('bet', '1', '99', { transactionId: '"t"' }),
      leg('bet', '2', '97', { transactionId: '"t"' }),
      leg('win', '1', '3'),
    ],
    '',
  ],
  ['a refused bet', [info('100'), leg('bet', '1', 'refused'), leg('bet', '1', '99')], ''],
  [
    'a difference across a refused bet',
    [info('100'), leg('bet', '1', 'refused'), leg('bet', '1', '98')],
    'balance is 98. Call 1 had 100, and a bet of 1 makes that 99; another change may have passed elsewhere.',
  ],
  ['a response that was lost', [info('100'), leg('bet', '1', 'lost'), leg('bet', '1', '98')], ''],
  ['a response without a balance', [info('100'), leg('win', '1', '{}'), leg('bet', '1', '100')], ''],
  ['a cancel', [info('100'), leg('bet', '1', '99'), leg('cancel', '1', '{}'), leg('bet', '1', '99')], ''],
  ['a cancel that names nobody', [info('100'), { method: 'cancel', body: '{}', came: '{}' }, leg('bet', '1', '50')], ''],
  [
    'two bets at once',
    [info('100'), { ...leg('bet', '1', '98'), overlaps: true }, leg('bet', '1', '99'), leg('bet', '1', '90')],
    '',
  ],
  [
    'a balance that was asked for during a bet',
    [{ ...leg('bet', '1', '99'), overlaps: true }, info('100'), leg('bet', '1', '98')],
    '',
  ],
  ['another currency', [info('100'), leg('bet', '1', '98', { currency: '"USD"' }), leg('bet', '1', '96')], ''],
  [
    'a new token',
    [info('100'), renewal, leg('bet', '1', '98')],
    'balance is 98. Call 1 had 100, and a bet of 1 makes that 99; another change may have passed elsewhere.',
  ],
  ['an amount that is no number', [info('100'), leg('bet', '"1"', '98')], ''],
];

it.each(balanceCases)('balances: %s', (_, legs, last) => {
  const { said } = pass(legs);
  expect(said.flat()).toEqual(last === '' ? [] : [last]);
  expect(said.at(-1)).toEqual(last === '' ? [] : [last]);
});

it('balances: nothing is said where an amount may be converted', () => {
  const legs = [info('100'), leg('bet', '1', '98')];
  expect(pass(legs, { 'wallet.currency': { value: 'converted' } }).said).toEqual([[], []]);
});

const [oldest, newest, byId] = ['oldest', 'newest', 'transactionId'].map((text): Answers => ({ 'win.bet': { value: text } })) as [
  Answers,
  Answers,
  Answers,
];
const round = (game: string, id = game) => ({ gameId: `"${game}"`, transactionId: `"${id}"` });
const betCases: readonly (readonly [name: string, answers: Answers, legs: readonly Leg[], open: readonly number[] | null])[] = [
  ['nobody says how a win finds its bet', {}, [leg('bet', '1', '1')], null],
  ['a win is not tied to a bet', { 'win.bet': { value: 'none' } }, [leg('bet', '1', '1')], null],
  ['a bet', oldest, [leg('bet', '1', '1')], [1]],
  ['a bet and its win', oldest, [leg('bet', '1', '1'), leg('win', '1', '1')], []],
  ['a win in another game', oldest, [leg('bet', '1', '1'), leg('win', '1', '1', round('2'))], [1]],
  ['a win of another player', oldest, [leg('bet', '1', '1'), leg('win', '1', '1', { playerId: '"q"' })], [1]],
  ['the oldest of two', oldest, [leg('bet', '1', '1'), leg('bet', '1', '1'), leg('win', '1', '1')], [2]],
  ['the newest of two', newest, [leg('bet', '1', '1'), leg('bet', '1', '1'), leg('win', '1', '1')], [1]],
  [
    'the one with its ID',
    byId,
    [leg('bet', '1', '1', round('1', 'a')), leg('bet', '1', '1', round('1', 'b')), leg('win', '1', '1', round('9', 'b'))],
    [1],
  ],
  [
    'a win that passes before its bet has ended',
    byId,
    [{ ...leg('bet', '1', '1', round('1')), overlaps: true }, leg('win', '1', '1', round('1'))],
    [],
  ],
  [
    'a win again',
    oldest,
    [leg('bet', '1', '1'), leg('bet', '1', '1'), ...Array.from({ length: 2 }, () => leg('win', '1', '1', round('1', 'w')))],
    [2],
  ],
  ['a refused win', oldest, [leg('bet', '1', '1'), leg('win', '1', 'refused')], [1]],
  ['a win whose response was lost', oldest, [leg('bet', '1', '1'), leg('win', '1', 'lost')], []],
  ['a win that names no player', newest, [leg('bet', '1', '1'), { method: 'win', body: '{}', came: '{}' }], []],
  [
    'a refused bet, one that was lost, and one that is repeated',
    oldest,
    [leg('bet', '1', 'refused'), leg('bet', '1', 'lost'), another, another],
    [3],
  ],
  [
    'a cancel',
    newest,
    [leg('bet', '1', '1', round('1', 'a')), leg('bet', '1', '1'), leg('cancel', '1', '{}', round('1', 'a'))],
    [2],
  ],
  ['a cancel of another transaction', newest, [leg('bet', '1', '1'), leg('cancel', '1', '{}')], [1]],
  ['a cancel that does not say of what', newest, [leg('bet', '1', '1'), { method: 'cancel', body: '{}', came: '{}' }], []],
];

it.each(betCases)('bets without a win: %s', (_, answers, legs, open) => {
  const { bets } = pass(legs, answers);
  expect(bets).toEqual(open === null ? null : { count: open.length, late: 0, calls: open });
});

it('a bet that waits for ten minutes is told with the next exchange of its player, once', () => {
  const legs = [
    leg('bet', '1', '{}'),
    { ...another, minutes: 9 },
    { ...leg('bet', '1', '{}', { playerId: '"q"' }), minutes: 1 },
    { ...leg('bet', '1', '{}'), minutes: 1 },
    leg('win', '1', '{}', round('2')),
  ];
  const told = 'Call 1, a bet of this player, has had no win or cancel here for 11 minutes.';
  const { said, bets } = pass(legs, oldest, 8);
  expect(said).toEqual([[], [], [], [told], []]);
  expect(bets).toEqual({ count: 4, late: 2, calls: [1, 2, 3, 4] });
});

it('says nothing of what was forgotten', () => {
  const agreement = createAgreement(oldest);
  const passOne = ({ method, body, came }: Leg, id: number) => {
    const read = readPassed({ method: 'POST', path: `/${method}`, body: Buffer.from(body), at, environment, isWallet: true });
    const response = { ...accepted.response, body: Buffer.from(came) };
    return agreement.begin(read)({ code: null, failure: null, response }, id, at);
  };
  passOne(info('100'), 1);
  passOne(another, 2);
  passOne(renewal, 3);
  agreement.forget();
  expect(agreement.openBets(at)?.count).toBe(0);
  expect(passOne(another, 4)).toEqual([]);
  expect(agreement.openBets(at)).toEqual({ count: 1, late: 0, calls: [4] });
});
