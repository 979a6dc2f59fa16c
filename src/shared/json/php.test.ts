import { describe, expect, it } from 'vitest';
import { describeSyntaxError } from './parse.ts';
import { phpJson, phpNumber } from './php.ts';

function php(text: string, options: { unicode?: boolean; assoc?: boolean } = {}): string {
  const result = phpJson(text, { unicode: false, assoc: false, ...options });
  return result.ok ? result.json : describeSyntaxError(result.error);
}

describe('phpNumber', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
    ['9223372036854775808', '9.223372036854776e+18'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['-9223372036854775809', '-9.223372036854776e+18'],
    ['1.50', '1.5'],
    ['1.0', '1'],
    ['-0', '0'],
    ['-0.0', '-0'],
    ['-0e5', '-0'],
    ['1e16', '10000000000000000'],
    ['1e17', '1.0e+17'],
    ['1e-4', '0.0001'],
    ['1e-5', '1.0e-5'],
    ['1.5e-10', '1.5e-10'],
    ['5e-324', '5.0e-324'],
    ['1e-400', '0'],
    ['1e400', null],
    ['-1e400', null],
  ])('prints %s as %s', (typed, printed) => {
    expect(phpNumber(typed)).toBe(printed);
  });
});

describe('phpJson', () => {
  it('prints compact, with bare slashes and lower-case escapes', () => {
    expect(php('{ "a" : "x\\/y\\u00E9é😀\\u0041\\u007f\\u001F" }')).toBe('{"a":"x/y\\u00e9\\u00e9\\ud83d\\ude00A\u007f\\u001f"}');
    expect(php('{"a":"é\\u00e9\u2028"}', { unicode: true })).toBe('{"a":"éé\\u2028"}');
  });

  it('keeps a duplicate name at its first place with its last value, and so may lose an overflow', () => {
    expect(php('{"a":1,"b":2,"a":3}')).toBe('{"a":3,"b":2}');
    expect(php('{"a":1e400,"a":1}')).toBe('{"a":1}');
    const many = Array.from({ length: 20 }, (_, i) => `"k${i}":${i}`).join(',');
    expect(php(`{${many},"k3":"last"}`)).toBe(`{${many.replace('"k3":3', '"k3":"last"')}}`);
  });

  it('makes lists of associative arrays where PHP does', () => {
    expect(php('{}', { assoc: true })).toBe('[]');
    expect(php('{"0":"a","1":{}}', { assoc: true })).toBe('["a",[]]');
    for (const text of ['{"1":"a","0":"b"}', '{"0":1,"2":2}', '{"00":1}', '{"-0":1}'])
      expect(php(text, { assoc: true })).toBe(text);
    expect(php('{"0":1,"0":2}', { assoc: true })).toBe('[2]');
  });

  it.each([
    ['{"a":\n1e400}', "This number is too large for PHP: it becomes infinity, which JSON doesn't have (line 2, column 1)"],
    ['{"a":"x\\ud800"}', 'Unpaired surrogate (U+D800): it has no UTF-8 form (line 1, column 8)'],
    ['{"a":"\\udc00"}', 'Unpaired surrogate (U+DC00): it has no UTF-8 form (line 1, column 7)'],
    ['{"a":"\ud800"}', 'Unpaired surrogate (U+D800): it has no UTF-8 form (line 1, column 7)'],
    ['{"a":1,"\\u0000b":1}', 'PHP refuses a property name that begins with U+0000 (line 1, column 8)'],
    ['{"a":"\\ud800","b":}', 'Unpaired surrogate (U+D800): it has no UTF-8 form (line 1, column 7)'],
  ])('refuses %j with its place', (text, message) => {
    expect(php(text)).toBe(message);
  });

  it('takes a name that begins with U+0000 in an associative array', () => {
    expect(php('{"\\u0000b":1}', { assoc: true })).toBe('{"\\u0000b":1}');
  });

  it('reads 511 levels and refuses 512', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(php(nested(511))).toBe(nested(511));
    expect(php(nested(512))).toBe('Nested more than 511 levels deep (line 1, column 512)');
    expect(php(nested(100_000))).toBe('Nested more than 511 levels deep (line 1, column 512)');
  });
});
