import { base64, digits, type Kind } from './secret-forms.ts';

/*
 * Recognises the spellings of one character of a secret: itself, and its escapes in JSON, URLs, HTML, shells and programming languages.
 */

export const space = 0x20;
export const percent = 0x25;
export const ampersand = 0x26;
export const quote = 0x27;
export const plus = 0x2b;
export const zero = 0x30;
export const backslash = 0x5c;
/** JSON text inside JSON text, six deep, writes a quote with 63. */
export const mostBackslashes = 63;

/** Returns another character that may replace this one; -1 for none. */
export function otherwise(kind: Kind, point: number): number {
  if (kind === digits && point >= 0x61) return point - 0x20;
  if (kind === base64 && point === plus) return 0x2d;
  if (kind === base64 && point === 0x2f) return 0x5f;
  return -1;
}

/** Most spellings of characters, other than by themselves, that begin at one place. */
const mostSpellings = 4;
/** Number of places whose spellings are remembered: each place is looked at for several forms, and from several places before it. */
const rememberedPlaces = 64;

/** Spellings in a text that begin with a percent sign, an ampersand or backslashes, read once for all characters that they could be. */
export interface Spellings {
  /** Returns the index of the first spelling that begins at `at`; as many as `counted()` follow one another in `points` and `ends`. */
  at(at: number): number;
  counted(): number;
  readonly points: Int32Array;
  readonly ends: Int32Array;
  /** Returns the end of the run of backslashes in which `at` lies. */
  afterRun(at: number): number;
}

export function createSpellings(text: string): Spellings {
  const places = new Int32Array(rememberedPlaces).fill(-1);
  const counts = new Uint8Array(rememberedPlaces);
  const points = new Int32Array(rememberedPlaces * mostSpellings);
  const ends = new Int32Array(rememberedPlaces * mostSpellings);
  let [first, count, runStart, runEnd, byteEnd] = [0, 0, 0, -1, 0];

  function add(point: number, end: number): void {
    points[first + count] = point;
    ends[first + count++] = end;
  }

  /** Once for a run of them: there are texts of nothing else. */
  function afterRun(at: number): number {
    if (at >= runStart && at < runEnd) return runEnd;
    for (runStart = runEnd = at; text.charCodeAt(runEnd) === backslash;) runEnd++;
    return runEnd;
  }

  /** Adds the characters of one or two UTF-16 units. */
  function addUnits(unit: number, end: number, low: number, lowEnd: number): void {
    add(unit, end);
    if (unit >= 0xd800 && unit <= 0xdbff && low >= 0xdc00 && low <= 0xdfff)
      add(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), lowEnd);
  }

  /** Adds the character whose UTF-8 begins with a byte; `next` reads one more byte at an offset and says in `byteEnd` where that ends. */
  function addUtf8(byte: number, end: number, next: (at: number) => number): void {
    if (byte < 0x80) return add(byte, end);
    const more = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    if (byte < 0xc0 || byte > 0xf7) return;
    let point = byte & (0x3f >> more);
    byteEnd = end;
    for (let index = 0; index < more; index++) {
      const one = next(byteEnd);
      if (one < 0x80 || one > 0xbf) return;
      point = (point << 6) | (one & 0x3f);
    }
    // Nobody writes it longer than it is.
    if (point >= (more === 1 ? 0x80 : more === 2 ? 0x800 : 0x10000)) add(point, byteEnd);
  }

  function percentByte(at: number): number {
    byteEnd = at + 3;
    return text.charCodeAt(at) === percent ? hexAt(text, at + 1, 2) : -1;
  }

  /** `\xc3`, `\303` or `\0303` behind its backslashes: a zero makes octal digits too few for a byte above 0x7f. */
  function escapedByte(at: number): number {
    const from = afterBackslashes(text, at);
    if (from === at) return -1;
    const unit = text.charCodeAt(from);
    byteEnd = from + (unit === zero ? 4 : 3);
    return (unit | 0x20) === 0x78 ? hexAt(text, from + 1, 2) : octalAt(text, unit === zero ? from + 1 : from);
  }

  function addEntities(at: number): void {
    for (const [character, entity] of namedEntities) if (text.startsWith(entity, at)) return add(character, at + entity.length);
    if (text.charCodeAt(at + 1) !== 0x23) return;
    const isHex = (text.charCodeAt(at + 2) | 0x20) === 0x78;
    const from = isHex ? at + 3 : at + 2;
    const most = isHex ? 6 : 7;
    let [point, end] = [0, from];
    for (; end - from < most; end++) {
      const digit = digitOf(text.charCodeAt(end));
      if (digit === -1 || (!isHex && digit > 9)) break;
      point = point * (isHex ? 16 : 10) + digit;
    }
    if (end > from && text.charCodeAt(end) === 0x3b) add(point, end + 1);
  }

  function addEscapes(at: number): void {
    const after = afterRun(at);
    if (after - at > mostBackslashes || after >= text.length) return;
    const unit = text.charCodeAt(after);
    addUnits(unit, after + 1, text.charCodeAt(after + 1), after + 2);
    const short = shortEscapes.indexOf(unit);
    if (short !== -1) add(0x08 + short, after + 1);
    if (unit === 0x55) {
      const point = hexAt(text, after + 1, 8);
      if (point !== -1) add(point, after + 9);
    } else if (unit === 0x75 && text.charCodeAt(after + 1) === 0x7b) addBraced(after + 2);
    else if (unit === 0x75) addEscapedUnits(after + 1);
    else if ((unit | 0x20) === 0x78 || (unit >= zero && unit <= 0x37)) {
      const byte = (unit | 0x20) === 0x78 ? hexAt(text, after + 1, 2) : octalAt(text, after);
      if (byte !== -1) addUtf8(byte, after + 3, escapedByte);
      // `\0000` is a NUL in four digits, or in three before a zero.
      const other = unit === zero ? octalAt(text, after + 1) : -1;
      if (other !== -1) addUtf8(other, after + 4, escapedByte);
    }
  }

  /** `\u{e9}` of PHP and JavaScript, from its digits on. */
  function addBraced(from: number): void {
    let end = from;
    while (end - from < 6 && digitOf(text.charCodeAt(end)) !== -1) end++;
    if (end > from && text.charCodeAt(end) === 0x7d) add(hexAt(text, from, end - from), end + 1);
  }

  /** `\u00e9`, two of them for a character outside the basic plane; from its digits on. */
  function addEscapedUnits(from: number): void {
    const unit = hexAt(text, from, 4);
    if (unit === -1) return;
    // Most are no half of a pair, and the next escape is read at its own place.
    const second = unit >= 0xd800 ? afterBackslashes(text, from + 4) : 0;
    const isUnit = second > from + 4 && text.charCodeAt(second) === 0x75;
    addUnits(unit, from + 4, isUnit ? hexAt(text, second + 1, 4) : -1, second + 5);
  }

  return {
    points,
    ends,
    afterRun,
    counted: () => count,
    at(at) {
      const place = at % rememberedPlaces;
      first = place * mostSpellings;
      if (places[place] === at) {
        count = counts[place] ?? 0;
        return first;
      }
      count = 0;
      const unit = text.charCodeAt(at);
      if (unit === percent) {
        const byte = percentByte(at);
        if (byte !== -1) addUtf8(byte, at + 3, percentByte);
      } else if (unit === ampersand) addEntities(at);
      else addEscapes(at);
      places[place] = at;
      counts[place] = count;
      return first;
    },
  };
}

