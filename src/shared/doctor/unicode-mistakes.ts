import { encodeUtf8 } from '#shared/json/utf8.ts';
import { textOfUnits } from '../json/text-pieces.ts';
import { mistakesOf, type DataMistake } from './data-mistake.ts';
import type { Part } from './model.ts';
import { mapTexts, type Value } from './value.ts';
import { unicodeUnit, type Escapes, type Style } from './write.ts';

const unicode = mistakesOf('unicode');

/** Makes a change of style that writes characters of texts in another way. */
export const escaping = (change: (escapes: Escapes) => Partial<Escapes>) => (style: Style) => ({
  ...style,
  escapes: { ...style.escapes, ...change(style.escapes) },
});

const isLine = (unit: number) => unit === 0x2028 || unit === 0x2029;
/** Writes a UTF-16 unit as `\\uXXXX`, in upper case. */
export const upperUnit = (unit: number) => unicodeUnit(unit).slice(0, 2) + unicodeUnit(unit).slice(2).toUpperCase();
/** Makes a change of style for the characters from U+007F up. */
export const beyond = (write: Escapes['beyond']) => escaping(() => ({ beyond: write }));
/** Leaves characters as they are. */
export const bare = beyond(() => null);

/** Leaves characters as PHP does with JSON_UNESCAPED_UNICODE. */
export const bareButLines = beyond((unit) => (isLine(unit) ? unicodeUnit(unit) : null));

