import { describe, expect, it } from 'vitest';
import { readTokens } from './read-tokens.ts';

const none = { playerId: '', lang: '', country: '', currency: '' };

async function read(text: string) {
  const { tokens, left } = await readTokens(text);
  return { tokens, left: Object.fromEntries(left) };
}

describe('lines', () => {
  it('are tokens, whatever ends a line and after a byte order mark; empty and repeated ones are named', async () => {
    expect(await read('\uFEFFone-1\r\n\r\n  two-2 \rone-1\n\n')).toEqual({
      tokens: [
        { token: 'one-1', ...none, line: 1 },
        { token: 'two-2', ...none, line: 3 },
      ],
      left: { 'repeats a token from another line': [4], 'is empty': [2] },
    });
  });

  it('may have the player, language, country and currency after a comma', async () => {
    const { tokens } = await read('t1,p1,de,DE,EUR\n"t,2",p2\n');
    expect(tokens).toEqual([
      { token: 't1', playerId: 'p1', lang: 'de', country: 'DE', currency: 'EUR', line: 1 },
      { ...none, token: 't,2', playerId: 'p2', line: 2 },
    ]);
  });

  it('with too many values, without a token or with a space in it are left, and no message shows them', async () => {
    const { tokens, left } = await read('a,b,c,d,e,secret\n,p2\nse cret\ngood');
    expect(tokens.map(({ token }) => token)).toEqual(['good']);
    expect(left).toEqual({
      'has more than 5 values': [1],
      'has no token': [2],
      'has a space or a control character in its token': [3],
    });
    expect(await read(`${'x'.repeat(10_001)}`)).toMatchObject({ left: { 'has a value of more than 10,000 characters': [1] } });
  });
});

describe('CSV with a header', () => {
  it('has its columns in any order and case, and others that are not used', async () => {
    const { tokens, left } = await read('PlayerID,balance,TOKEN,country\np1,10,t1,SE\np2,20\n"p\n3",1,t3,DE');
    expect(tokens).toEqual([
      { ...none, token: 't1', playerId: 'p1', country: 'SE', line: 2 },
      { ...none, token: 't3', playerId: 'p\n3', country: 'DE', line: 5 },
    ]);
    expect(left).toEqual({ 'has no token': [3] });
  });

  it.each([
    [
      'token;playerId\r\nt1;p1\r\n;\r\n',
      ['The columns of the data are separated by semicolons.', 'The last row of the data has only empty cells and was left out.'],
    ],
    ['playerId\t"token"\np1\tt1\n', ['The columns of the data are separated by tabs.']],
    ['sep=;\ntoken;playerId\nt1;p1\n', ['The columns of the data are separated by semicolons.']],
    ['token,playerId\nt1,p1\n', []],
  ])('shows what separates its columns: %j', async (text, notes) => {
    const found = await readTokens(text);
    expect(found).toMatchObject({ tokens: [{ token: 't1', playerId: 'p1' }], notes });
  });

  it('is no header where it names no token: then commas separate', async () => {
    expect((await readTokens('to;ken,p1\na|b,p2\n')).tokens.map(({ token }) => token)).toEqual(['to;ken', 'a|b']);
  });

  it('with an open quote is refused with the reason and without a value', async () => {
    await expect(read('token,playerId\n"secret,p1')).rejects.toThrow(/^Line 2 of the data: a quote .* never closed\.$/);
  });
});

describe('JSON', () => {
  it('is an object, an array of objects or strings, or an object on each line', async () => {
    const two = [
      { ...none, token: 't1', playerId: '7' },
      { ...none, token: 't2', lang: 'sv' },
    ];
    const told = async (text: string) => (await read(text)).tokens;
    expect(await told('{"token": "t1", "playerId": 7, "currency": null}')).toEqual([{ ...two[0], line: 1 }]);
    expect(await told('[\n{"token":"t1","playerId":"7"},\n\n{"token":"t2","lang":"sv"}, "t3"]')).toEqual([
      { ...two[0], line: 2 },
      { ...two[1], line: 4 },
      { ...none, token: 't3', line: 4 },
    ]);
    expect(await told('{"token":"t1","playerId":"7"}\n\n{"token":"t2","lang":"sv"}\n')).toEqual([
      { ...two[0], line: 1 },
      { ...two[1], line: 3 },
    ]);
  });

  it('with anything else is named or refused', async () => {
    expect(await read('[1, {"player": "p"}]')).toEqual({
      tokens: [],
      left: { 'is not an object with a token': [1], 'has no token': [1] },
    });
    await expect(read('{"token":"t1"}\n{"token":')).rejects.toThrow('Line 2 is not JSON.');
    await expect(read('['.repeat(2_000))).rejects.toThrow('nested 2,000 levels deep');
  });
});
