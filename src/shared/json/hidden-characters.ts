import { bidiName } from './bidi.ts';

const names: Readonly<Record<number, string>> = {
  0x00: 'null',
  0x07: 'bell',
  0x08: 'backspace',
  0x09: 'tab',
  0x0a: 'line feed',
  0x0b: 'vertical tab',
  0x0c: 'form feed',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0x85: 'next line',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x034f: 'combining grapheme joiner',
  0x061c: 'Arabic letter mark (bidirectional control)',
  0x1680: 'ogham space mark',
  0x180e: 'Mongolian vowel separator',
  0x2000: 'en quad',
  0x2001: 'em quad',
  0x2002: 'en space',
  0x2003: 'em space',
  0x2004: 'three-per-em space',
  0x2005: 'four-per-em space',
  0x2006: 'six-per-em space',
  0x2007: 'figure space',
  0x2008: 'punctuation space',
  0x2009: 'thin space',
  0x200a: 'hair space',
  0x200b: 'zero width space',
  0x200c: 'zero width non-joiner',
  0x200d: 'zero width joiner',
  0x200e: 'left-to-right mark (bidirectional control)',
  0x200f: 'right-to-left mark (bidirectional control)',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding (bidirectional control)',
  0x202b: 'right-to-left embedding (bidirectional control)',
  0x202c: 'pop directional formatting (bidirectional control)',
  0x202d: 'left-to-right override (bidirectional control)',
  0x202e: 'right-to-left override (bidirectional control)',
  0x202f: 'narrow no-break space',
  0x205f: 'medium mathematical space',
  0x2060: 'word joiner',
  0x2061: 'function application',
  0x2062: 'invisible times',
  0x2063: 'invisible separator',
  0x2064: 'invisible plus',
  0x2066: 'left-to-right isolate (bidirectional control)',
  0x2067: 'right-to-left isolate (bidirectional control)',
  0x2068: 'first strong isolate (bidirectional control)',
  0x2069: 'pop directional isolate (bidirectional control)',
  0x2800: 'braille blank',
  0x3000: 'ideographic space',
  0x3164: 'hangul filler',
  0xfeff: 'byte order mark',
  0xfffc: 'object replacement character',
  0xfffd: 'replacement character',
};

const abbreviations: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x09: 'TAB',
  0x0a: 'LF',
  0x0b: 'VT',
  0x0c: 'FF',
  0x0d: 'CR',
  0x1b: 'ESC',
  0x7f: 'DEL',
  0x85: 'NEL',
  0xa0: 'NBSP',
  0xad: 'SHY',
  0x034f: 'CGJ',
  0x200b: 'ZWSP',
  0x200c: 'ZWNJ',
  0x200d: 'ZWJ',
  0x2028: 'LS',
  0x2029: 'PS',
  0x202f: 'NNBSP',
  0x2060: 'WJ',
  0xfeff: 'BOM',
};

/** Returns a short name of an invisible character: `NBSP`, `RLO`, or `U+2003` if it has no abbreviation. */
export function shortCharacterName(codePoint: number): string {
  return abbreviations[codePoint] ?? bidiName(String.fromCodePoint(codePoint)) ?? codeOf(codePoint);
}

/** Writes `U+00A0 no-break space`: the code point and, if the character is invisible, its name. */
export function characterName(codePoint: number): string {
  const code = codeOf(codePoint);
  const name = names[codePoint] ?? kindOf(codePoint);
  return name === null ? code : `${code} ${name}`;
}

/** Controls, formats, spaces and ignorable characters, except the plain space, tabs, line ends, and number signs that have a shape. */
const hidden =
  /(?![ \t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/gu;

/** Pattern that matches one of them, for an expression with the flag `u`. */
export const hiddenPattern = hidden.source;

/** Those that take up room. */
const blank = /[\p{Z}\u2800]/u;

/** Finds characters that are invisible or look like a plain space, except tabs and line ends. */
export function hiddenPlaces(text: string): Iterable<RegExpExecArray> {
  return text.matchAll(hidden);
}

/** Replaces white space with signs, and invisible characters with names such as `[ZWSP]`. */
export function withSigns(text: string): string {
  return text
    .replace(hidden, (character) => `[${shortCharacterName(character.codePointAt(0) ?? 0)}]`)
    .replaceAll('\n', '⏎')
    .replaceAll('\r', '␍')
    .replaceAll('\t', '⇥')
    .replaceAll(' ', '·');
}

/**
 * Returns the look of a short text. Two texts with one look can hardly be distinguished on screen, except by their case. A bidirectional
 * control is part of the look. Other invisible characters are not, although their names are shown: two names must not differ only by such
 * a label.
 */
export function lookOf(text: string): string {
  return text
    .normalize('NFC')
    .replace(hidden, (character) => (bidiName(character) !== null ? character : blank.test(character) ? ' ' : ''))
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Lists the names of such characters, each once, with its count: `U+200B zero width space (2)`. */
export function hiddenCharacters(text: string): string[] {
  const counts = new Map<number, number>();
  for (const { 0: character } of hiddenPlaces(text)) {
    const codePoint = character.codePointAt(0) ?? 0;
    counts.set(codePoint, (counts.get(codePoint) ?? 0) + 1);
  }
  return Array.from(counts, ([codePoint, count]) => `${characterName(codePoint)}${count === 1 ? '' : ` (${count})`}`);
}

function codeOf(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

function kindOf(codePoint: number): string | null {
  if (codePoint < 0x20 || (codePoint >= 0x80 && codePoint < 0xa0)) return 'control character';
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 'half of a surrogate pair';
  if (codePoint >= 0xe000 && codePoint <= 0xf8ff) return 'private use character';
  if ((codePoint >= 0xfe00 && codePoint <= 0xfe0f) || (codePoint >= 0xe0100 && codePoint <= 0xe01ef)) return 'variation selector';
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return 'tag character';
  return null;
}