/** Characters beyond ASCII. */
export const unicodeMistakes: readonly DataMistake[] = [
  unicode(
    'bare',
    1,
    ['node', 'go', 'java', 'ruby', 'python'],
    [
      'Your backend leaves non-ASCII characters unescaped.',
      'JavaScript, Java and Ruby do this, and Python with ensure_ascii=False. The rule writes each as a lowercase escape.',
    ],
    { style: bare },
  ),
  unicode(
    'escaped',
    1,
    ['php', 'python'],
    [
      'Your backend escapes non-ASCII characters.',
      'PHP does this unless JSON_UNESCAPED_UNICODE is set, and Python unless ensure_ascii is False.',
    ],
    { style: beyond((unit) => (unit < 0x80 ? null : unicodeUnit(unit))) },
  ),
  unicode(
    'bare-but-lines',
    2,
    ['php', 'go'],
    [
      'Your backend leaves non-ASCII characters unescaped, except U+2028 and U+2029.',
      'Go does this, and PHP with JSON_UNESCAPED_UNICODE.',
    ],
    { style: bareButLines },
  ),
  unicode(
    'upper',
    3,
    ['csharp', 'java'],
    ['Your backend writes escapes in uppercase.', "C#'s System.Text.Json and Jackson's ESCAPE_NON_ASCII do this."],
    { style: escaping(() => ({ beyond: (unit) => (unit < 0x80 ? null : upperUnit(unit)), control: upperUnit })) },
  ),
  unicode(
    'bare-upper-control',
    4,
    ['java'],
    ['Your backend leaves non-ASCII characters unescaped, and escapes control characters in uppercase.', 'Jackson does this.'],
    { style: escaping(() => ({ beyond: () => null, control: upperUnit })), unless: ['unicode.bare'] },
  ),
  unicode(
    'bare-but-delete',
    4,
    [],
    ['Your backend leaves non-ASCII characters unescaped, but escapes U+007F.', 'jq and lua-cjson do this.'],
    { style: beyond((unit) => (unit === 0x7f ? unicodeUnit(unit) : null)), unless: ['unicode.bare'] },
  ),
  unicode(
    'bare-but-breaks',
    4,
    ['csharp'],
    ['Your backend leaves non-ASCII characters unescaped, except U+0085, U+2028 and U+2029.', "C#'s Newtonsoft.Json does this."],
    {
      style: beyond((unit) => (unit === 0x85 || isLine(unit) ? unicodeUnit(unit) : null)),
      unless: ['unicode.bare', 'unicode.bare-but-lines'],
    },
  ),
  unicode(
    'bare-but-emoji',
    3,
    ['csharp'],
    [
      'Your backend leaves most non-ASCII characters unescaped, but escapes emoji in uppercase.',
      "C#'s UnsafeRelaxedJsonEscaping does this.",
    ],
    {
      style: escaping(() => ({
        beyond: (unit) => (/[\p{C}\p{Z}]/u.test(String.fromCharCode(unit)) ? upperUnit(unit) : null),
        control: upperUnit,
      })),
      unless: ['unicode.bare', 'unicode.upper', 'unicode.bare-but-delete', 'unicode.bare-but-lines'],
    },
  ),
  unicode(
    'delete-escaped',
    4,
    ['python', 'node'],
    ['Your backend escapes the character U+007F.', "Python, jq and a copied JavaScript snippet do this; PHP doesn't."],
    { style: beyond((unit) => unicodeUnit(unit)) },
  ),
  unicode(
    'question-marks',
    3,
    ['csharp', 'java'],
    ['Your backend writes a question mark for each non-ASCII character.', "C#'s Encoding.ASCII and Java's US_ASCII do this."],
    { style: bare, after: (text) => text.replaceAll(/[\u0080-\u{10ffff}]/gu, '?') },
  ),
  unicode(
    'question-marks-two',
    4,
    ['csharp'],
    ['Your backend writes a question mark for each non-ASCII character, and two for an emoji.', 'Encoding.ASCII does this.'],
    { style: bare, after: (text) => text.replaceAll(/[\u0080-\uffff]/g, '?'), unless: ['unicode.question-marks'] },
  ),
  unicode(
    'replaced',
    4,
    ['go', 'php'],
    ["Your backend writes U+FFFD for characters that it can't read.", "Go and PHP's JSON_INVALID_UTF8_SUBSTITUTE do this."],
    { style: bare, after: (text) => text.replaceAll(/[\u0080-\uffff]+/g, '\ufffd') },
  ),
  unicode(
    'decomposed',
    3,
    [],
    ['Your backend splits letters from their accents (Unicode NFD).', 'macOS writes file names like this.'],
    {
      change: normalised('NFD'),
    },
  ),
  unicode('composed', 3, [], ['Your backend joins letters with their accents (Unicode NFC).'], { change: normalised('NFC') }),
  unicode('decomposed-bare', 4, [], ['Your backend splits letters from their accents (Unicode NFD) and leaves them unescaped.'], {
    change: normalised('NFD'),
    style: bare,
  }),
  unicode(
    'latin-1',
    2,
    ['php', 'java'],
    ['Your backend hashes Latin-1 bytes.', 'Old databases, utf8_decode and getBytes without a charset do this.'],
    { style: bare, after: (text) => bytesOf(text.replaceAll(/[\u0100-\u{10ffff}]/gu, '?')) },
  ),
  unicode(
    'low-bytes',
    4,
    ['node'],
    ['Your backend hashes the low byte of each character.', "Node's encodings latin1 and binary do this."],
    { style: bare, after: bytesOf, unless: ['unicode.latin-1'] },
  ),
  unicode(
    'twice',
    2,
    ['php', 'node'],
    ['Your backend encodes characters as UTF-8 twice.', 'utf8_encode on text that is already UTF-8 does this.'],
    { style: bare, after: (text) => readAsLatin1(text) },
  ),
  unicode('twice-escaped', 4, ['php'], ['Your backend encodes characters as UTF-8 twice before it escapes them.'], {
    change: (value) => mapTexts(value, readAsLatin1),
  }),
];

function normalised(form: 'NFC' | 'NFD') {
  return (value: Value) => mapTexts(value, (text) => text.normalize(form));
}

/** Returns the low byte of each UTF-16 unit: Latin-1, where a text has no other characters. */
function bytesOf(text: string): Part {
  const bytes = new Uint8Array(text.length);
  let all = 0;
  for (let at = 0; at < text.length; at++) {
    bytes[at] = text.charCodeAt(at);
    all |= bytes[at] ?? 0;
  }
  return all < 0x80 ? textOfUnits(bytes) : bytes;
}

/** Reads the UTF-8 bytes of a text as if they were Latin-1. */
function readAsLatin1(text: string): string {
  return textOfUnits(encodeUtf8(text));
}