/** Adds the ends of a shell's escapes of a single quote: `'\''` or `'"'"'`, also escaped once more. */
export function addShellQuotes(text: string, at: number, add: (end: number) => void): void {
  const first = afterBackslashes(text, at + 1);
  if (first > at + 1 && text.startsWith("''", first)) add(first + 2);
  if (!text.startsWith('"\'', first)) return;
  const second = afterBackslashes(text, first + 2);
  if (text.startsWith('"\'', second)) add(second + 2);
}

/** The letters of `\b` and its like, for the characters from U+0008 on. */
const shortEscapes = [0x62, 0x74, 0x6e, 0x76, 0x66, 0x72];

const namedEntities: readonly (readonly [number, string])[] = [
  [ampersand, '&amp;'],
  [0x3c, '&lt;'],
  [0x3e, '&gt;'],
  [0x22, '&quot;'],
  [quote, '&apos;'],
];

function afterBackslashes(text: string, from: number): number {
  let end = from;
  while (end - from < mostBackslashes && text.charCodeAt(end) === backslash) end++;
  return end;
}

/** Returns the number of `length` hexadecimal digits at `at`; -1 if they are not digits. */
export function hexAt(text: string, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index++) {
    const digit = digitOf(text.charCodeAt(at + index));
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Returns the number of three octal digits at `at`; -1 if they are not digits. */
function octalAt(text: string, at: number): number {
  let value = 0;
  for (let index = 0; index < 3; index++) {
    const digit = text.charCodeAt(at + index) - 0x30;
    if (!(digit >= 0 && digit <= 7)) return -1;
    value = value * 8 + digit;
  }
  return value;
}
