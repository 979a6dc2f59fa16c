import { describe, expect, it } from 'vitest';
import { minorUnit, readMoney } from '#shared/wallet/money.ts';
import { termsOf } from '#shared/wallet/terms.ts';
import type { CaseCheck, CaseExpectation } from '#shared/wallet/wallet-case.ts';
import type { WalletName } from '#shared/model/operations.ts';
import type { Delivered } from '../calls/send.ts';
import { answerText, readAnswer, type Answer } from './answer.ts';
import { allowedChanges, explains, leakIn, missOf, refusalFault, wrongResponse, type Beside } from './judge.ts';
import { observationOf } from './observation.ts';
import type { Session } from './requests.ts';

const euros = (amount: number) => readMoney(String(amount)) ?? 0n;
const terms = termsOf({ currency: 'EUR', answers: {}, stake: '20', fractions: true });
const session: Session = {
  playerId: 'one',
  token: 'new',
  replaced: 'old',
  balance: euros(99),
  start: euros(100),
  before: euros(100),
};
const other: Session = { ...session, playerId: 'two' };

interface Facts {
  readonly method?: WalletName;
  readonly effect?: number;
  readonly named?: number;
  readonly status?: number | null;
  readonly ms?: number;
  readonly of?: Session;
  readonly id?: string;
}

/** Makes the response to one request, as it was read. */
function answer(
  body: string,
  { method = 'bet', effect = -1, named = 1, status = 200, ms = 5, of = session, id = 't' }: Facts = {},
): Answer {
  const sent = {
    method,
    members: [['transactionId', JSON.stringify(id)]] as const,
    body: JSON.stringify({ playerId: of.playerId, transactionId: id }),
    session: of,
    effect: euros(effect),
    named: euros(named),
    cut: undefined,
  };
  const call = { id: 1, status, failure: status === null ? { message: 'It was cut.' } : null, durationMs: ms };
  return readAnswer(sent, { call, body: Buffer.from(body) } as unknown as Delivered, 0, ms);
}

const yes = answer('{"code":0,"transactionId":"t","externalTrxId":"e","balance":99}');
const no = answer('{"code":402,"message":"Insufficient funds"}');

describe('what a response says', () => {
  it.each<[string, string, number | null, Answer['kind']]>([
    ['code 0', '{"code":0}', 200, 'booked'],
    ['code 0 and HTTP 500', '{"code":0}', 500, 'booked'],
    ['no code', '{"balance":1}', 200, 'booked'],
    ['no code and HTTP 400', '{"balance":1}', 400, 'refused'],
    ['another code', '{"code":1}', 200, 'refused'],
    ['a code as text', '{"code":"0"}', 200, 'booked'],
    ['0 as a float', '{"code":0.0}', 200, 'booked'],
    ['-0', '{"code":-0}', 200, 'booked'],
    ['code null', '{"code":null,"balance":1}', 200, 'booked'],
    ['no code and a redirect', '{"redirect":"/login"}', 302, 'none'],
    ['a page', '<html>', 500, 'refused'],
    ['nothing to read', '<html>', 200, 'none'],
    ['a list', '[]', 200, 'none'],
    ['nothing', '', null, 'none'],
  ])('with %s', (_, body, status, kind) => {
    expect(answer(body, { status }).kind).toBe(kind);
  });
});

it.each([
  ['code 0, balance 99', yes],
  ['code 402, Insufficient funds', no],
  ['code 402', answer('{"code":402,"message":""}')],
  ['HTTP 200, no code', answer('{}')],
  ['HTTP 500, no JSON object', answer('<html>', { status: 500 })],
  ['It was cut', answer('', { status: null })],
])('a response in words: %s', (words, one) => {
  expect(answerText(one)).toBe(words);
});

