import { base64, digits, unitOf, unitsIn, type Kind } from './secret-forms.ts';

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

/** Adds where each spelling of the character that begins at `at` ends. */
export function addSpellings(kind: Kind, point: number, text: string, at: number, ends: number[]): void {
  const unit = text.charCodeAt(at);
  if (isAt(point, text, at)) add(ends, at + unitsIn(point));
  else if (unit === otherwise(kind, point)) add(ends, at + 1);
  if (point === space && unit === plus) add(ends, at + 1);
  if (point === quote && unit === quote) addShellQuotes(text, at, ends);
  if (unit === percent) addPercent(point, text, at, ends);
  else if (unit === ampersand) addEntities(point, text, at, ends);
  else if (unit === backslash) addEscapes(point, text, at, ends);
}

function add(ends: number[], end: number): void {
  if (!ends.includes(end)) ends.push(end);
}

function isAt(point: number, text: string, at: number): boolean {
  return text.charCodeAt(at) === unitOf(point, 0) && (point <= 0xffff || text.charCodeAt(at + 1) === unitOf(point, 1));
}

/** Adds the ends of a shell's escapes of a single quote: `'\''` or `'"'"'`, also escaped once more. */
function addShellQuotes(text: string, at: number, ends: number[]): void {
  const first = afterBackslashes(text, at + 1);
  if (first > at + 1 && text.startsWith("''", first)) add(ends, first + 2);
  if (!text.startsWith('"\'', first)) return;
  const second = afterBackslashes(text, first + 2);
  if (text.startsWith('"\'', second)) add(ends, second + 2);
}

/** The letter of `\n` and its like; -1 for none. */
export function shortEscape(point: number): number {
  return point >= 0x08 && point <= 0x0d ? 'btnvfr'.charCodeAt(point - 0x08) : -1;
}

/** Calls `each` with the bytes of the character in UTF-8, until it says no; whether it never did. */
function everyByte(point: number, each: (byte: number) => boolean): boolean {
  if (point < 0x80) return each(point);
  const more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  if (!each(((0xf0 << (3 - more)) & 0xff) | (point >> (6 * more)))) return false;
  for (let index = more - 1; index >= 0; index--) if (!each(0x80 | ((point >> (6 * index)) & 0x3f))) return false;
  return true;
}

function addPercent(point: number, text: string, at: number, ends: number[]): void {
  let end = at;
  const all = everyByte(point, (byte) => {
    const same = text.charCodeAt(end) === percent && hexAt(text, end + 1, 2) === byte;
    end += 3;
    return same;
  });
  if (all) add(ends, end);
}

const namedEntities: readonly (readonly [number, string])[] = [
  [ampersand, '&amp;'],
  [0x3c, '&lt;'],
  [0x3e, '&gt;'],
  [0x22, '&quot;'],
  [quote, '&apos;'],
];

function addEntities(point: number, text: string, at: number, ends: number[]): void {
  for (const [character, entity] of namedEntities)
    if (character === point && text.startsWith(entity, at)) add(ends, at + entity.length);
  if (text.charCodeAt(at + 1) !== 0x23) return;
  const isHex = (text.charCodeAt(at + 2) | 0x20) === 0x78;
  const end = text.indexOf(';', at + 3);
  if (end === -1 || end - at > 11) return;
  const written = text.slice(isHex ? at + 3 : at + 2, end);
  if ((isHex ? /^[0-9a-f]{1,6}$/i : /^\d{1,7}$/).test(written) && Number.parseInt(written, isHex ? 16 : 10) === point)
    add(ends, end + 1);
}

function addEscapes(point: number, text: string, at: number, ends: number[]): void {
  for (let after = at + 1; after <= at + mostBackslashes && text.charCodeAt(after - 1) === backslash; after++) {
    const unit = text.charCodeAt(after);
    if (isAt(point, text, after)) add(ends, after + unitsIn(point));
    if (unit === shortEscape(point)) add(ends, after + 1);
    if (unit === 0x55 && hexAt(text, after + 1, 8) === point) add(ends, after + 9);
    if (unit === 0x75 && text.charCodeAt(after + 1) === 0x7b) addBraced(point, text, after + 2, ends);
  }
  addEscapedUnits(point, text, at, ends);
  addEscapedBytes(point, text, at, ends);
}

/** `\u{e9}` of PHP and JavaScript, from its digits on. */
function addBraced(point: number, text: string, from: number, ends: number[]): void {
  const end = text.indexOf('}', from);
  if (end > from && end - from <= 6 && hexAt(text, from, end - from) === point) add(ends, end + 1);
}

function afterBackslashes(text: string, from: number): number {
  let end = from;
  while (end - from < mostBackslashes && text.charCodeAt(end) === backslash) end++;
  return end;
}

/** `\u00e9`, two of them for a character outside the basic plane. */
function addEscapedUnits(point: number, text: string, at: number, ends: number[]): void {
  let end = at;
  for (let index = 0; index < unitsIn(point); index++) {
    const from = end;
    end = afterBackslashes(text, from);
    if (end === from || text.charCodeAt(end) !== 0x75 || hexAt(text, end + 1, 4) !== unitOf(point, index)) return;
    end += 5;
  }
  add(ends, end);
}

/** `\xc3\xa9`, `\303\251` or `\0303\0251`: one escape for each byte of the character. */
function addEscapedBytes(point: number, text: string, at: number, ends: number[]): void {
  let reached = [at];
  everyByte(point, (byte) => {
    // Several: `\0000` is a NUL in four digits, or in three before a zero.
    const next: number[] = [];
    for (const from of reached) {
      const end = afterBackslashes(text, from);
      if (end === from) continue;
      const unit = text.charCodeAt(end);
      if ((unit | 0x20) === 0x78 && hexAt(text, end + 1, 2) === byte) next.push(end + 3);
      if (octalAt(text, end) === byte) next.push(end + 3);
      if (unit === 0x30 && octalAt(text, end + 1) === byte) next.push(end + 4);
    }
    reached = next;
    return next.length > 0;
  });
  for (const end of reached) add(ends, end);
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
