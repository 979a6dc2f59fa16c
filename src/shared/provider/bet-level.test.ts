import { describe, expect, it } from 'vitest';
import { validatePayload } from './validate-payload.ts';
import { contextOf } from './request-context.ts';
import { knownGames } from './known-games.ts';
import { operationByName } from './operations.ts';

const environment = { answers: {}, serialization: 'php' as const, timeZone: 'UTC', walletUrl: '' };
const bets = (count: number) => Array.from({ length: count }, (_, level) => String(level + 1));
const games = knownGames('EUR', [
  { id: '1042', name: 'Firefly Lagoon', bets: bets(8) },
  { id: '7', name: '', bets: ['1'] },
  { id: '8', name: 'Empty', bets: [] },
  { id: '1042', name: 'Listed again', bets: bets(99) },
]);
const recorded = (value: string) => ({ 'freeRounds.betLevel': { value } });

function check(
  betLevel: string,
  gameIds: unknown,
  answers = {},
  form = 'single',
  known: typeof games | null = games,
  overrides = {},
) {
  const text = `{"betLevel":${betLevel},"gameIds":${JSON.stringify(gameIds)}}`;
  return validatePayload(operationByName('freeRounds'), form, text, contextOf({ ...environment, answers }, overrides, 0, known))
    .filter(({ path, rule }) => path === '/betLevel' && rule.startsWith('bet-level'))
    .map(({ severity, message, start, end }) => `${severity} ${text.slice(start, end)} ${message}`);
}

describe('betLevel against the newest game list', () => {
  it.each(['single', 'multi'])('says which levels there are, in the currency of the list (%s)', (form) => {
    expect(check('50', ['1042'], {}, form)).toEqual([
      'warning 50 betLevel 50: Firefly Lagoon has 8 bets in EUR in the newest game list, levels 0 to 7 if the first bet is 0.',
    ]);
  });

  it('reads the recorded answer', () => {
    expect(check('8', ['1042'], recorded('0'))).toEqual([
      'warning 8 betLevel 8: Firefly Lagoon has 8 bets in EUR in the newest game list, levels 0 to 7.',
    ]);
    expect(check('9', ['1042'], recorded('1'))).toEqual([
      'warning 9 betLevel 9: Firefly Lagoon has 8 bets in EUR in the newest game list, levels 1 to 8.',
    ]);
    expect(check('7', ['1042'], recorded('0'))).toEqual([]);
    expect(check('8', ['1042'], recorded('1'))).toEqual([]);
    expect(check('0', ['1042'], recorded('1'))).toEqual(['warning 0 betLevel is 0, but the recorded first bet is 1.']);
  });

  it('warns only of what is wrong both ways while nothing is recorded', () => {
    for (const level of [0, 1, 7]) expect(check(String(level), ['1042'])).toEqual([]);
    expect(check('8', ['1042'])).toEqual([
      'note 8 betLevel 8: Firefly Lagoon has 8 bets in EUR in the newest game list. 8 is valid only if the first bet is 1, which is an open point.',
    ]);
    expect(check('9', ['1042'])[0]).toMatch(/^warning 9 /);
  });

  it('judges each game that is named, and keeps every digit', () => {
    expect(check('18446744073709551616', ['1042', '7'])).toEqual([
      'warning 18446744073709551616 betLevel 18446744073709551616: Firefly Lagoon has 8 bets in EUR in the newest game list, levels 0 to 7 if the first bet is 0. 1 more like it.',
    ]);
    expect(check('2', ['1042', '7'], recorded('0'))).toEqual([
      'warning 2 betLevel 2: game 7 has 1 bet in EUR in the newest game list, level 0.',
    ]);
  });

  it('says nothing of what it does not know', () => {
    expect(check('50', ['1042'], {}, 'single', knownGames('EUR', []))).toEqual([]);
    expect(check('50', ['9999', 1042, '8'])).toEqual([]);
    expect(check('50', '1042')).toEqual([]);
    for (const level of ['-1', '50.0', '"50"', 'null']) expect(check(level, ['1042'])).toEqual([]);
    expect(check('50', ['1042'], {}, 'single', null)).toEqual([]);
    for (const overrides of [{ partnerId: '7' }, { platform: '7' }])
      expect(check('50', ['1042'], {}, 'single', games, overrides)).toEqual([]);
  });

  it('names no currency where the list was asked for without one', () => {
    const [said] = check('50', ['7'], {}, 'single', knownGames('', [{ id: '7', name: 'Seven', bets: ['1', '2'] }]));
    expect(said).toBe('warning 50 betLevel 50: Seven has 2 bets in the newest game list, levels 0 to 1 if the first bet is 0.');
  });
});
