import { describe, expect, it } from 'vitest';
import { holdsWord, mayName, playersIn, sessionTokensIn } from './players.ts';

const players = (text: string) => [...playersIn(text)];

describe('a player is named', () => {
  it.each([
    ['in a payload', '{"action":"freeRounds","data":{"playerId":"p-12","betLevel":1}}', ['p-12']],
    ['in a list of them', '{"playerIds":["p-1", "p-12" ,\n"p-3"]}', ['p-1', 'p-12', 'p-3']],
    ['as a number, with every digit', '{"playerId": 9007199254740993, "amount": 12}', ['9007199254740993']],
    ['in a list of numbers', '{"playerIds":[12,34]}', ['12', '34']],
    [
      'in JSON inside a string',
      JSON.stringify({ text: JSON.stringify({ data: JSON.stringify({ playerId: 'p-12' }) }) }),
      ['p-12'],
    ],
    ['behind escapes', '{"player\\u0049d":"p\\u002d12","x":"\\/"}', ['p-12']],
    ['with a quote in it', '{"playerId":"p\\"12","a":1}', ['p"12']],
    ['in an address', '{"launcherURL":"https:\\/\\/g.example\\/?gameId=7&playerId=p%2D12&ip=1"}', ['p-12']],
    ['in an address in an address', 'exitURL=https%3A%2F%2Fx.example%2F%3FplayerId%3Dp-12%26a%3D1', ['p-12']],
    ['in JSON that is broken', "{playerId: 'p-12', playerIds=[a", ['p-12', 'a']],
    ['in JSON that ends early', '{"data":{"playerId":"p-12"', ['p-12']],
  ])('%s', (_, text, expected) => expect(players(text).sort()).toEqual(expected.sort()));

  it.each([
    ['where it is empty or null', '{"playerId":"","playerIds":[]}{"playerId":null}'],
    ['under another name', '{"xplayerId":"p-12","playerIdx":"p-12","player":"p-12","ids":["p-12"],"partnerId":12}'],
    ['in a text without a name', 'p-12'],
  ])('not %s', (_, text) => expect(players(text)).toEqual([]));

  it('by its whole ID only', () => {
    expect(players('{"playerId":"1234"}')).toEqual(['1234']);
    expect(players('{"playerId":"1234"}').includes('12')).toBe(false);
    expect(holdsWord('transaction 1234 and p-12-x, _12', '12')).toBe(false);
    expect(holdsWord('amount 12, 1234', '12')).toBe(true);
    expect(holdsWord('player p-12.', 'p-12')).toBe(true);
  });

  it('is never left out unread', () => {
    for (const text of ['{"playerId":"p-12"}', '{"playerId":"p\\u002d12"}', '?playerId=p%2d12'])
      expect(mayName(text, 'p-12')).toBe(true);
    expect(mayName('{"playerId":"a\\/b"}', 'a/b')).toBe(true);
    expect(mayName('{"playerId":"other"}', 'p-12')).toBe(false);
  });

  it('is read in time in proportion to the text', () => {
    const texts = [
      '"playerId":'.repeat(50_000),
      `{"playerIds":[${'"a",'.repeat(50_000)}`,
      '\\'.repeat(200_000),
      `"playerId"${' '.repeat(200_000)}`,
    ];
    for (const text of texts) expect(playersIn(text).size).toBeLessThan(3);
  });
});

it('a session is named by externalToken, by token and by what a recorded answer calls one', () => {
  expect(
    [...sessionTokensIn('{"externalToken":"t-1","token":"t-2","x":{"session":"t-3"}}?externalToken=t-4', ['session'])].sort(),
  ).toEqual(['t-1', 't-2', 't-3', 't-4']);
  expect([...sessionTokensIn('{"externalToken":"","tokens":"t","myToken":"t"}')]).toEqual([]);
});
