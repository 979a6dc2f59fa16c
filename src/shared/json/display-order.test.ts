import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { hiddenPlaces } from './hidden-characters.ts';
import { isSpecial, seenParts, withNames } from './display-order.ts';

const kinds = (text: string) => seenParts(text).map(({ kind, text: part }) => [kind, part]);

describe('a text in parts', () => {
  it('has each control alone, and letters read from right to left with what stands between them', () => {
    expect(kinds('/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */')).toEqual([
      ['plain', '/*'],
      ['hidden', '\u202e'],
      ['plain', ' } '],
      ['hidden', '\u2066'],
      ['plain', 'if (isAdmin)'],
      ['hidden', '\u2069'],
      ['plain', ' '],
      ['hidden', '\u2066'],
      ['plain', ' begin admins only */'],
    ]);
    expect(kinds('game שלום, עולם: 60 bets')).toEqual([
      ['plain', 'game '],
      ['rightToLeft', 'שלום, עולם'],
      ['plain', ': 60 bets'],
    ]);
    expect(kinds('مرحبا\u202eabc')).toEqual([
      ['rightToLeft', 'مرحبا'],
      ['hidden', '\u202e'],
      ['plain', 'abc'],
    ]);
    expect(kinds('a\u{10840}\u{10841}b')).toEqual([
      ['plain', 'a'],
      ['rightToLeft', '\u{10840}\u{10841}'],
      ['plain', 'b'],
    ]);
    expect(kinds('a\u00a0b\u200bc\u{e0041}')).toEqual([
      ['plain', 'a'],
      ['hidden', '\u00a0'],
      ['plain', 'b'],
      ['hidden', '\u200b'],
      ['plain', 'c'],
      ['hidden', '\u{e0041}'],
    ]);
    expect(kinds('plain, Zoë, 日本 😀')).toEqual([['plain', 'plain, Zoë, 日本 😀']]);
  });

  it('has the marks apart that are too many on one letter, and no text of any language', () => {
    const marks = (count: number) => '\u0301'.repeat(count);
    expect(kinds(`a${marks(70)}b`)).toEqual([
      ['plain', `a${marks(30)}`],
      ['marks', marks(30)],
      ['marks', marks(10)],
      ['plain', 'b'],
    ]);
    const points = (count: number) => '\u05b0'.repeat(count);
    expect(seenParts(`א${points(40)}ב`)).toMatchObject([
      { kind: 'rightToLeft', parts: [{ text: `א${points(30)}` }, { kind: 'marks', text: points(10) }, { text: 'ב' }] },
    ]);
    for (const text of ['กำลัง สวัสดีครับ', 'हिन्दी', 'Tiếng Việt', `a${marks(30)}`]) expect(isSpecial(text)).toBe(false);
  });

  it('is the text again when it is joined, and no part that is plain can reorder anything', () => {
    const others = [
      'א',
      'ب',
      '\u{10840}',
      '\ud802',
      '\udc40',
      '\u00a0',
      '\u0301'.repeat(20),
      '\u0591',
      '\u200d',
      '\u{e0041}',
      ' ',
      ',',
      '7',
      '"',
      'a',
      'é',
      '日',
      '😀',
      '\n',
    ];
    const character = fc.constantFrom('\u202e', '\u2066', '\u2069', '\u200f', ...others);
    fc.assert(
      fc.property(fc.array(character), (characters) => {
        const text = characters.join('');
        const found = seenParts(text);
        expect(found.map((part) => part.text).join('')).toBe(text);
        for (const part of found) if (part.kind === 'plain') expect(isSpecial(part.text)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it('takes a long text in a moment', () => {
    const long = `${'א '.repeat(100_000)}x`;
    expect(seenParts(long)).toHaveLength(2);
  });

  it('keeps letters read from right to left together around a character that shows nothing, and names it there', () => {
    const word = 'می\u200cخواهم';
    expect(seenParts(`a ${word} b`)).toEqual([
      { kind: 'plain', text: 'a ' },
      {
        kind: 'rightToLeft',
        text: word,
        parts: [
          { kind: 'plain', text: 'می' },
          { kind: 'hidden', text: '\u200c', name: 'ZWNJ' },
          { kind: 'plain', text: 'خواهم' },
        ],
      },
      { kind: 'plain', text: ' b' },
    ]);
  });
});

describe('a text that cannot be divided', () => {
  it('has the name of each character that shows nothing in its place', () => {
    expect(withNames('user\u202enimda\u2066 x\u2069\u00a0\u200b\u0007\u{e0041}')).toBe(
      'user[RLO]nimda[LRI] x[PDI][NBSP][ZWSP][U+0007][U+E0041]',
    );
    expect(withNames('Zoë שלום\t日本\r\n😀')).toBe('Zoë שלום\t日本\r\n😀');
  });
});

it('the first look misses no character that shows nothing and no letter read from right to left', () => {
  const missed: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    const isOne =
      [...hiddenPlaces(character)].length > 0 || /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}/u.test(character);
    if (isOne && !isSpecial(character)) missed.push(code.toString(16));
  }
  expect(missed).toEqual([]);
});
