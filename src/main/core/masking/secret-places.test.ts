import { describe, expect, it } from 'vitest';
import { fc } from '#testing/fast-check.ts';
import { secretForms } from '#testing/secret-forms.ts';
import { formsOf } from './secret-forms.ts';
import { findSecret, secretPlaces } from './secret-places.ts';

const bytesOf = (secret: string) => new TextEncoder().encode(secret);

/** The text with `#` for each place of the secret. */
function marked(secret: string, text: string): string {
  let clean = '';
  let at = 0;
  for (const { start, end } of secretPlaces(formsOf(bytesOf(secret)), text)) {
    clean += `${text.slice(at, start)}#`;
    at = end;
  }
  return clean + text.slice(at);
}

const backslashes = (count: number) => '\\'.repeat(count);
const hex = (secret: string) => Buffer.from(secret).toString('hex');

describe('the place of a secret', () => {
  it.each([
    'k3y/with+odd"chars',
    'é😀 <&>\'"\\%+/=?',
    'line\nend\ttab\u0008\u000b\f\r',
    `\u0000\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}`,
    'ABC~xyz0189{}',
  ])('is the whole form and nothing beside it: %j', (secret) => {
    for (const [name, form] of secretForms(secret)) expect(marked(secret, `!${form}!`), name).toMatch(/^!(0x)?#!$/);
  });

  it.each<[what: string, secret: string, text: string, clean: string]>([
    ['bare', 'abcd', 'abcabcd abcd', 'abc# #'],
    ['of another case', 'abcd', 'Abcd ABCD', 'Abcd ABCD'],
    ['with one character more or less', 'abcd', 'abc abcx bcd', 'abc abcx bcd'],
    ['too short', 'abc', 'abc', 'abc'],
    ['backwards', '12345678', '87654321', '#'],
    ['backwards, too short', '1234567', '7654321', '7654321'],
    ['backwards in hex, too short', 'abcdefg', Buffer.from('gfedcba').toString('hex'), Buffer.from('gfedcba').toString('hex')],

    ['hex in mixed case', 'jklm', '6A6b6C6d 6a6B6c6D', '# #'],
    ['hex with control characters for digits', 'jklm', '\u0016a6b6c6d 6a6b\u00166c6d', '\u0016a6b6c6d 6a6b\u00166c6d'],
    ['hex with each separator', 'jklmnopqrstuv', '6a 6b,6c-6d.6e:6f;70_71|72+73\t74\n75\v76', '#'],
    ['hex with the others', 'jklm', '6a\f6b\r6c\r\n 6d', '#'],
    [
      'hex with what is not a separator',
      'jklm',
      '6a/6b/6c/6d 6a\b6b\b6c\b6d 6a\u000e6b6c6d 6a=6b6c6d',
      '6a/6b/6c/6d 6a\b6b\b6c\b6d 6a\u000e6b6c6d 6a=6b6c6d',
    ],
    ['hex with escaped separators', 'jklmn', '6a\\n6b\\r6c\\t6d\\\\n6e', '#'],
    ['hex with another escape', 'jklm', '6a\\b6b6c6d 6a\\x6b6c6d', '6a\\b6b6c6d 6a\\x6b6c6d'],
    ['hex with encoded separators', 'jklmno', '6a%206b%096c%0A6d%0d6e%0c6f', '#'],
    ['hex with other encoded characters', 'jklm', '6a%216b6c6d 6a%086b6c6d 6a%0e6b6c6d', '6a%216b6c6d 6a%086b6c6d 6a%0e6b6c6d'],
    ['hex as numbers', 'jklm', '0x6a, 0x6b,0X6C\n 0x6d', '0x#'],
    ['hex with x and no zero', 'jklm', '6a,x6b,x6c,x6d 6a,1x6b6c6d', '6a,x6b,x6c,x6d 6a,1x6b6c6d'],
    ['hex with sixteen separators', 'jklm', `6a${' '.repeat(16)}6b6c6d`, '#'],
    ['hex with seventeen separators', 'jklm', `6a${' '.repeat(17)}6b6c6d`, `6a${' '.repeat(17)}6b6c6d`],
    ['hex that is cut', 'jklm', '6a6b6c 6a6b6c6', '6a6b6c 6a6b6c6'],
    ['hex with separators around it', 'jklm', ' 6a6b6c6d ', ' # '],
    ['bare with separators within', 'jklm', 'j k l m j\nklm', 'j k l m j\nklm'],

    [
      'base64 in both alphabets',
      '\u00fb\u00ff\u00fe>>>???',
      `${Buffer.from('\u00fb\u00ff\u00fe>>>???').toString('base64')} ${Buffer.from('\u00fb\u00ff\u00fe>>>???').toString('base64url')}`,
      '# #',
    ],
    ['base64 in lines', 'abcdefghi', 'YWJj\r\nZGVm\\nZ2hp', '#'],
    ['base64 with a comma', 'abcdefghi', 'YWJj,ZGVmZ2hp', 'YWJj,ZGVmZ2hp'],
    ['base64 in another case', 'abcdefghi', 'ywjjzgvmz2hp', 'ywjjzgvmz2hp'],
    ['base64 in lines with a plus in an address', 'abc>>>ghi', 'YWJj%0APj4%2BZ2hp', '#'],
    ['base64 with 0x', 'abcdefghi', 'YWJj 0xZGVmZ2hp', 'YWJj 0xZGVmZ2hp'],

    ['percent in either case', 'é/ÿz', '%c3%a9%2F%C3%bFz', '#'],
    ['percent for ASCII', 'abcd', '%61b%63%64', '#'],
    ['percent of another byte', 'é/ÿz', '%c3%a8%2F%C3%bFz', '%c3%a8%2F%C3%bFz'],
    ['percent that is cut', 'zzzé', 'zzz%c3 zzz%c3%a zzz%c3%zz', 'zzz%c3 zzz%c3%a zzz%c3%zz'],
    ['percent of four bytes', 'zz😀', 'zz%f0%9f%98%80', '#'],
    ['percent of three bytes', 'zz€', 'zz%e2%82%ac', '#'],
    ['a percent sign', 'a%bc', 'a%bc a%25bc', '# #'],
    ['a plus for a space', 'ab cd', 'ab+cd ab%20cd ab cd', '# # #'],
    ['a space for a plus', 'ab+cd', 'ab cd ab%2bcd ab+cd', 'ab cd # #'],
    ['a plus for a space at its start', ' abcd', '+abcd', '#'],

    ['named entities', `a&b<c>d"e'f`, 'a&amp;b&lt;c&gt;d&quot;e&apos;f', '#'],
    ['other entities', 'a&b<', 'a&lt;b&amp; a&ampb&lt;', 'a&lt;b&amp; a&ampb&lt;'],
    ['numbered entities', 'aé😀z', '&#97;&#xe9;&#X1F600;&#122;', '#'],
    ['numbered entities with zeros', 'abcd', '&#0000097;b&#x000063;d', '#'],
    ['numbered entities that are too long', 'abcd', '&#00000097;bcd &#x0000061;bcd', '&#00000097;bcd &#x0000061;bcd'],
    ['numbered entities that are open', 'abcd', '&#97bcd &#x61bcd &97;bcd &#97 ;bcd', '&#97bcd &#x61bcd &97;bcd &#97 ;bcd'],
    ['entities of the other notation', 'abcd', '&#61;bcd &#x97;bcd &#6x1;bcd', '&#61;bcd &#x97;bcd &#6x1;bcd'],
    ['a bare ampersand', 'a&bc', 'a&bc', '#'],

    ['short escapes', '\b\t\n\v\f\r', '\\b\\t\\n\\v\\f\\r', '#'],
    ['short escapes of others', '\t\t\t\t', '\\t\\t\\n\\t \\t\\t\\t\\t', '\\t\\t\\n\\t #'],
    ['each short escape at its start', '\vabc', '\\vabc \\fabc', '# \\fabc'],
    ['a form feed at its start', '\fabc', '\\fabc', '#'],
    ['a line feed at its start', '\nabc', '\\nabc', '#'],
    ['a tab at its start', '\tabc', '\\tabc', '#'],
    ['a return at its start', '\rabc', '\\rabc', '#'],
    ['a backspace at its start', '\babc', '\\babc \\\\babc', '# #'],
    ['escaped units', 'aé😀z', '\\u0061\\u00e9\\uD83d\\uDE00\\u007A', '#'],
    ['escaped units, escaped again', 'aé😀z', '\\\\u0061\\\\\\u00e9\\\\uD83d\\\\\\\\uDE00z', '#'],
    [
      'a lone half',
      'abc😀',
      'abc\\ud83d abc\ud83d abc\ud83dx abc\\ud83d\\ude01',
      'abc\\ud83d abc\ud83d abc\ud83dx abc\\ud83d\\ude01',
    ],
    ['a lone half at its start', '😀abc', '\ud83dabc \ud83d\ude01abc \ud83d\ude00abc', '\ud83dabc \ud83d\ude01abc #'],
    ['braces', 'aé😀z', '\\u{61}\\u{0000e9}\\u{1F600}\\u{7a}', '#'],
    [
      'braces that are not right',
      'abcd',
      '\\u{}abcd \\u{0000061}bcd \\u{61bcd \\u{62}bcd',
      '\\u{}# \\u{0000061}bcd \\u{61bcd \\u{62}bcd',
    ],
    ['eight digits', 'aé😀z', '\\U00000061\\U000000e9\\U0001F600z', '#'],
    ['eight digits of another', 'abcd', '\\U00000062bcd \\u00000061bcd', '\\U00000062bcd \\u00000061bcd'],
    ['bytes in hex', 'aé😀z', '\\x61\\xc3\\xA9\\XF0\\x9f\\x98\\x80z', '#'],
    ['bytes in hex, escaped again', 'aéz9', '\\\\x61\\\\xc3\\\\xA9z9', '#'],
    ['bytes in octal', 'aé😀z', '\\141\\303\\251\\0360\\0237\\230\\200z', '#'],
    [
      'hexadecimal of what is not a digit',
      'abcd',
      '\\x6gbcd %6gbcd \\u006gbcd a\\x6@cd a\\x6/cd',
      '\\x6gbcd %6gbcd \\u006gbcd a\\x6@cd a\\x6/cd',
    ],
    ['bytes in hex of others', 'abcd', '\\x62bcd a\\q62cd \\q61bcd', '\\x62bcd a\\q62cd \\q61bcd'],
    ['bytes in hex of what only looks like a digit', 'aicd', 'a\\x6@cd a%6@cd', 'a\\x6@cd a%6@cd'],
    ['bytes in octal behind another digit', 'abcd', 'a\\9142cd a\\1142cd', 'a\\9142cd a\\1142cd'],
    ['a numbered entity at the end that is open', 'abcd', 'abc&#100!', 'abc&#100!'],
    ['another quote in a shell', "a'bc", "aX\\''bc a+\\''bc", "aX\\''bc a+\\''bc"],
    ['a quote in a shell for another character', 'axbc', "a'\\''bc", "a'\\''bc"],
    ['a plus for another character', 'abcd', 'ab+d +bcd abc+', 'ab+d +bcd abc+'],
    ['a percent sign at its start', '%zzab', '%zzab %25zzab', '# #'],
    ['letters of the other base64 elsewhere', 'ab/cd+e', 'ab_cd+e ab/cd-e', 'ab_cd+e ab/cd-e'],
    ['letters of the other base64 for others', 'abcdefghi', 'YWJj_GVmZ2hp YWJj-GVmZ2hp', 'YWJj_GVmZ2hp YWJj-GVmZ2hp'],
    ['percent of which a part is bare', 'zzzé', 'zzz%c3xa9 zzzxc3%a9', 'zzz%c3xa9 zzzxc3%a9'],
    ['units behind another letter', 'aéz9', 'a\\q00e9z9 a\\U00e9z9', 'a\\q00e9z9 a\\U00e9z9'],
    ['what is not an octal number for the first character', 'a\u0001bc', 'a\\9zzbc a\\0zzzbc', 'a\\9zzbc a\\0zzzbc'],
    ['braces of something else', 'abcd', 'a\\u(62}cd a\\q{62}cd', 'a\\u(62}cd a\\q{62}cd'],
    ['braces without a number', 'a\u0000bc', 'a\\u{}bc a\\u{bc', 'a\\u{}bc a\\u{bc'],
    ['eight digits behind another letter', 'abcd', 'a\\u00000062cd a\\q00000062cd', 'a\\u00000062cd a\\q00000062cd'],
    ['bytes in octal of what is not a digit', 'abcd', '\\139bcd \\15)bcd', '\\139bcd \\15)bcd'],
    ['bytes in octal of others', 'abcd', '\\142bcd \\14bcd \\1418bcd \\181bcd', '\\142bcd \\14bcd \\1418bcd \\181bcd'],
    ['a NUL before a zero', '\u00000abc', '\\0000abc \\00000abc', '# #'],
    ['each first digit of an escape', '\u0001Abc', '\\001Abc', '#'],
    ['octal from 2', '\u0080abc', '\\302\\200abc', '#'],
    ['octal from 1', '@abc', '\\100abc \\0100abc', '# #'],
    ['backslashes', 'a\\b"c', 'a\\b"c a\\\\b\\"c a\\\\\\\\b\\\\\\"c', '# # #'],
    ['63 backslashes', 'a"bc', `a${backslashes(63)}"bc`, '#'],
    ['64 backslashes', 'a"bc', `a${backslashes(64)}"bc`, `a${backslashes(64)}"bc`],
    ['63 backslashes before a unit', 'aébc', `a${backslashes(63)}u00e9bc`, '#'],
    ['64 backslashes before a unit', 'aébc', `a${backslashes(64)}u00e9bc`, `a${backslashes(64)}u00e9bc`],
    ['63 backslashes at its start', '"abc', `${backslashes(63)}"abc`, '#'],
    ['64 backslashes at its start', '"abc', `${backslashes(64)}"abc`, `${backslashes(1)}#`],
    ['backslashes of its own at its start', '\\abc', `${backslashes(9)}abc`, '#'],
    ['many backslashes of its own at its start', '\\abc', `${backslashes(80)}abc`, '#'],
    ['several backslashes of its own in a longer run', 'a\\\\\\bc', `a${backslashes(200)}bc`, '#'],
    ['several backslashes, the last one as an escape', 'a\\\\\\bc', `a${backslashes(9)}u005cbc`, '#'],
    ['more backslashes than there are', 'a\\\\\\bc', `a${backslashes(2)}bc`, `a${backslashes(2)}bc`],

    ['single quotes of a shell', "it's it", "it'\\''s it it'\"'\"'s it", '# #'],
    ['quotes of a shell, escaped', "it's it", "it'\\\\''s it it'\\\"'\\\"'s it", '# #'],
    [
      'quotes that are not of a shell',
      "it's it",
      "it'''s it it'\"''s it it'\"\"'s it it'\\'s it",
      "it'''s it it'\"''s it it'\"\"'s it it'\\'s it",
    ],
    ['a quote that is bare', "it's it", "it's it it\\'s it", '# #'],
  ])('%s', (_, secret, text, clean) => {
    expect(marked(secret, text)).toBe(clean);
  });

  it('is looked for from an offset on, and is the longest that stands there', () => {
    const forms = formsOf(bytesOf('abcd'));
    expect(findSecret(forms, 'abcd abcd', 0)).toEqual({ start: 0, end: 4 });
    expect(findSecret(forms, 'abcd abcd', 1)).toEqual({ start: 5, end: 9 });
    expect(findSecret(forms, 'abcd abcd', 6)).toBeNull();
    expect(findSecret(formsOf(bytesOf('ab')), 'abab')).toBeNull();
    // Four backslashes may mean one, or four.
    expect(marked('abc\\\\', `abc${backslashes(4)}!`)).toBe('abc#!'.replace('abc', ''));
    expect(marked('abc\\', `abc${backslashes(3)}`)).toBe('#');
  });

  it('has hex and base64 of its bytes backwards, of its digits backwards, and of UTF-16', () => {
    const secret = 'ABCDEFGh';
    const backwards = Buffer.from(secret).reverse();
    for (const form of [
      backwards.toString('hex'),
      Array.from(hex(secret)).toReversed().join(''),
      backwards.toString('base64').slice(0, 10),
      Buffer.from(secret, 'utf16le').toString('hex'),
      Buffer.from(secret, 'utf16le').swap16().toString('base64').slice(0, 21),
    ])
      expect(marked(secret, `!${form}!`)).toBe('!#!');
  });
});

describe('a secret of few different characters', () => {
  const spellings = (character: string) => {
    const code = character.charCodeAt(0);
    return [
      character,
      `\\u${code.toString(16).padStart(4, '0')}`,
      `%${code.toString(16)}`,
      `&#${code};`,
      hex(character),
      `${hex(character).toUpperCase()} `,
    ];
  };

  it('is found where it would be without what is remembered of earlier places', () => {
    const pieces = fc.constantFrom(...['a', 'b', 'j', 'z', '\\'].flatMap(spellings));
    const period = fc.string({ unit: fc.constantFrom('a', 'b', 'j', '\\'), minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(period, fc.nat(3), fc.array(fc.tuple(pieces, fc.nat(30)), { maxLength: 6 }), (unit, cut, parts) => {
        const secret = unit.repeat(16).slice(cut);
        const forms = formsOf(bytesOf(secret));
        const text = parts.map(([piece, times]) => piece.repeat(times)).join('');
        // The first place that is looked at remembers nothing.
        const alone = Array.from(text, (_, from) => findSecret(forms, text, from)).find((found, from) => found?.start === from);
        expect(findSecret(forms, text)).toEqual(alone ?? null);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ...spellings('j').map((spelling) => ['j', spelling]),
    ...spellings('"').map((spelling) => ['"', spelling]),
    ['"', '\\"'],
    ['"', '\\\\\\"'],
    ['"', `${backslashes(63)}"`],
    ['\\', '\\'],
    ['j', '&#'],
    ['j', '\\u{'],
  ])('of %s is looked for in steps that its length and that of a text do not change, in a text of %s', (character, spelling) => {
    const stepsOf = (length: number, times: number) => {
      let steps = 0;
      const text = spelling.repeat(times);
      const counting = {
        length: text.length,
        charCodeAt: (at: number) => (steps++, text.charCodeAt(at)),
        startsWith: (part: string, at: number) => ((steps += part.length), text.startsWith(part, at)),
      } as unknown as string;
      expect(findSecret(formsOf(bytesOf(`${character.repeat(length)}!`)), counting)).toBeNull();
      return steps / text.length;
    };
    const few = stepsOf(25, 500);
    expect(stepsOf(25, 2_000)).toBeLessThan(2 * few);
    expect(stepsOf(250, 2_000)).toBeLessThan(2 * few);
  });
});
