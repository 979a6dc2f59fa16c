import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { anywhere, indexed, words } from './search-text.ts';

/** Texts of few characters, so that words meet their beginnings, their ends and each other often. */
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '1', '-', ' ', '"', '\\', '/', 'ü', 'é', '𝒳', '😀', 'n'),
  maxLength: 24,
});

describe('the words of a text', () => {
  it('are found in it exactly where it has them as whole words, and the last of a word from three characters on as a beginning', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), text, (texts, wanted) => {
        const single = indexed([wanted]).words;
        const needle = words(single);
        if (needle === null || single.includes(' ')) return;
        const has = indexed(texts).words.split(' ');
        const prefix = Array.from(single).length >= 3;
        expect(needle.holds(texts)).toBe(has.some((one) => one === single || (prefix && one.startsWith(single))));
      }),
      { numRuns: 2_000 },
    );
  });
});

it('the words of a long text are those of its parts', () => {
  const parts = Array.from({ length: 30_000 }, (_, at) => `word${at} "ü-${at % 7}" x`);
  const whole = indexed([parts.join('\n')]).words.split(' ');
  expect(whole.length).toBe(new Set(whole).size);
  expect(new Set(whole)).toEqual(new Set(parts.flatMap((part) => indexed([part]).words.split(' '))));
});

describe('a text to search anywhere', () => {
  it.each<[wanted: string, text: string, holds: boolean]>([
    ['NEEDLE', 'a needle', true],
    ['needle', 'a needl', false],
    ['', '', true],
    ['a b', 'a  b', false],
    ['Σίσυφος', 'a ΣΊΣΥΦΟΣ.', true],
    ['ÉK\u212aÉ', 'ék\u212aé', true],
    ['kk', 'É\u212a\u212a', false],
    ['ii', 'É\u0130\u0130', false],
    // Every escape of a JSON string is resolved.
    ['say "hi"', '{"note":"say \\"hi\\""}', true],
    ['C:\\new', '"C:\\\\new"', true],
    ['\\\\', '"\\\\\\\\"', true],
    ['a"b', '"a\\u0022b"', true],
    ['a\\b', '"a\\u005Cb"', true],
    ['a/b', '"a\\u002fb"', true],
    ['<b>', '"\\u003Cb\\u003E"', true],
    ['xay', '"x\\u0061y"', true],
    ['a"ü', '"a\\"\\u00fc"', true],
    ['say \\"hi\\"', '{"note":"say \\"hi\\""}', true],
    ['a\nb\rc\bd\fe\tf', '"a\\nb\\rc\\bd\\fe\\tf"', true],
    ['a\nb', '"a\\rb"', false],
    ['grüße', '{"a":"gr\\u00fc\\u00DFe"}', true],
    ['a/b', '"a\\/b"', true],
    ['a\tb', '"a\\tb"', true],
    ['a\nb', '"a\\tb"', false],
    ['x\u0080y', '"x\\u0080y"', true],
    ['"grü', 'a "x" "gr\\u00fc"', true],
    ['a"grü', '"a\\"gr\\u00fc"', true],
    // Other characters behind a backslash stay as they are.
    ['x\\qü', '"x\\q\\u00fc"', true],
    ['a\\ü', '"a\\\\u00fc"', false],
    ['x\\u00fü', '"x\\u00f\\u00fc"', true],
    // So do those outside of one.
    ['grü', 'gr\\u00fc', false],
    ['grü', '"x" gr\\u00fc "y"', false],
  ])('%j in %j: %j', (wanted, text, holds) => {
    expect(anywhere(wanted).holds([text])).toBe(holds);
    expect(anywhere(wanted).holds(['other', text])).toBe(holds);
    expect(anywhere(wanted).holds([])).toBe(false);
  });

  it('has pieces of three characters, each once, and sixteen of a long one that are spread over it', () => {
    const pieces = (text: string) => [...anywhere(text).expression.matchAll(/"(.*?)"/g)].map(([, piece = '']) => piece);
    expect(pieces('ab')).toEqual([]);
    expect(pieces('aBcd')).toEqual(['abc', 'bcd']);
    expect(pieces('aaaa😀')).toEqual(['aaa', 'aa😀']);
    const long = 'abcdefghijklmnopqrstuvwxyz0123456789';
    expect(pieces(long.slice(0, 18))).toEqual(Array.from({ length: 16 }, (_, at) => long.slice(at, at + 3)));
    const spread = pieces(long).map((piece) => long.indexOf(piece));
    expect(spread).toEqual(Array.from({ length: 16 }, (_, at) => Math.floor((at * 34) / 16)));
    expect(anywhere(long)).toMatchObject({ table: 'pieces', sure: false });
    expect([anywhere('ab').expression, anywhere('a"bc').expression]).toEqual(['', '"a""b" AND """bc"']);
  });
});

