import { describe, expect, it } from 'vitest';
import { isTokenName } from '#shared/provider/tokens.ts';
import { createTokenLearner, createTokenMask, keepTokens } from './token-mask.ts';

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
    ['in JSON within JSON within a text', JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ token: secret }) }) })],
    ['in JSON within a body that is not JSON', `not JSON: {"body":"{\\"token\\":\\"${secret}\\"}"}`],
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
  const list = (name: string) => `{"${name}":"abcd-4711","a":[${'{},'.repeat(600_000)}1]}`;
  expect(() => createTokenMask([list('token')], isToken)).toThrow(
    'Tokens cannot be masked: a text has about 1,200,004 values; Croupier reads at most 1,200,000.',
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

it('each place is counted once, in whatever order tokens and what repeats them stand', () => {
  const text = '{"a":"abcd-2","token":"abcd-1","b":"abcd-1","sid":"abcd-2","c":["abcd-1 abcd-2"],"d":{"token":"abcd-1"}}';
  const mask = createTokenMask([text], isToken);
  expect(mask.text(text)).toBe(text.replace(/abcd-[12]/g, '[token]'));
  expect(mask.masked()).toBe(7);
});

it('an address in a text that is not JSON is masked, and counted', () => {
  const mask = createTokenMask([], isToken);
  expect(mask.text('see https://x.example/?t=1&token=abcd-4711')).toBe('see https://x.example/?t=1&token=[token]');
  expect(mask.masked()).toBe(1);
  expect(mask.text('see ?to=https%3A%2F%2Fgame%2F%3Ftoken%3Dabcd-4711')).toBe('see ?to=https%3A%2F%2Fgame%2F%3Ftoken%3D[token]');
  expect(mask.masked()).toBe(2);
  expect(mask.text('see https://x.example/?t=1')).toBe('see https://x.example/?t=1');
  expect(mask.masked()).toBe(2);
});

describe('the parts of a text', () => {
  const text = '{"a":"tok-12345","token":"tok-12345","b":1}';
  const mask = createTokenMask([text], isToken);

  it.each<[ends: number[], parts: string[]]>([
    [[text.length], ['{"a":"[token]","token":"[token]","b":1}']],
    [
      [5, 17, text.length],
      ['{"a":', '"[token]",', '"token":"[token]","b":1}'],
    ],
    // A token that reaches over an end is written whole, before it.
    [
      [8, 12, 20, text.length],
      ['{"a":"[token]', '', '","to', 'ken":"[token]","b":1}'],
    ],
    [
      [6, 6, 15, 15],
      ['{"a":"', '', '[token]', ''],
    ],
    [[], []],
  ])('that end at %j', (ends, parts) => {
    expect(mask.parts(text, ends)).toEqual(parts);
  });

  it('are its characters where tokens are kept', () => {
    const kept = keepTokens();
    expect(kept.parts(text, [5, 17, text.length])).toEqual([text.slice(0, 5), text.slice(5, 17), text.slice(17)]);
    expect([kept.text(text), kept.masked()]).toEqual([text, 0]);
  });
});

it('a name begins at the first of the quotes before it from which it is short enough', () => {
  const long = '\\"'.repeat(101);
  const masked = (text: string) => createTokenMask([], isTokenName).text(text);
  expect(masked(`"${long}token":"a-1", "token":"b-2"`)).toBe(`"${long}token":"[token]", "token":"[token]"`);
  expect(masked(`"token${long}":"a-1", "x\\"token":"b-2"`)).toBe(`"token${long}":"a-1", "x\\"token":"[token]"`);
  expect(masked(`"token${long.slice(2)}" : "a-1""token":"b-2"`)).toBe(`"token${long.slice(2)}" : "[token]""token":"[token]"`);
  expect(masked('"token":"" "token\\\n":"a-1" "token":"b-2')).toBe('"token":"" "token\\\n":"a-1" "token":"b-2');
});

describe('a value', () => {
  it.each<[what: string, text: string, quoted: string, clean: string]>([
    ['of three characters stands as a token alone', '{"token":"abc"}', 'an abc {"token":"abc"}', 'an abc {"token":"abc"}'],
    ['of four is masked everywhere', '{"token":"abcd"}', 'an abcd', 'an [token]'],
    ['that is empty is none', '{"token":"","sid":""}', '""', '""'],
    ['that is not a text is none', '{"token":true,"sid":null}', 'true null', 'true null'],
    [
      'of a list or an object below such a name',
      '{"token":["abcd-1",{"a":"abcd-2","password":7777777}]}',
      'abcd-1 abcd-2 7777777',
      '[token] [token] [token]',
    ],
    ['in the address of a text', '{"a":"https://x.example/?token=abcd-4711"}', 'an abcd-4711', 'an [token]'],
    ['in the address of no JSON', 'https://x.example/?token=abcd-4711', 'an abcd-4711', 'an [token]'],
    ['with escapes in no JSON', '{"token":"ab\\"cd\\/4711",', 'an ab"cd/4711', 'an [token]'],
    ['with a broken escape in no JSON', '{"token":"abcd\\q4711",', 'an abcd\\q4711', 'an [token]'],
    ['in an address as it is encoded', '{"token":"ab/c d+4711"}', 'to=ab%2Fc%20d%2B4711', 'to=[token]'],
    ['with slashes that are escaped', '{"token":"ab/cd/4711"}', 'an ab\\/cd\\/4711', 'an [token]'],
    ['with a lone half of a pair', '{"token":"abcd\\ud83d"}', 'an abcd%EF%BF%BD', 'an [token]'],
    ['of 80 characters, by its first 79 too', `{"token":"${'ab'.repeat(40)}"}`, `${'ab'.repeat(39)}a…`, '[token]…'],
    [
      'in a text that is JSON again, with an escape',
      '{"a":"{\\"to\\\\u006ben\\":1,\\"sessionToken\\":\\"ab\\\\/cd-47\\"}"}',
      'an ab/cd-47',
      'an [token]',
    ],
  ])('%s', (_, text, quoted, clean) => {
    expect(createTokenMask([text], isToken).text(quoted)).toBe(clean.replace('{"token":"abc"}', '{"token":"[token]"}'));
  });

  it('in no JSON is known by its quotes, its bare name, or as a form sends it', () => {
    const mask = (text: string) => createTokenMask([], isTokenName).text(text);
    expect(mask(`{token: 'a b',`)).toBe(`{token: '[token]',`);
    expect(mask(`{"x": 1, my.token-a$ : "a'b",`)).toBe(`{"x": 1, my.token-a$ : "[token]",`);
    expect(mask(`{'token': 'a\\'b',`)).toBe(`{'token': '[token]',`);
    expect(mask(`{xtoken": "ab",`)).toBe(`{xtoken": "ab",`);
    expect(mask('a=1&my_token=x&b=token')).toBe('a=1&my_token=[token]&b=token');
    expect(mask('TOKEN=x')).toBe('TOKEN=[token]');
    expect(mask('{"a":1,"TOKEN" : "x",')).toBe('{"a":1,"TOKEN" : "[token]",');
    expect(mask('{"token":"x","token":"y",')).toBe('{"token":"[token]","token":"[token]",');
    expect(mask('{"token":"",')).toBe('{"token":"",');
  });

  it('is learnt one text after the other', () => {
    const learner = createTokenLearner(isToken);
    learner.learn('{"token":"abcd-1"}');
    const first = learner.mask();
    learner.learn('{"sid":"abcd-2"}');
    expect(first.text('abcd-1 abcd-2')).toBe('[token] abcd-2');
    expect(learner.mask().text('abcd-1 abcd-2')).toBe('[token] [token]');
  });

  it('goes before a shorter one that it holds', () => {
    for (const text of ['{"token":"abcd","password":"abcd-efgh"}', '{"password":"abcd-efgh","token":"abcd"}'])
      expect(createTokenMask([text], isTokenName).text('an abcd-efgh and an abcd')).toBe('an [secret] and an [token]');
  });

  it('that an address repeats in another place of a text is masked there too', () => {
    const text = '{"a":"https://x.example/abcd-4711/?token=abcd-4711&x=\\u0041","b":1}';
    const mask = createTokenMask([text], isToken);
    expect(mask.text(text)).toBe('{"a":"https://x.example/[token]/?token=[token]&x=A","b":1}');
    expect(mask.masked()).toBe(1);
  });
});

it('a long text with few values is read', () => {
  const long = JSON.stringify({ token: 'abcd-4711', a: 'x'.repeat(300_000) });
  expect(createTokenMask([long], isToken).text('an abcd-4711')).toBe('an [token]');
});

it('a short text with many values is read, and one that does not begin as JSON is never counted', () => {
  const many = `{"token":"abcd-4711","a":[${'1,'.repeat(1_000)}1]}`;
  expect(createTokenMask([many], isToken).text('abcd-4711')).toBe('[token]');
  const sentence = `token=abcd-4711&a=${'{},'.repeat(600_001)}`;
  expect(createTokenMask([sentence], isToken).text('abcd-4711')).toBe('[token]');
  expect(() => createTokenMask([` \n[{"token":1},${'{},'.repeat(600_001)}1]`], isToken)).toThrow(
    'Croupier reads at most 1,200,000.',
  );
});
