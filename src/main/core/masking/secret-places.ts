import { shortestKeyFound } from '#shared/signing/key.ts';

/**
 * Where a secret stands in a text, in any of the forms in which it could leak. Everything that is made of the secret is numbers in one array, never
 * a string or a regular expression: an array can be overwritten, and nothing of it ends up in an error.
 */

/** UTF-16 offsets into a text. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A secret of fewer UTF-8 bytes would be found in half of all texts, and could be tried out. */
const shortest = shortestKeyFound;
/** Of fewer bytes, a reversed one stands somewhere by chance. */
const longEnough = 8;
/** JSON text inside JSON text, six deep, writes a quote with 63. */
const mostBackslashes = 63;
/** Between two digits: `, 0x`, or a line's end with the spaces before the next line. */
const mostSeparators = 16;

const plain = 0;
/** Digits in either case, with separators between them. */
const digits = 1;
/** Either alphabet, in lines. */
const base64 = 2;
type Kind = typeof plain | typeof digits | typeof base64;

/** Each form: its kind, its length, its code points. */
export type SecretForms = Uint32Array;

const space = 0x20;
const percent = 0x25;
const ampersand = 0x26;
const quote = 0x27;
const plus = 0x2b;
const zero = 0x30;
const backslash = 0x5c;
const hexDigits = unitsOf('0123456789abcdef');
const base64Letters = unitsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');

function unitsOf(ascii: string): Uint8Array {
  return Uint8Array.from(ascii, (character) => character.charCodeAt(0));
}

/** The forms of a secret that is given as UTF-8; none of one that is too short. Made again for each look, so plain loops. */
export function formsOf(utf8: Uint8Array): SecretForms {
  if (utf8.length < shortest) return new Uint32Array(0);
  const points = codePointsOf(utf8);
  const backwards = Uint8Array.from(utf8).reverse();
  const [little, big] = [utf16Of(points, true), utf16Of(points, false)];
  const all = new Uint32Array(64 + 2 * points.length + 14 * utf8.length + 12 * little.length);
  let used = 0;

  function addText(): void {
    all[used++] = plain;
    all[used++] = points.length;
    all.set(points, used);
    used += points.length;
  }

  function addDigits(bytes: Uint8Array): void {
    all[used++] = digits;
    all[used++] = 2 * bytes.length;
    for (const byte of bytes) {
      all[used++] = hexDigits[byte >> 4] ?? 0;
      all[used++] = hexDigits[byte & 15] ?? 0;
    }
  }

  /**
   * Inside a longer text it starts at any of three places within base64's groups of three bytes. Characters that also carry bits of a neighbour
   * are left: each tells at most four bits.
   */
  function addBase64(bytes: Uint8Array, offset: 0 | 1 | 2): void {
    const from = offset === 0 ? 0 : offset + 1;
    const to = Math.floor(((offset + bytes.length) * 8) / 6);
    all[used++] = base64;
    all[used++] = to - from;
    for (let bit = 6 * from - 8 * offset, index = from; index < to; index++, bit += 6) {
      const two = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
      all[used++] = base64Letters[(two >> (10 - (bit & 7))) & 63] ?? 0;
    }
  }

  function addBytes(bytes: Uint8Array): void {
    addDigits(bytes);
    addBase64(bytes, 0);
    addBase64(bytes, 1);
    addBase64(bytes, 2);
  }

  addText();
  addBytes(utf8);
  if (utf8.length >= longEnough) {
    points.reverse();
    addText();
    // Read backwards byte by byte, and digit by digit.
    addBytes(backwards);
    for (let index = 0; index < backwards.length; index++) {
      const byte = backwards[index] ?? 0;
      backwards[index] = ((byte & 15) << 4) | (byte >> 4);
    }
    addDigits(backwards);
  }
  addBytes(little);
  addBytes(big);
  for (const bytes of [points, backwards, little, big]) bytes.fill(0);
  return all.subarray(0, used);
}

function codePointsOf(utf8: Uint8Array): Uint32Array {
  const points = new Uint32Array(utf8.length);
  let count = 0;
  for (let at = 0; at < utf8.length;) {
    const first = utf8[at] ?? 0;
    const more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    let point = more === 0 ? first : first & (0x3f >> more);
    for (let index = 1; index <= more; index++) point = (point << 6) | ((utf8[at + index] ?? 0) & 0x3f);
    points[count++] = point;
    at += more + 1;
  }
  return points.subarray(0, count);
}

function utf16Of(points: Uint32Array, littleEndian: boolean): Uint8Array {
  const units = points.reduce((sum, point) => sum + (point > 0xffff ? 2 : 1), 0);
  const bytes = new Uint8Array(2 * units);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const point of points) {
    for (let index = 0; index < unitsIn(point); index++) {
      view.setUint16(at, unitOf(point, index), littleEndian);
      at += 2;
    }
  }
  return bytes;
}