describe('money that agrees with what was said', () => {
  it.each<[CaseExpectation, readonly Answer[], readonly number[], readonly number[]]>([
    ['booked', [yes, yes], [-2], [-1, 0, 2]],
    ['refused', [no], [0], [-1, 1]],
    ['recognised', [yes], [0], [-1]],
    ['either', [yes, no, yes], [-2], [-1, -3, 0]],
    ['either', [yes, answer('{"code":0}', { method: 'cancel', effect: 1 })], [0, -1], [1]],
    ['either', [answer('', { status: null })], [0, -1], [1, -2]],
    ['once', [yes, yes, yes], [-1], [0, -2, -3]],
    ['converted', [yes], [0, -0.5], [-1]],
    ['converted', [no], [0], [-0.5]],
    ['notBoth', [answer('{"code":0}', { effect: 2 }), answer('{"code":0}', { effect: 1 })], [2, 1], [3, 0]],
    ['moved', [no], [0, -1], [-2]],
  ])('%s', (expectation, answers, right, wrong) => {
    const { allows } = allowedChanges(expectation, answers, session, []);
    expect(right.map((change) => allows(euros(change)))).toEqual(right.map(() => true));
    expect(wrong.map((change) => allows(euros(change)))).toEqual(wrong.map(() => false));
    // Nothing may happen to a player who did not play.
    expect(allowedChanges(expectation, answers, other, []).allows(0n)).toBe(true);
  });

  it('once, also of a request whose response nobody heard', () => {
    const { allows } = allowedChanges('once', [yes], session, [euros(-1)]);
    expect([euros(-1), euros(-2), 0n].map(allows)).toEqual([true, false, false]);
  });

  it('is explained by any of the requests, with either sign and the amount that it names', () => {
    const cancel = answer('{}', { method: 'cancel', effect: 1, named: 5 });
    const changes = [0, -1, -2, 1, 5, 6, -0.5, 7.77];
    expect(changes.map((change) => explains([yes, cancel], euros(change)))).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

it.each<[CaseExpectation, Answer, boolean, boolean]>([
  ['booked', no, false, true],
  ['refused', yes, false, true],
  ['invalidToken', no, false, true],
  ['invalidToken', answer('{"code":404,"message":"Invalid Token"}'), false, false],
  ['recognised', no, false, true],
  ['recognised', no, true, false],
  ['either', no, false, false],
  ['either', answer('', { status: null }), false, true],
  ['unmoved', answer('', { status: null }), false, false],
])('%s is judged by what was said', (expectation, one, retriesHaveCode, isWrong) => {
  expect(wrongResponse(expectation, [one], retriesHaveCode) !== null).toBe(isWrong);
});

const bitcoin = termsOf({ currency: 'BTC', answers: {}, stake: '20', fractions: true });
const beside: Beside = { terms, first: null, previous: null, retriesHaveCode: false };
const info = (body: string) => answer(body, { method: 'playerInfo', effect: 0 });
const player = '{"code":0,"country":"DE","currency":"EUR","balance":100,"playerId":"one"}';

describe('a check', () => {
  it.each<[CaseCheck, Answer, Answer, Partial<Beside>?]>([
    ['player', info(player), info(player.replace('"DE"', '49'))],
    ['ownPlayer', info(player), info(player.replace('one', 'two'))],
    ['noPlayerData', no, info('{"code":404,"message":"Invalid Token","balance":0}')],
    ['noPlayerData', answer('{"code":404,"balance":null,"playerId":null}'), info('{"code":404,"country":"DE"}')],
    ['sameAnswer', info(player), info(player.replace('100', '101')), { first: info(player) }],
    [
      'sameAnswer',
      info(player.replace('0,', '0,"time":2,')),
      info('{"code":0}'),
      { first: info(player.replace('0,', '0,"time":1,')) },
    ],
    ['sameContext', info(player.replace('100', '7')), info(player.replace('EUR', 'USD')), { first: info(player) }],
    ['echo', yes, answer('{"code":0,"transactionId":"T","balance":99}')],
    ['externalId', yes, answer('{"code":0,"transactionId":"t","externalTrxId":7,"balance":99}')],
    ['otherExternalId', yes, yes, { previous: answer('{"code":0,"externalTrxId":"d"}') }],
    ['balance', yes, answer('{"code":0,"balance":100}')],
    ['plainNumber', yes, answer('{"code":0,"balance":9.9e1}')],
    ['plainNumber', yes, answer('{"code":0,"balance":98.99999999999999}')],
    ['plainNumber', yes, answer('{"code":0,"balance":"99"}')],
    ['plainNumber', answer('{"code":0,"balance":1.2345678}'), answer('{"code":0,"balance":null}'), { terms: bitcoin }],
    ['sameMembers', yes, answer('{"code":0,"balance":99}'), { first: yes }],
    ['sameMembers', answer('{"balance":9,"code":0}'), yes, { first: answer('{"code":0,"balance":99}') }],
    ['noRefusal', yes, no],
    ['json', no, answer('<html>', { status: 500 })],
    ['patience', yes, answer('{"code":0}', { ms: 4_001 })],
  ])('of %s', (check, right, wrong, more = {}) => {
    const facts = { ...beside, ...more };
    expect(missOf(check, [right], facts)).toBeNull();
    const bad = check === 'otherExternalId' ? { ...facts, previous: yes } : facts;
    expect(missOf(check, [right, wrong], bad)).toMatch(/./);
  });

  it('of a new token', () => {
    const renewal = (token: string, replaced: string | null) =>
      missOf('newToken', [answer('{"code":0}', { method: 'generateNewToken', of: { ...session, token, replaced } })], beside);
    expect(renewal('new', 'old')).toBeNull();
    expect([renewal('old', null), renewal('x'.repeat(256), 'old')]).toEqual([
      'no new token in the response',
      'a token of 256 characters',
    ]);
  });

  it('of balances while bets are booked', () => {
    const of = { ...session, balance: euros(98) };
    const read = (balance: number) => answer(`{"code":0,"balance":${balance}}`, { method: 'playerInfo', effect: 0, of });
    const seen = (balance: number) => missOf('betweenStates', [yes, yes, read(balance)], beside);
    expect([100, 99, 98].map(seen)).toEqual([null, null, null]);
    expect(seen(98.5)).toContain('98.5');
    expect(seen(-1)).toContain('-1');
  });
});

it.each<[string, Answer, RegExp | null]>([
  ['code and message', no, null],
  ['no message', answer('{"code":402}'), /no message/],
  ['a code as text', answer('{"code":"402","message":"no"}'), /code is string/],
  ['a page', answer('<html>', { status: 500 }), /HTTP 500/],
])('a refusal with %s', (_, one, words) => {
  if (words === null) expect(refusalFault(one)).toBeNull();
  else expect(refusalFault(one)).toMatch(words);
});

it.each<[string, string, boolean]>([
  ['nothing', 'Insufficient funds', false],
  ['a trace of PHP', 'PDOException in \\/srv\\/wallet.php:12\\nStack trace:\\n#0', true],
  ['a trace of Python', 'Traceback (most recent call last):', true],
  ['a line', 'Warning: x on line 12', true],
  ['another player', 'no", "of": "two', true],
])('a refusal gives away %s', (_, message, isLeak) => {
  expect(leakIn(answer(`{"code":1,"message":"${message}"}`), ['two']) !== null).toBe(isLeak);
});

it('an open point has the answer that agrees with all cases of a run', () => {
  const seen = new Map<string, readonly string[]>();
  const observed = (bookedMeans: string[], one: Answer) => {
    const answersOf = { booked: bookedMeans, refused: ['rejected'] };
    const observes = { point: 'wallet.currency', by: 'answered', answers: answersOf } as const;
    return observationOf({ observes }, one, [one], {}, seen)?.answer;
  };
  expect(observed(['converted', 'rejected'], yes)).toBeUndefined();
  expect(observed(['converted'], yes)).toMatchObject({ value: 'converted' });
  expect(observed(['converted'], no)).toMatchObject({ value: null, words: expect.stringContaining('Another case') });
  expect(observed(['converted'], yes)).toMatchObject({ value: null });
});

it('a minor unit is exact', () => {
  expect([0, 2, 3].map((digits) => minorUnit(digits))).toEqual([euros(1), euros(0.01), euros(0.001)]);
});
