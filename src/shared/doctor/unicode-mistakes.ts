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
      'Your backend leaves characters beyond ASCII as they are.',
      'JavaScript, Java and Ruby do this, and Python with ensure_ascii=False. The rule writes each as a lowercase escape.',
    ],
    { style: bare },
  ),
  unicode(
    'escaped',
    1,
    ['php', 'python'],
    [
      'Your backend escapes characters beyond ASCII.',
      'PHP does this unless JSON_UNESCAPED_UNICODE is set, and Python unless ensure_ascii is False.',
    ],
    { style: beyond((unit) => (unit < 0x80 ? null : unicodeUnit(unit))) },
  ),
  unicode(
    'bare-but-lines',
    2,
    ['php', 'go'],
    [
      'Your backend leaves characters beyond ASCII as they are, but escapes U+2028 and U+2029.',
      'PHP does this with JSON_UNESCAPED_UNICODE, and Go.',
    ],
    { style: bareButLines },
  ),
  unicode(
    'upper',
    3,
    ['csharp', 'java'],
    ['Your backend writes escapes in upper case.', "C#'s System.Text.Json and Jackson's ESCAPE_NON_ASCII do this."],
    { style: escaping(() => ({ beyond: (unit) => (unit < 0x80 ? null : upperUnit(unit)), control: upperUnit })) },
  ),
  unicode(
    'bare-upper-control',
    4,
    ['java'],
    [
      'Your backend leaves characters beyond ASCII as they are, and escapes control characters in upper case.',
      'Jackson does this.',
    ],
    { style: escaping(() => ({ beyond: () => null, control: upperUnit })), unless: ['unicode.bare'] },
  ),
  unicode(
    'bare-but-delete',
    4,
    [],
    ['Your backend leaves characters beyond ASCII as they are, but escapes U+007F.', 'jq and lua-cjson do this.'],
    { style: beyond((unit) => (unit === 0x7f ? unicodeUnit(unit) : null)), unless: ['unicode.bare'] },
  ),
  unicode(
    'bare-but-breaks',
    4,
    ['csharp'],
    [
      'Your backend leaves characters beyond ASCII as they are, but escapes U+0085, U+2028 and U+2029.',
      "C#'s Newtonsoft.Json does this.",
    ],
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
      'Your backend leaves most characters beyond ASCII as they are, but escapes emoji, in upper case.',
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
    ['Your backend escapes the character U+007F.', 'Python, jq and a copied snippet of JavaScript do this; PHP does not.'],
    { style: beyond((unit) => unicodeUnit(unit)) },
  ),
  unicode(
    'question-marks',
    3,
    ['csharp', 'java'],
    ['Your backend writes a question mark for each character beyond ASCII.', "C#'s Encoding.ASCII and Java's US_ASCII do this."],
    { style: bare, after: (text) => text.replaceAll(/[\u0080-\u{10ffff}]/gu, '?') },
  ),
  unicode(
    'question-marks-two',
    4,
    ['csharp'],
    ['Your backend writes a question mark for each character beyond ASCII, and two for an emoji.', 'Encoding.ASCII does this.'],
    { style: bare, after: (text) => text.replaceAll(/[\u0080-\uffff]/g, '?'), unless: ['unicode.question-marks'] },
  ),
  unicode(
    'replaced',
    4,
    ['go', 'php'],
    [
      'Your backend writes the character U+FFFD for those that it cannot read.',
      "Go, and PHP's JSON_INVALID_UTF8_SUBSTITUTE do this.",
    ],
    { style: bare, after: (text) => text.replaceAll(/[\u0080-\uffff]+/g, '\ufffd') },
  ),
  unicode(
    'decomposed',
    3,
    [],
    ['Your backend splits letters from their accents (Unicode NFD).', 'Names of files on macOS are written so.'],
    {
      change: normalised('NFD'),
    },
  ),
  unicode('composed', 3, [], ['Your backend joins letters with their accents (Unicode NFC).'], { change: normalised('NFC') }),
  unicode(
    'decomposed-bare',
    4,
    [],
    ['Your backend splits letters from their accents (Unicode NFD) and leaves them as they are.'],
    { change: normalised('NFD'), style: bare },
  ),
  unicode(
    'latin-1',
    2,
    ['php', 'java'],
    ['Your backend hashes Latin-1 bytes.', 'Old databases, utf8_decode and getBytes without a charset give them.'],
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
    ['Your backend encodes characters as UTF-8 twice.', 'utf8_encode on a text that is UTF-8 already does this.'],
    { style: bare, after: (text) => readAsLatin1(text) },
  ),
  unicode('twice-escaped', 4, ['php'], ['Your backend encodes characters as UTF-8 twice before it writes their escapes.'], {
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
