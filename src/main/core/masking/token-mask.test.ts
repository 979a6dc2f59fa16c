import { describe, expect, it } from 'vitest';
import { isTokenName } from '#shared/provider/tokens.ts';
import { createTokenMask } from './token-mask.ts';

const isToken = (name: string) => /token/i.test(name) || name === 'sid' || name === 'a/"b';

describe('a token that a text holds', () => {
  const secret = 'abcd-4711';
  it.each([
    ['under a name that speaks of it', `{"a":{"sessionToken":"${secret}"}}`],
    ['under a recorded name', `{"list":["x","y"],"sid" : "${secret}"}`],
    ['under a recorded name with an escape', `{"s\\u0069d":"${secret}"}`],
    ['under a recorded name with a slash and a quote', `{"a\\/\\"b":"${secret}"}`],
    ['under such a name with an escape', `{"\\u0074oken":"${secret}"}`],
    ['in an address', `{"url":"https://x.example/?t=1&replayToken=${secret}"}`],
    ['in an encoded address in another one', `{"url":"https://x.example/?to=https%3A%2F%2Fgame%2F%3Ftoken%3D${secret}%26x%3D1"}`],
    ['behind an encoded name', `{"url":"https://x.example/?to=https%3A%2F%2Fgame%2F%3F%2574oken%3D${secret}"}`],
    ['in JSON within a text', `{"body":"{\\"token\\":\\"${secret}\\"}"}`],
    ['in a body that is not JSON', `{'token': '${secret}',`],
  ])('is masked in a sentence that quotes it: %s', (_, text) => {
    expect(createTokenMask([text], isToken).text(`It is "${secret}".`)).toBe('It is "[token]".');
  });

  it('is masked in the spelling of its text, and where a sentence has its beginning alone', () => {
    const token = `é/${'0123456789'.repeat(12)}`;
    const written = `\\u00E9\\/${token.slice(2)}`;
    const mask = createTokenMask([`{"token":"${written}"}`], isToken);
    for (const form of [token, written, `${token.slice(0, 79)}…`, `${written.slice(0, 79)}…`]) {
      expect(mask.text(`It is "${form}".`)).toMatch(/^It is "\[token\]…?"\.$/);
    }
  });

  it('leaves everything else', () => {
    const mask = createTokenMask([`{"slots":[{"id":${'1'.repeat(9)},"gameName":"Book of Dead"}]}`], isToken);
    expect(mask.text('Book of Dead has 111111111 bets.')).toBe('Book of Dead has 111111111 bets.');
    expect(mask.masked()).toBe(0);
  });
});

it('marks each value by what its name says it is, wherever it is repeated', () => {
  const texts = [
    '{"password":"hunter2-x","token":"tok-12345","salts":["pepper-1"]}',
    "{password: 'hunter2-y', token: 'tok-6789'}",
    'password=hunter2-z&token=tok-0000',
    '{"inner":"{\\"apiKey\\":\\"k-112233\\"}"}',
  ];
  const mask = createTokenMask(texts, isTokenName);
  expect(texts.map((text) => mask.text(text))).toEqual([
    '{"password":"[secret]","token":"[token]","salts":["[secret]"]}',
    "{password: '[secret]', token: '[token]'}",
    'password=[secret]&token=[token]',
    '{"inner":"{\\"apiKey\\":\\"[secret]\\"}"}',
  ]);
  expect(mask.text('said hunter2-x and tok-12345')).toBe('said [secret] and [token]');
});

it('a text with more values than are read is refused where it may hold a token, and left alone where it cannot', () => {
  const list = (name: string) => `{"${name}":"abcd-4711","a":[${'{},'.repeat(300_000)}1]}`;
  expect(() => createTokenMask([list('token')], isToken)).toThrow(
    'Tokens cannot be masked: a text has about 600,004 values; Croupier reads at most 300,000.',
  );
  const mask = createTokenMask([list('name')], isToken);
  expect(mask.text(list('name'))).toBe(list('name'));
  expect(() => mask.text(list('sid'))).toThrow('Tokens cannot be masked');
});

it('a text stays JSON where a number repeats a token, or is one', () => {
  const texts = ['{"token":123456789,"roundId":123456789,"list":[-1234567890,"a 123456789"]}', '{"sid":"87654321"}'];
  const mask = createTokenMask(texts, isToken);
  expect(JSON.parse(mask.text(texts[0] ?? ''))).toEqual({
    token: '[token]',
    roundId: '[token]',
    list: ['[token]', 'a [token]'],
  });
  expect(JSON.parse(mask.text('[{"a":87654321}, 87654321.0]'))).toEqual([{ a: '[token]' }, '[token]']);
  expect(mask.text('It is 123456789.')).toBe('It is [token].');
  expect(mask.masked()).toBe(7);
});