function unitsIn(point: number): number {
  return point > 0xffff ? 2 : 1;
}

function unitOf(point: number, index: number): number {
  if (point <= 0xffff) return point;
  return index === 0 ? 0xd800 + ((point - 0x10000) >> 10) : 0xdc00 + ((point - 0x10000) & 0x3ff);
}

/** The first place from `from` on where one of the forms stands, as long as the longest that stands there. Made for megabytes. */
export function findSecret(forms: SecretForms, text: string, from = 0): Place | null {
  if (forms.length === 0) return null;
  const starts = startsOf(forms);
  let afterRun = -1;
  try {
    for (let start = from; start < text.length; start++) {
      const unit = text.charCodeAt(start);
      let wanted = starts[unit < 128 ? unit : 128] ?? 0;
      if (wanted === 0) continue;
      if (unit === backslash) {
        // Once for a run of them: there are texts of nothing else.
        if (start >= afterRun) for (afterRun = start; text.charCodeAt(afterRun) === backslash;) afterRun++;
        if (afterRun - start <= mostBackslashes) wanted = escapedStarts(starts, text, afterRun);
        else wanted = starts[nowBackslash] ?? 0;
      } else if (unit === percent) {
        const code = hexAt(text, start + 1, 2);
        wanted = code === -1 ? (starts[nowPercent] ?? 0) : (starts[Math.min(code, 128)] ?? 0) | (starts[nowPercent] ?? 0);
      }
      let end = -1;
      for (let at = 0; wanted !== 0; at += 2 + (forms[at + 1] ?? 0), wanted >>>= 1)
        if ((wanted & 1) === 1) end = Math.max(end, endOf(forms, at, text, start));
      if (end !== -1) return { start, end };
    }
    return null;
  } finally {
    starts.fill(0);
  }
}

/** Every place, one after the other. */
export function secretPlaces(forms: SecretForms, text: string): Place[] {
  const places: Place[] = [];
  for (let found = findSecret(forms, text); found !== null; found = findSecret(forms, text, found.end)) places.push(found);
  return places;
}

/** Places in what `startsOf` gives beside those of ASCII units. */
const nowOther = 128;
const nowBackslash = 129;
const nowPercent = 130;
const nowShort = 131;

/** By ASCII unit, and at 128 for all others: a bit for each form of which a spelling may begin with it. */
function startsOf(forms: SecretForms): Uint32Array {
  const starts = new Uint32Array(132);
  const mark = (index: number, bit: number) => void (starts[index] = (starts[index] ?? 0) | bit);
  for (let at = 0, bit = 1; at < forms.length; at += 2 + (forms[at + 1] ?? 0), bit <<= 1) {
    const first = forms[at + 2] ?? 0;
    mark(Math.min(first, nowOther), bit);
    const other = otherwise(forms[at] as Kind, first);
    if (other !== -1) mark(other, bit);
    if (first === space) mark(plus, bit);
    if (first === backslash) mark(nowBackslash, bit);
    if (first === percent) mark(nowPercent, bit);
    if (shortEscape(first) !== -1) mark(nowShort, bit);
  }
  // As an escape, any of them.
  const count = formsIn(forms);
  for (const unit of [percent, ampersand, backslash]) starts[unit] = count === 32 ? ~0 : (1 << count) - 1;
  return starts;
}

function formsIn(forms: SecretForms): number {
  let count = 0;
  for (let at = 0; at < forms.length; at += 2 + (forms[at + 1] ?? 0)) count++;
  return count;
}

/** Of which forms a spelling may begin with backslashes that end at `after`: most of a text's backslashes begin nothing. */
function escapedStarts(starts: Uint32Array, text: string, after: number): number {
  const unit = text.charCodeAt(after);
  const own = (starts[Math.min(unit, nowOther) || 0] ?? 0) | (starts[nowBackslash] ?? 0);
  if (unit === 0x75 && text.charCodeAt(after + 1) !== 0x7b) {
    const code = hexAt(text, after + 1, 4);
    return code === -1 ? own : own | (starts[Math.min(code, nowOther)] ?? 0);
  }
  // One of the many ways with a number: u{ U x X 0 1 2 3
  if (unit === 0x75 || unit === 0x55 || unit === 0x78 || unit === 0x58 || (unit >= 0x30 && unit <= 0x33))
    return starts[backslash] ?? 0;
  return isShortLetter(unit) ? own | (starts[nowShort] ?? 0) : own;
}

