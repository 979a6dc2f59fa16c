import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { fc } from '#testing/fast-check.ts';
import { keyMark } from '#shared/secrets/key-mark.ts';
import { keyMarks, keyMarksInBody, masked, merged, movedBy, placesInJson } from './mask-places.ts';
import { createRedaction } from './redaction.ts';
import { formsOf } from './secret-forms.ts';
import { secretPlaces } from './secret-places.ts';

const maskedText = (text: string, secret: string) => {
  const places = secretPlaces(formsOf(Buffer.from(secret)), text);
  // The places are those of an ASCII text.
  return masked(Buffer.from(text), keyMarksInBody(Buffer.from(text), places)).toString('utf8');
};

describe('a masked body', () => {
  it.each([
    ['{"a":12345678}', { a: keyMark }],
    ['{"a":-12345678.5E+1,"b":"12345678"}', { a: keyMark, b: keyMark }],
    ['[1234567812345678,{"12345678":"\\"12345678"}]', [keyMark, { [keyMark]: `"${keyMark}` }]],
    [' 12345678', keyMark],
    // In hexadecimal, as bytes of a list.
    ['{"a":[31,32,33,34,35,36,37,38],"b":1}', { a: [keyMark], b: 1 }],
  ])('stays JSON: %s', (text, value) => {
    expect(JSON.parse(maskedText(text, '12345678'))).toEqual(value);
  });

  it('that is not JSON gets the mark alone', () => {
    expect(maskedText('a=12345678&b=1', '12345678')).toBe(`a=${keyMark}&b=1`);
  });

  it('stays JSON and holds no key, whatever number and text it is', () => {
    const digits = fc.bigInt({ min: 10_000_000n, max: 10n ** 30n }).map(String);
    fc.assert(
      fc.property(digits, fc.string({ maxLength: 9, unit: 'grapheme-ascii' }), fc.nat(), (key, around, number) => {
        const text = `{"a":${key},${JSON.stringify(around)}:[${number || 1}${key},{"c":${key}e1}],"d":${JSON.stringify(around + key)}}`;
        const clean = maskedText(text, key);
        JSON.parse(clean);
        const redaction = createRedaction();
        redaction.protect(key);
        expect(redaction.holds(clean)).toBe(false);
      }),
    );
  });
});

describe('places', () => {
  const place = (start: number, end: number) => ({ start, end });

  it.each([
    [[], []],
    [
      [place(5, 8), place(1, 3)],
      [place(1, 3), place(5, 8)],
    ],
    [
      [place(1, 3), place(3, 5)],
      [place(1, 3), place(3, 5)],
    ],
    [[place(4, 6), place(1, 5)], [place(1, 6)]],
    [[place(1, 9), place(2, 3), place(8, 10)], [place(1, 10)]],
    [
      [place(1, 4), place(2, 9), place(9, 10)],
      [place(1, 9), place(9, 10)],
    ],
  ])('%j are %j apart', (places, expected) => {
    expect(merged(places)).toEqual(expected);
    expect(keyMarks(places)).toEqual(expected.map((one) => ({ ...one, text: keyMark })));
  });

  it.each<[text: string, start: number, end: number, widened: string, bare: boolean]>([
    ['{"a":123}', 6, 7, '123', true],
    ['{"a":-1.5E+9}', 8, 9, '-1.5E+9', true],
    ['[az AZ]', 2, 3, 'az', true],
    ['[az AZ]', 4, 5, 'AZ', true],
    ['[09]', 1, 2, '09', true],
    ['[0/9:0@A[`z{]', 3, 4, '9', true],
    ['[0/9:0@A[`z{]', 7, 8, 'A', true],
    ['[0/9:0@A[`z{]', 10, 11, 'z', true],
    ['[1*2,3]', 3, 4, '2', true],
    ['12', 0, 1, '12', true],
    ['12', 1, 2, '12', true],
    ['{"a":"123"}', 7, 8, '2', false],
    // From a number into a string, and from a string out of it.
    ['[12,"34"]', 2, 6, '2,"3', false],
    ['["12",34]', 3, 8, '2",34', false],
    ['["a\\"b12",3]', 7, 8, '2', false],
    ['["a\\\\",12]', 7, 8, '12', true],
    ['[\\"12"]', 4, 5, '2', false],
  ])('in %s from %i to %i are widened to %s', (text, start, end, widened, bare) => {
    const [found] = placesInJson((at) => text.charCodeAt(at), text.length, [{ start, end, mark: 'm' }]);
    expect([text.slice(found?.start, found?.end), found?.bare, found?.mark]).toEqual([widened, bare, 'm']);
  });

  it('are looked at in their order', () => {
    const text = '["12",34,"56",78]';
    const found = placesInJson((at) => text.charCodeAt(at), text.length, [
      place(2, 3),
      place(6, 7),
      place(10, 11),
      place(14, 15),
    ]);
    expect(found.map(({ start, end, bare }) => [text.slice(start, end), bare])).toEqual([
      ['1', false],
      ['34', true],
      ['5', false],
      ['78', true],
    ]);
  });

  it.each([
    ['[1,2]', [place(1, 2)], `["${keyMark}",2]`],
    ['\ufeff [1,2]', [place(5, 6)], `\ufeff ["${keyMark}",2]`],
    ['12', [place(0, 1), place(1, 2)], `"${keyMark}"`],
    ['-1', [place(1, 2)], `"${keyMark}"`],
    ['-a1', [place(2, 3)], `-a${keyMark}`],
    ['a [1]', [place(3, 4)], `a [${keyMark}]`],
    ['[1,"1",1]', [place(7, 8), place(1, 2), place(4, 5)], `["${keyMark}","${keyMark}","${keyMark}"]`],
    ['[1]', [], '[1]'],
  ])('of a body are marked: %s', (text, places, clean) => {
    const bytes = Buffer.from(text);
    const marks = keyMarksInBody(bytes, places);
    expect(masked(bytes, marks).toString('utf8')).toBe(clean);
  });

  it('move what stands behind them', () => {
    const marks = [
      { start: 2, end: 4, text: 'abcde' },
      { start: 6, end: 9, text: '' },
    ];
    expect([0, 2, 3, 4, 6, 8, 9, 12].map((offset) => movedBy(marks, offset))).toEqual([0, 2, 3, 7, 9, 11, 9, 12]);
    const bytes = Buffer.from('0123456789');
    expect(masked(bytes, marks).toString('utf8')).toBe('01abcde459');
    expect(masked(bytes, [])).toBe(bytes);
  });
});
