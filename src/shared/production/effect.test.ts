import { describe, expect, it } from 'vitest';
import type { OperationName } from '../provider/index.ts';
import { operations } from '../provider/index.ts';
import { effectOf, isWrite } from './effect.ts';
import { callConsequence, questionWords } from './words.ts';

const envelope = (action: string, data: string) =>
  `{"action":"${action}","platform":1,"partnerId":2,"time":"t","data":${data},"hash":""}`;
const minor = { 'amounts.unit': { value: 'minor' } };
const perRound = { 'freeRounds.amount': { value: 'betPerRound' } };
const perPlayer = { 'freeRounds.amount': { value: 'totalPerPlayer' } };

describe('what an operation does', () => {
  it('is writing for nine of the fifteen', () => {
    const writes = operations.filter(({ name }) => isWrite(effectOf(name, '{}', {}).effect)).map(({ name }) => name);
    expect(writes).toEqual([
      'freeRounds',
      'freeRoundsByBet',
      'cancelFreeRounds',
      'bet',
      'win',
      'cancel',
      'tournamentWin',
      'promoWin',
      'generateNewToken',
    ]);
    expect(operations).toHaveLength(15);
  });

  const cases: [OperationName, string, string, Record<string, { value: string }>?][] = [
    ['bet', '{"amount":1.50,"currency":"EUR"}', 'It takes 1.50 EUR.'],
    ['bet', '{"amount":150,"currency":"EUR"}', 'It takes 150 minor units of EUR.', minor],
    ['bet', '{"amount":150}', 'It takes 150 minor units, no currency named.', minor],
    ['bet', '{"amount":1.50}', 'It takes 1.50, no currency named.'],
    ['bet', '{"amount":9007199254740993.10,"currency":"EUR"}', 'It takes 9007199254740993.10 EUR.'],
    ['bet', '{"amount":-1e3,"currency":"EUR"}', 'It takes -1e3 EUR.'],
    ['bet', '{}', 'It takes money from a player. The request has no readable amount.'],
    ['bet', 'no JSON', 'It takes money from a player. The request has no readable amount.'],
    ['bet', '{"amount":"1.50","currency":"EUR"}', 'It takes money from a player. Its amount is "1.50", not a single number.'],
    ['bet', '{"amount":1,"amount":1000}', 'It takes money from a player. Its amount is 1, 1000, not a single number.'],
    ['bet', '{"amount":1,"currency":"EUR","currency":"USD"}', 'It takes 1 "\\"EUR\\", \\"USD\\"".'],
    ['bet', '{"amount":1,"currency":"\u202eRUE 000"}', 'It takes 1 "\\u202eRUE 000".'],
    ['bet', '{"amount":1,"currency":"\\u001b[2J"}', 'It takes 1 "\\u001b[2J".'],
    ['win', '{"amount":2,"currency":"USD"}', 'It pays 2 USD.'],
    ['win', '{}', 'It pays money to a player. The request has no readable amount.'],
    ['tournamentWin', '{"amount":2.5,"currency":"USD"}', 'It pays 2.5 USD.'],
    ['promoWin', '{"amount":3,"currency":"USD"}', 'It pays 3 USD.'],
    ['cancel', '{"transactionId":"t"}', 'It gives back a bet. The request has no readable amount.'],
    ['cancel', '{"amount":1.25,"currency":"EUR"}', 'It gives back 1.25 EUR.'],
    ['generateNewToken', '{"token":"t"}', "It ends a player's session token and issues a new one."],
    ['cancelFreeRounds', envelope('x', '{}'), 'It revokes free rounds.'],
    [
      'freeRounds',
      envelope('freeRounds', '{"playerId":"p","numberOfFreeRounds":10,"betLevel":0}'),
      'It grants 10 free rounds to 1 player.',
    ],
    [
      'freeRounds',
      envelope('freeRounds', '{"playerIds":["a","b","c"],"numberOfFreeRounds":1000,"betLevel":0}'),
      'It grants 1,000 free rounds to each of 3 players, 3,000 in all.',
    ],
    [
      'freeRounds',
      envelope('freeRounds', '{"playerIds":["a","a"],"numberOfFreeRounds":10}'),
      "It grants free rounds. The request doesn't show how many in all.",
    ],
    ['freeRounds', envelope('freeRounds', 'null'), "It grants free rounds. The request doesn't show how many in all."],
    [
      'freeRounds',
      envelope('freeRounds', '{"playerIds":["a"],"numberOfFreeRounds":1,"amount":0.10,"currency":"EUR"}'),
      'It grants 1 free round to 1 player. Its amount is 0.10 EUR; its meaning is an open point.',
    ],
    [
      'freeRounds',
      envelope('freeRounds', '{"playerIds":["a"],"numberOfFreeRounds":1,"amount":0.10,"currency":"EUR"}'),
      'It grants 1 free round to 1 player. The bet of each free round is 0.10 EUR.',
      perRound,
    ],
    [
      'freeRounds',
      envelope('freeRounds', '{"playerIds":["a","b"],"numberOfFreeRounds":5,"amount":3,"currency":"EUR"}'),
      'It grants 5 free rounds to each of 2 players, 10 in all. Each player gets free rounds worth 3 EUR.',
      perPlayer,
    ],
    [
      'freeRoundsByBet',
      envelope('freeRoundsByBet', '{"playerIds":["a","b"],"numberOfFreeRounds":5,"betAmount":0.2,"currency":"EUR"}'),
      'It grants 5 free rounds to each of 2 players, 10 in all. The bet of each free round is 0.2 EUR.',
    ],
    ['gameList', envelope('gameList', 'null'), 'It only reads.'],
    ['getLauncherURL', envelope('getLauncherURL', '{}'), 'It only reads.'],
    ['playerInfo', '{"amount":5}', 'It only reads.'],
  ];
  it.each(cases)('%s %s: %s', (operation, body, words, answers = {}) => {
    expect(callConsequence(effectOf(operation, body, answers).effect)).toBe(words);
  });

  it('is that of the action in the body, where extra fields or a recorded name make a write of what reads', () => {
    const smuggled =
      '{"action":"gameList","hash":"","currency":"EUR","action":"freeRounds","data":{"playerId":"p","numberOfFreeRounds":9}}';
    expect(effectOf('gameList', smuggled, {}).effect).toMatchObject({
      operation: 'freeRounds',
      kind: 'grants',
      rounds: 9,
      players: 1,
    });
    const recorded = { 'currencyList.action': { value: 'cancelAll' }, 'cancelFreeRounds.action': { value: 'cancelAll' } };
    expect(effectOf('currencyList', envelope('cancelAll', '{}'), recorded).effect.kind).toBe('revokes');
    // A payload's own field of that name is not an action.
    expect(effectOf('getGameRound', envelope('getGameRound', '{"action":"freeRounds"}'), {}).effect.kind).toBe('reads');
  });

  it('is asked with the target in the title and the verb on the button', () => {
    const environment = { id: 'live', name: 'Live', color: 'red' as const, platform: 7, partnerId: 31 };
    const call = effectOf('bet', '{"amount":1.50,"currency":"EUR"}', {}).effect;
    expect(questionWords({ environment, url: 'https://x', call, run: null })).toEqual({
      title: 'Send bet to Live?',
      consequences: ['It takes 1.50 EUR.'],
      action: 'Send bet',
      grants: true,
    });
    const read = effectOf('gameList', '{}', {}).effect;
    expect(questionWords({ environment, url: 'https://x', call: read, run: null })).toEqual({
      title: 'Send gameList to Live?',
      consequences: ['It only reads. Croupier asks once per session before it reads from a production environment.'],
      action: 'Send gameList',
      grants: false,
    });
  });
});
