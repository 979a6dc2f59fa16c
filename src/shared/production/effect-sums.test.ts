import { describe, expect, it } from 'vitest';
import type { OperationName } from '../provider/index.ts';
import { createEffectTally } from './effect-sums.ts';
import { effectOf, valueOfLater } from './effect.ts';
import { questionWords } from './words.ts';

const environment = { id: 'live', name: 'Live', color: 'red' as const, platform: 7, partnerId: 31 };
const byBet = (data: string) => `{"action":"freeRoundsByBet","data":${data}}`;

function asked(requests: number, calls: [OperationName, string, number?][], answers = {}): readonly string[] {
  const tally = createEffectTally();
  for (const [operation, body, times = 1] of calls) tally.add(effectOf(operation, body, answers), times);
  const run = { name: 'Smoke', requests, minorUnits: 'amounts.unit' in answers, sums: tally.sums() };
  const { title, action, consequences } = questionWords({ environment, url: 'https://x', call: null, run });
  expect([title, action]).toEqual(['Run Smoke against Live?', 'Run against Live']);
  return consequences;
}

describe('the sums of a run', () => {
  it('are exact, by kind and currency, and leave out what only reads', () => {
    expect(
      asked(8, [
        ['gameList', '{}', 2],
        ['bet', '{"amount":0.1,"currency":"EUR"}', 3],
        ['bet', '{"amount":1.50,"currency":"USD"}'],
        ['win', '{"amount":9007199254740993.01,"currency":"EUR"}', 2],
      ]),
    ).toEqual([
      '6 of 8 requests grant free rounds or move money.',
      '4 calls take 0.3 EUR and 1.50 USD.',
      '2 calls pay 18014398509481986.02 EUR.',
    ]);
  });

  it('say what is not known before the run, and what no request says', () => {
    expect(
      asked(5, [
        ['bet', '{"amount":2,"currency":"EUR"}'],
        ['bet', `{"amount":${valueOfLater},"currency":"EUR"}`, 2],
        ['cancel', '{"transactionId":"t"}'],
        ['win', `{"amount":1,"currency":${valueOfLater}}`],
      ]),
    ).toEqual([
      'All 5 requests grant free rounds or move money.',
      '3 calls take at least 2 EUR: 2 amounts are not known before the run.',
      '1 call gives back money: 1 amount is missing or cannot be added up.',
      '1 call pays money: 1 amount is not known before the run.',
    ]);
  });

  it('count free rounds for all players, and money where its meaning is known', () => {
    expect(
      asked(4, [
        ['freeRounds', '{"data":{"playerIds":["a","b"],"numberOfFreeRounds":10,"betLevel":0}}'],
        ['freeRoundsByBet', byBet('{"playerIds":["a","b"],"numberOfFreeRounds":10,"betAmount":0.2,"currency":"EUR"}')],
        ['freeRounds', `{"data":{"playerIds":${valueOfLater},"numberOfFreeRounds":10}}`],
        ['cancelFreeRounds', '{"data":{}}'],
      ]),
    ).toEqual([
      'All 4 requests grant free rounds or move money.',
      '3 calls grant at least 40 free rounds worth 4.0 EUR: the number or amount of 1 is not known before the run.',
      '1 call revokes free rounds.',
    ]);
  });

  it('are in minor units only where that is recorded, and nothing is added to a number beyond all measure', () => {
    const minor = { 'amounts.unit': { value: 'minor' } };
    expect(asked(1, [['bet', '{"amount":150,"currency":"EUR"}']], minor)[1]).toBe('1 call takes 150 minor units of EUR.');
    expect(asked(1, [['bet', '{"amount":1e99999,"currency":"EUR"}']])[1]).toBe(
      '1 call takes money: 1 amount is missing or cannot be added up.',
    );
    expect(asked(3, [['playerInfo', '{}', 3]])).toEqual([
      'Its 3 requests only read. Croupier asks once per session before it reads from a production environment.',
    ]);
  });
});
