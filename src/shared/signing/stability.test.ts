import { describe, expect, it } from 'vitest';
import { createJsonGenerator } from '../../testing/random-json.ts';
import { chooseSeed, seededRandom } from '../../testing/seeded-random.ts';
import { utf8Length } from '../json/utf8.ts';
import type { Serialization } from '../model/environment.ts';
import { checkStability, type Reencoding } from './stability.ts';

function reason(text: string, serialization: Serialization = 'verbatim', way: 'php' | 'phpAssoc' = 'php'): string {
  const { firstDifference, error } = checkStability(text, serialization)[way];
  return firstDifference === null ? (error?.message ?? 'stable') : `${firstDifference.byteOffset}: ${firstDifference.reason}`;
}

describe('checkStability', () => {
  it('is content with what PHP prints itself', () => {
    const stable: Reencoding = { stable: true, becomes: '{"a":[1]}', firstDifference: null, error: null };
    expect(checkStability('{"a":[1]}', 'php')).toEqual({ php: stable, phpAssoc: stable });
  });

  it('knows one way alone where it is recorded, and none where data is hashed as it arrives', () => {
    const text = '{"a":{},"b":1.50}';
    const [objects, lists] = [{ becomes: '{"a":{},"b":1.5}' }, { becomes: '{"a":[],"b":1.5}' }];
    expect(checkStability(text, 'php')).toMatchObject({ php: objects, phpAssoc: lists });
    expect(checkStability(text, 'php', 'objects')).toMatchObject({ php: objects, phpAssoc: objects });
    expect(checkStability(text, 'php', 'arrays')).toMatchObject({ php: lists, phpAssoc: lists });
    expect(checkStability(text, 'php', 'both')).toMatchObject({ php: objects, phpAssoc: lists });
    const same: Reencoding = { stable: true, becomes: text, firstDifference: null, error: null };
    expect(checkStability(text, 'php', 'received')).toEqual({ php: same, phpAssoc: same, asReceived: true });
    expect(checkStability('{', 'php', 'objects').php).toMatchObject({ stable: false, becomes: null, firstDifference: null });
  });

  it('shows both texts and the first differing byte', () => {
    expect(checkStability('{"é":1.50}', 'php-unicode').php).toEqual({
      stable: false,
      becomes: '{"é":1.5}',
      firstDifference: {
        byteOffset: 9,
        charOffset: 8,
        ours: '0}',
        theirs: '}',
        reason: "PHP writes the number 1.50 as 1.5: a float loses trailing zeros and digits that it can't hold",
      },
      error: null,
    });
  });

  it.each<[string, string]>([
    ['{"a": 1}', '5: PHP drops the whitespace between values'],
    ['{"a":"é"}', "6: U+00E9 isn't ASCII: PHP escapes it"],
    ['{"😀":1}', "2: U+1F600 isn't ASCII: PHP escapes it"],
    ['{"a":"\\u00E9"}', '10: PHP writes the escape \\u00E9 with lowercase digits'],
    ['{"a":"\\u000A"}', '7: PHP writes the escape \\u000A in its short form'],
    ['{"a":"\\u0041"}', '6: PHP writes the escape \\u0041 as the character itself (U+0041)'],
    ['{"a":"x\\/y"}', '7: PHP writes an escaped slash \\/ as /, because JSON_UNESCAPED_SLASHES is set'],
    ['{"a":1e2}', '6: PHP writes the number 1e2 as 100: floats from 0.0001 to below 1e17 get no exponent'],
    ['{"a":1e17}', '6: PHP writes the number 1e17 as 1.0e+17: floats below 0.0001 and from 1e17 on get an exponent'],
    [
      '{"a":9223372036854775808}',
      "6: PHP writes the number 9223372036854775808 as 9.223372036854776e+18: it doesn't fit 64 bits, so it becomes a float",
    ],
    [
      '{"a":1,"b":2,"a":3}',
      '5: The name "a" occurs more than once in an object: PHP keeps the first position and the last value',
    ],
    [
      '{"a":1,"b":2,"a":1}',
      '12: The name "a" occurs more than once in an object: PHP keeps the first position and the last value',
    ],
    ['{"a":1,"b":"é","a":1}', "12: U+00E9 isn't ASCII: PHP escapes it"],
    ['{"a":1,}', 'Trailing comma: remove it before the closing }'],
  ])('explains %s', (text, expected) => {
    expect(reason(text)).toBe(expected);
  });

  it('knows what only associative arrays change', () => {
    expect(reason('{"a":{}}', 'php', 'php')).toBe('stable');
    expect(reason('{"a":{}}', 'php', 'phpAssoc')).toBe(
      "5: An empty object {} becomes an empty array []: PHP's associative arrays can't tell them apart",
    );
    expect(reason('{"a":{"0":1,"1":2}}', 'php', 'phpAssoc')).toMatch(/^5: An object with the names 0, 1, 2 and so on/);
  });

  it('knows that PHP does not always read back what it printed', () => {
    expect(reason('{"a":-0}', 'php')).toBe("5: PHP writes the number -0 as 0: without a decimal point, it's the integer 0");
  });

  it.each<[string, string, number, string, string]>([
    // A difference within a pair is that of its whole character, and a cut never parts one.
    ['{"a":"😀"}', 'php', 6, '😀"}', '\\ud83d\\ude00"}'],
    [`{"a":"é${'b'.repeat(22)}😀"}`, 'php', 6, `é${'b'.repeat(22)}`, `\\u00e9${'b'.repeat(18)}`],
    [`{"a":"é${'b'.repeat(23)}😀"}`, 'php', 6, `é${'b'.repeat(23)}`, `\\u00e9${'b'.repeat(18)}`],
    ['{"a":1.0e1}', 'php', 6, '.0e1}', '0}'],
  ])('shows 24 units of %j from the difference on', (text, serialization, charOffset, ours, theirs) => {
    expect(checkStability(text, serialization as Serialization).php.firstDifference).toMatchObject({ charOffset, ours, theirs });
  });

  it('uses the flags of the serialization, and those of php for verbatim', () => {
    expect(reason('{"a":"é"}', 'php-unicode')).toBe('stable');
    expect(reason('{"a":"\\u00e9"}', 'php-unicode')).toBe('6: PHP writes the escape \\u00e9 as the character itself (U+00E9)');
    expect(reason('{"a":"\\u00e9"}', 'verbatim')).toBe('stable');
  });

  it('counts into a character whose first bytes are the same', () => {
    expect(reason('{"a":"é","a":"è"}', 'php-unicode')).toMatch(/^7: /);
  });

  it('points at the first differing byte of random texts and always has a reason', () => {
    const seed = chooseSeed();
    const generator = createJsonGenerator(seededRandom(seed));
    let different = 0;
    for (let i = 0; i < 3_000; i++) {
      const text = generator.text();
      const { php, phpAssoc } = checkStability(text, 'verbatim');
      for (const { becomes, firstDifference, stable } of [php, phpAssoc]) {
        const note = `CROUPIER_SEED=${seed}, case ${i}: ${text} becomes ${becomes}`;
        if (firstDifference === null || becomes === null) {
          expect(stable || becomes === null, note).toBe(true);
          continue;
        }
        different++;
        const [ours, theirs] = [Buffer.from(text), Buffer.from(becomes)];
        const at = firstDifference.byteOffset;
        expect(ours.subarray(0, at).equals(theirs.subarray(0, at)), note).toBe(true);
        expect(ours[at], note).not.toBe(theirs[at]);
        // An editor can only point at the whole character.
        const character = utf8Length(text.slice(0, firstDifference.charOffset));
        expect(at - character, note).toBeOneOf([0, 1, 2, 3]);
        expect(firstDifference.reason, note).not.toBe('PHP writes the text differently');
      }
    }
    expect(different).toBeGreaterThan(1_000);
  });
});