describe('a text to search by words', () => {
  it.each(['', '""', '-- //', '"'])('has none in %j', (text) => {
    expect(words(text)).toBeNull();
  });

  it.each<[text: string, expression: string, sure: boolean]>([
    ['Needle', '"needle"*', true],
    ['ab', '"ab"', true],
    ['ab cde', '"ab" AND "cde"*', true],
    ['"needle"', '"needle"', true],
    ['"needle', '"needle"', true],
    ['needle NEEDLE', '"needle"*', true],
    ['needle "needle"', '"needle"* AND "needle"', true],
    ['player-77', '"player" AND "77"', false],
    ['player-778', '"player" AND "778"*', false],
    ['needle player-77', '"needle"* AND "player" AND "77"', false],
    ['"a b" -', '"a" AND "b"', false],
    ['日本語', '"日本語"*', true],
  ])('looks %j up as %j', (text, expression, sure) => {
    expect(words(text)).toMatchObject({ table: 'words', expression, sure });
  });

  it.each<[wanted: string, text: string, holds: boolean]>([
    ['need', 'a needle', true],
    ['need', 'indeed needles', true],
    ['eedle', 'a needle', false],
    ['"need"', 'a needle', false],
    ['"need"', 'needle need', true],
    ['ne', 'needle', false],
    ['one two', 'two one', true],
    ['one two', 'one', false],
    ['player-77', 'Player-77 x', true],
    ['player-77', 'player 77', false],
    ['player-77', '77 player-7', false],
    ['player-77', 'xplayer-77', false],
    ['player-77', 'player-778', false],
    ['player-778', 'player-7789', true],
    ['player-778', 'player-x778', false],
    ['needle player-77', 'needle player 77', false],
    ['" a b "', 'a b', true],
    ['" a b "', 'b a', false],
    ['grü', '"gr\\u00fc\\u00dfe"', true],
    ['"say hi"', '"say\\u0020hi"', true],
    ['C:\\temp', '"C:\\\\temp"', true],
    ['two', '"one\\ntwo"', true],
    ['hi', '"\\u0022hi\\u0022"', true],
    ['ünï', 'ÜNÏ', true],
    ['"a"', 'ä', false],
    ['"a"', 'a\u0301', false],
  ])('%j in %j: %j', (wanted, text, holds) => {
    expect(words(wanted)?.holds([text])).toBe(holds);
    expect(words(wanted)?.holds(['other', text, ''])).toBe(holds);
  });
});

it('the index has a text as it is, and its escaped strings resolved, with what stands beside them', () => {
  const of = (...texts: string[]) => indexed(texts).text;
  expect(of('x:"gr\\u00fc", Y')).toBe('x:"gr\\u00fc", y\nx:"grü", ');
  expect(of('"gr\\u00fc"')).toBe('"gr\\u00fc"\n"grü"');
  expect(of('"a\\"b" "c"', 'D')).toBe('"a\\"b" "c"\n"a"b" "\nd');
  expect(of('"a\\q"')).toBe('"a\\q"');
  expect(of('\ud800 \u0000')).toBe('\ufffd \ufffd');
  expect(indexed(['b A b', 'a'])).toMatchObject({ words: 'b a' });
  expect(indexed([])).toEqual({ text: '', words: '' });
});
