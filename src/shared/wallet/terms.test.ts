import { describe, expect, it } from 'vitest';
import { allCases } from './cases/all-cases.ts';
import { moneyText, readMoney, stakeProblem } from './money.ts';
import { amountOf, exposureOf, obstacleOf, termsOf, type CaseScene } from './terms.ts';

const euro = termsOf({ currency: 'EUR', answers: {}, stake: '', fractions: true });
const money = (text: string) => readMoney(text) ?? 0n;
const caseOf = (id: string) => {
  const found = allCases().find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

describe('an amount', () => {
  it.each([
    ['0.1', '0.1'],
    ['1e2', '100'],
    ['10e-1', '1'],
    ['-0.50', '-0.5'],
    ['0', '0'],
    ['90071992547409.93', '90071992547409.93'],
  ])('%s is read and written exactly', (text, written) => {
    expect(moneyText(money(text))).toBe(written);
  });

  it.each(['1,5', '', 'true', '01', '1e400', '1e-400'])('%s is none', (text) => {
    expect(readMoney(text)).toBeNull();
  });

  it.each([
    ['b', '0.1'],
    ['50b', '5'],
    ['-b', '-0.1'],
    ['u', '0.01'],
    ['3u/2', '0.015'],
    ['balance', '100'],
    ['balance+u', '100.01'],
    ['most', '66.66'],
    ['=1e0', '1e0'],
    ['="{b}"', '"0.1"'],
  ])('%s is %s', (text, json) => {
    expect(amountOf(text, euro, money('100'))?.json).toBe(json);
  });
});

it.each([
  ['EUR', '', true, null, '20 0.1 0.01'],
  ['EUR', '', false, null, '20 1 0.01'],
  ['EUR', '1', true, null, '1 0.01 0.01'],
  ['EUR', '1000', true, '50', '1000 2.5 0.01'],
  ['JPY', '', true, null, '20 1 1'],
  ['KWD', '', true, null, '20 0.1 0.001'],
] as const)('the terms in %s with the stake "%s"', (currency, stake, fractions, balance, expected) => {
  const facts = { currency, answers: {}, stake, fractions, ...(balance === null ? {} : { balance: money(balance) }) };
  const terms = termsOf(facts);
  expect([terms.stake, terms.small, terms.unit].map((one) => moneyText(one)).join(' ')).toBe(expected);
});

it('with minor units, every amount is a whole number', () => {
  const terms = termsOf({ currency: 'EUR', answers: { 'amounts.unit': { value: 'minor' } }, stake: '', fractions: false });
  expect([terms.stake, terms.small, terms.unit].map((one) => moneyText(one))).toEqual(['2000', '10', '1']);
});

it('a stake is a number above 0', () => {
  expect(['', '20', '0.5'].map(stakeProblem)).toEqual([null, null, null]);
  expect(['0', '-1', 'much'].map((stake) => stakeProblem(stake) === null)).toEqual([false, false, false]);
});

describe('a case', () => {
  const scene: CaseScene = {
    answers: {},
    terms: euro,
    balances: [money('10'), money('10')],
    hasEarlierRun: false,
    lost: 0n,
  };
  const cancel = { 'cancel.request': { value: '{"externalToken": "string", "transactionId": "string", "betId": "string"}' } };
  const plainCancel = { 'cancel.request': { value: '{"externalToken": "string", "transactionId": "string"}' } };

  it.each<[string, Partial<CaseScene>, string | null]>([
    ['bet-01', {}, null],
    ['cancel-01', {}, 'waiting It waits for an answer to "Request of /cancel"'],
    ['cancel-01', { answers: cancel }, "waiting Croupier can't fill in betId"],
    ['cancel-03', { answers: plainCancel }, 'skipped The recorded request of /cancel has no amount'],
    ['cancel-01', { answers: plainCancel }, null],
    ['session-07', { balances: [money('10')] }, 'skipped It needs a session of a second player'],
    ['win-06', { answers: { 'win.bet': { value: 'transactionId' } } }, 'skipped Wins have the transactionId'],
    ['money-03', { terms: { ...euro, decimals: 'unknown' } }, 'waiting It waits for an answer to "Unit'],
    ['money-05', {}, 'skipped It needs a player whose currency has three decimals'],
    ['money-07', {}, 'skipped It needs a player with at least 2^53'],
    ['retries-10', {}, 'skipped It repeats transactions'],
    ['bet-02', { balances: [money('100')] }, 'skipped A faulty wallet could take 100.00 EUR; the stake is 20.00.'],
    ['bet-02', { lost: money('15') }, 'skipped A faulty wallet could take 10.00 EUR; the stake is now 5.00.'],
    ['order-02', { balances: [money('0.5')] }, 'skipped It bets 1.00 EUR, and player 1 has 0.50.'],
    ['session-01', { balances: [money('-5')] }, null],
    ['retries-04', { balances: [0n] }, 'skipped It bets 0.10 EUR, and player 1 has 0.00.'],
  ])('%s with %o', (id, change, why) => {
    const obstacle = obstacleOf(caseOf(id), { ...scene, ...change });
    if (why === null) expect(obstacle).toBeNull();
    else expect(`${obstacle?.verdict} ${obstacle?.why}`).toContain(why);
  });

  it.each([
    ['session-01', '0', '0'],
    ['bet-01', '0.1', '0'],
    ['retries-01', '0.2', '0'],
    ['order-01', '1', '0'],
    ['win-08', '5', '0'],
    ['bet-03', '10.01', '0'],
    ['hostile-01', '2.4', '0'],
    ['order-07', '2', '1'],
    ['cancel-11', '0.1', '0.1'],
  ])('%s could cost %s, and a second player %s', (id, risk, second) => {
    expect(moneyText(exposureOf(caseOf(id), euro, money('10')) ?? 0n)).toBe(risk);
    const ofPlayers = [1, 2].map((player) => exposureOf(caseOf(id), euro, money('10'), player) ?? 0n);
    expect(moneyText(ofPlayers[1] ?? 0n)).toBe(second);
  });

  it('risks in a repeat what it repeats', () => {
    const repeated = {
      ...caseOf('retries-01'),
      steps: [
        { call: 'bet', amount: '50b', as: 'bet', expect: 'booked' },
        { call: 'again', of: 'bet', times: 3, expect: 'recognised' },
      ],
    } as const;
    expect(moneyText(exposureOf({ ...repeated, steps: [...repeated.steps] }, euro, null) ?? 0n)).toBe('20');
  });

  it('has an ID, a name and a reason of its own', () => {
    const cases = allCases();
    for (const key of ['id', 'name'] as const) {
      const names = cases.map((one) => `${key === 'name' ? one.group : ''} ${one[key]}`);
      expect(new Set(names).size).toBe(cases.length);
    }
    expect(cases.length).toBeGreaterThanOrEqual(100);
    expect(new Set(cases.map(({ group }) => group)).size).toBe(10);
    expect(cases.slice(0, 3).map(({ id }) => id)).toEqual(['session-01', 'money-12', 'win-02']);
    expect(cases.filter(({ grade, section }) => grade === 'required' && section === '')).toEqual([]);
  });
});
