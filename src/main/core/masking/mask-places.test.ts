import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { fc } from '#testing/property.ts';
import { keyMark } from '#shared/secrets/key-mark.ts';
import { keyMarksInBody, masked } from './mask-places.ts';
import { createRedaction } from './redaction.ts';
import { formsOf, secretPlaces } from './secret-places.ts';

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

  it('that is no JSON gets the mark alone', () => {
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