function isShortLetter(unit: number): boolean {
  return unit === 0x62 || unit === 0x74 || unit === 0x6e || unit === 0x76 || unit === 0x66 || unit === 0x72;
}

/** Another character that may stand for this one; -1 for none. */
function otherwise(kind: Kind, point: number): number {
  if (kind === digits && point >= 0x61) return point - 0x20;
  if (kind === base64 && point === plus) return 0x2d;
  if (kind === base64 && point === 0x2f) return 0x5f;
  return -1;
}

/** Returns the end of the longest occurrence of the form at `at`; -1 for none. */
function endOf(forms: SecretForms, form: number, text: string, at: number): number {
  const kind = forms[form] as Kind;
  const length = forms[form + 1] ?? 0;
  let end = at;
  let index = 0;
  // Nearly everything ends here: a character is itself, or it is not there.
  for (; index < length; index++, end++) {
    const unit = text.charCodeAt(end);
    if (isSpecial(unit)) break;
    if (unit === forms[form + 2 + index]) continue;
    if (kind !== plain && index > 0 && isSeparator(kind, unit)) {
      const next = text.charCodeAt(afterSeparators(kind, text, end));
      const point = forms[form + 2 + index] ?? 0;
      if (next === point || next === otherwise(kind, point) || isSpecial(next) || next === zero) break;
      return -1;
    }
    if (unit >= 0xd800 && unit <= 0xdbff) break;
    if (unit !== otherwise(kind, forms[form + 2 + index] ?? 0)) return -1;
  }
  if (index === length) return end;
  // Several ends at once: of four backslashes in the text, one or all four may stand for one in the secret.
  let ends = [end];
  for (; index < length; index++) {
    const next: number[] = [];
    const point = forms[form + 2 + index] ?? 0;
    for (const end of ends) {
      addSpellings(kind, point, text, end, next);
      if (index === 0 || kind === plain) continue;
      const after = afterSeparators(kind, text, end);
      if (after === end) continue;
      addSpellings(kind, point, text, after, next);
      if (kind === digits && text.charCodeAt(after) === 0x30 && (text.charCodeAt(after + 1) | 0x20) === 0x78)
        addSpellings(kind, point, text, after + 2, next);
    }
    if (next.length === 0) return -1;
    ends = next;
  }
  return Math.max(...ends);
}

/** Characters that may be a part of another spelling. */
function isSpecial(unit: number): boolean {
  return unit === backslash || unit === percent || unit === ampersand || unit === plus || unit === quote;
}

/** Skips separators between two digits, or two lines of base64. */
function afterSeparators(kind: Kind, text: string, from: number): number {
  let at = from;
  for (let count = 0; count < mostSeparators; count++) {
    const unit = text.charCodeAt(at);
    const length = isSeparator(kind, unit) ? 1 : escapedSeparator(text, at, unit);
    if (length === 0) break;
    at += length;
  }
  return at;
}

function isSeparator(kind: Kind, unit: number): boolean {
  if (unit === space || (unit >= 0x09 && unit <= 0x0d)) return true;
  // , - . : ; _ | +
  return (
    kind === digits &&
    (unit === 0x2c ||
      unit === 0x2d ||
      unit === 0x2e ||
      unit === 0x3a ||
      unit === 0x3b ||
      unit === 0x5f ||
      unit === 0x7c ||
      unit === plus)
  );
}

/** The length of `\n`, `\r`, `\t`, `%20`, `%0a` and their like; 0 for anything else. */
function escapedSeparator(text: string, at: number, unit: number): number {
  if (unit === percent) {
    const code = hexAt(text, at + 1, 2);
    return code === space || (code >= 0x09 && code <= 0x0d) ? 3 : 0;
  }
  if (unit !== backslash) return 0;
  let end = at;
  while (end - at < mostBackslashes && text.charCodeAt(end) === backslash) end++;
  const letter = text.charCodeAt(end);
  return letter === 0x6e || letter === 0x72 || letter === 0x74 ? end + 1 - at : 0;
}

/** Adds where each spelling of the character that begins at `at` ends. */
function addSpellings(kind: Kind, point: number, text: string, at: number, ends: number[]): void {
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
function shortEscape(point: number): number {
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

/** The number that so many hexadecimal digits at `at` are; -1 where they are not. */
function hexAt(text: string, at: number, length: number): number {
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

/** The number that three octal digits at `at` are; -1 where they are not. */
function octalAt(text: string, at: number): number {
  let value = 0;
  for (let index = 0; index < 3; index++) {
    const digit = text.charCodeAt(at + index) - 0x30;
    if (!(digit >= 0 && digit <= 7)) return -1;
    value = value * 8 + digit;
  }
  return value;
}
