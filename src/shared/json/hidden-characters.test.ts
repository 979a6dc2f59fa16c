import { describe, expect, it } from 'vitest';
import { characterName, hiddenCharacters, hiddenPlaces, lookOf, shortCharacterName, withSigns } from './hidden-characters.ts';

describe('characters that show nothing themselves', () => {
  it('have short names', () => {
    const names = [0x09, 0x0a, 0x0d, 0xa0, 0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x202e, 0x2069, 0x061c, 0x2003, 0xe0041];
    expect(names.map(shortCharacterName)).toEqual(
      'TAB LF CR NBSP SHY ZWSP ZWNJ ZWJ WJ BOM RLO PDI ALM U+2003 U+E0041'.split(' '),
    );
  });

  it('have a long name that no other has, or that of their kind', () => {
    const names = Map.groupBy(Array(0x10000).keys(), (code) => characterName(code).slice(7));
    const shared = Array.from(names, ([name, { length }]) => [name, length] as const).filter(([, length]) => length > 1);
    expect(Object.fromEntries(shared)).toEqual({
      '': 56_961,
      'control character': 54,
      'half of a surrogate pair': 2_048,
      'private use character': 6_400,
      'variation selector': 16,
    });
  });

  it('are found with their places and named once, with how often they are there', () => {
    const text = 'a\u200bb\u00a0c\u200bd\u{e0041}e\t\r\nZoë שלום 日本 😀';
    expect(Array.from(hiddenPlaces(text), ({ index }) => index)).toEqual([1, 3, 5, 7]);
    expect(hiddenCharacters(text)).toEqual(['U+200B zero width space (2)', 'U+00A0 no-break space', 'U+E0041 tag character']);
    expect(hiddenCharacters('user\u202enimda')).toEqual(['U+202E right-to-left override (bidirectional control)']);
  });

  it('have signs in their place', () => {
    expect(withSigns('a b\t\u200bc\u202ed\r\n\u00a0é')).toBe('a·b⇥[ZWSP]c[RLO]d␍⏎[NBSP]é');
  });

  it('are left out of the look of a text, but for those that are shown by their abbreviation', () => {
    expect(lookOf(' Casino\u00a0 \u200bEurope\t2 ')).toBe('casino europe 2');
    expect(lookOf('Zoe\u0308')).toBe(lookOf('ZOË'));
    expect(lookOf('a\u202eb')).not.toBe(lookOf('ab'));
  });

  it('include everything that Unicode ignores by default or calls a control, a format or a space, below U+FFFF', () => {
    const missed = Array.from({ length: 0xd800 }, (_, code) => code).filter(
      (code) =>
        /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(String.fromCharCode(code)) &&
        [...hiddenPlaces(String.fromCharCode(code))].length === 0,
    );
    // Plain space, tab and ends of lines are seen; number signs of Arabic and Syriac letters have a shape.
    expect(missed.map((code) => code.toString(16))).toEqual('9 a d 20 600 601 602 603 604 605 6dd 70f 890 891 8e2'.split(' '));
  });
});
