import { base64, digits, type Kind } from './secret-forms.ts';

/*
 * Recognises the spellings of one character of a secret: itself, and its escapes in JSON, URLs, HTML, shells and programming languages.
 * One text at a time is read, with memory that lives on: a new one for each look would take longer than the look.
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

/** Spellings of characters, other than by themselves, that begin at one place are fewer. */
const mostSpellings = 8;
/** Number of places whose spellings are remembered: each place is looked at for several forms, and from several places before it. */
const rememberedPlaces = 64;

const places = new Int32Array(rememberedPlaces);
/** By place, each with a -1 after the last: the characters that were read, and where each ends. */
export const points = new Int32Array(rememberedPlaces * mostSpellings + 1);
export const ends = new Int32Array(rememberedPlaces * mostSpellings);
const none = rememberedPlaces * mostSpellings;

let text = '';
let next = 0;
let byteEnd = 0;
/** The last two runs of backslashes: that of one character, and that of the next. */
let [runStart, runEnd, otherStart, otherEnd] = [0, -1, 0, -1];

/** Reads this text from now on; the empty one when the search is over. */
export function readText(next: string): void {
  text = next;
  runEnd = otherEnd = -1;
  places.fill(-1);
  points.fill(-1);
}

/** Returns the UTF-16 unit at an offset; behind the end -2, which equals nothing else. A NaN would make every number here a fraction. */
export function unitAt(at: number): number {
  return at < text.length ? text.charCodeAt(at) : -2;
}

/** Returns the end of the run of backslashes in which `at` lies. Once for a run of them: there are texts of nothing else. */
export function afterRun(at: number): number {
  if (at >= runStart && at < runEnd) return runEnd;
  if (at >= otherStart && at < otherEnd) return otherEnd;
  otherStart = runStart;
  otherEnd = runEnd;
  for (runStart = runEnd = at; unitAt(runEnd) === backslash;) runEnd++;
  return runEnd;
}

/**
 * Reads the spellings that begin at `from` with a percent sign, an ampersand or backslashes, for all characters that they could be. Returns the index of
 * the first one in `points` and `ends`.
 */
export function readSpellings(unit: number, from: number): number {
  let at = from;
  if (unit === backslash) {
    // From each backslash of a run on, the same is read.
    at = afterRun(from) - 1;
    if (at - from >= mostBackslashes) return none;
  }
  const place = at & (rememberedPlaces - 1);
  const first = place * mostSpellings;
  if (places[place] === at) return first;
  places[place] = at;
  next = first;
  if (unit === percent) addUtf8(percentByte(at), at + 3, percentByte);
  else if (unit === ampersand) addEntities(at);
  else addEscapes(at + 1);
  points[next] = -1;
  return first;
}

function add(point: number, end: number): void {
  points[next] = point;
  ends[next++] = end;
}

/** Adds the characters of one or two UTF-16 units. */
function addUnits(unit: number, end: number, low: number, lowEnd: number): void {
  add(unit, end);
  if (unit >= 0xd800 && unit <= 0xdbff && low >= 0xdc00 && low <= 0xdfff)
    add(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), lowEnd);
}

/** Adds the character whose UTF-8 begins with a byte, if it is one; `next` reads one more byte at an offset and says in `byteEnd` where that ends. */
function addUtf8(byte: number, end: number, next: (at: number) => number): void {
  if (byte < 0) return;
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
  return unitAt(at) === percent ? hexAt(at + 1, 2) : -1;
}

/** `\xc3`, `\303` or `\0303` behind its backslashes: a zero makes octal digits too few for a byte above 0x7f. */
function escapedByte(at: number): number {
  const from = afterBackslashes(at);
  if (from === at) return -1;
  const unit = unitAt(from);
  byteEnd = from + (unit === zero ? 4 : 3);
  return (unit | 0x20) === 0x78 ? hexAt(from + 1, 2) : octalAt(unit === zero ? from + 1 : from);
}

function addEntities(at: number): void {
  if (unitAt(at + 1) !== 0x23) {
    for (const [character, entity] of namedEntities) if (text.startsWith(entity, at)) return add(character, at + entity.length);
    return;
  }
  const isHex = (unitAt(at + 2) | 0x20) === 0x78;
  const from = isHex ? at + 3 : at + 2;
  const most = isHex ? 6 : 7;
  let [point, end] = [0, from];
  for (; end - from < most; end++) {
    const digit = digitOf(unitAt(end));
    if (digit === -1 || (!isHex && digit > 9)) break;
    point = point * (isHex ? 16 : 10) + digit;
  }
  if (end > from && unitAt(end) === 0x3b) add(point, end + 1);
}

/** Adds what is written at `after`, behind a backslash. */
function addEscapes(after: number): void {
  const unit = unitAt(after);
  if (unit < 0) return;
  addUnits(unit, after + 1, unitAt(after + 1), after + 2);
  if (unit === 0x55) {
    const point = hexAt(after + 1, 8);
    if (point !== -1 && point <= 0x10ffff) add(point, after + 9);
  } else if (unit === 0x75 && unitAt(after + 1) === 0x7b) addBraced(after + 2);
  else if (unit === 0x75) addEscapedUnits(after + 1);
  else if ((unit | 0x20) === 0x78) addUtf8(hexAt(after + 1, 2), after + 3, escapedByte);
  else if (unit >= zero && unit <= 0x37) {
    addUtf8(octalAt(after), after + 3, escapedByte);
    // `\0000` is a NUL in four digits, or in three before a zero.
    if (unit === zero) addUtf8(octalAt(after + 1), after + 4, escapedByte);
  } else if (unit < controls.length && controls[unit] !== 0) add(controls[unit] ?? 0, after + 1);
}

/** `\u{e9}` of PHP and JavaScript, from its digits on. */
function addBraced(from: number): void {
  let end = from;
  while (end - from < 6 && digitOf(unitAt(end)) !== -1) end++;
  if (end > from && unitAt(end) === 0x7d) add(hexAt(from, end - from), end + 1);
}

/** `\u00e9`, two of them for a character outside the basic plane; from its digits on. */
function addEscapedUnits(from: number): void {
  const unit = hexAt(from, 4);
  if (unit === -1) return;
  // Most are no half of a pair, and the next escape is read at its own place.
  const second = unit >= 0xd800 ? afterBackslashes(from + 4) : 0;
  const isUnit = second > from + 4 && unitAt(second) === 0x75;
  addUnits(unit, from + 4, isUnit ? hexAt(second + 1, 4) : -1, second + 5);
}

/** Adds the ends of a shell's escapes of a single quote: `'\''` or `'"'"'`, also escaped once more. */
export function addShellQuotes(at: number, add: (end: number) => void): void {
  const first = afterBackslashes(at + 1);
  if (first > at + 1 && text.startsWith("''", first)) add(first + 2);
  if (!text.startsWith('"\'', first)) return;
  const second = afterBackslashes(first + 2);
  if (text.startsWith('"\'', second)) add(second + 2);
}

/** By the letters of `\b` and its like, their characters from U+0008 on. */
const controls = new Uint8Array(0x80);
Array.from('btnvfr', (letter, index) => (controls[letter.charCodeAt(0)] = 0x08 + index));

const namedEntities: readonly (readonly [number, string])[] = [
  [ampersand, '&amp;'],
  [0x3c, '&lt;'],
  [0x3e, '&gt;'],
  [0x22, '&quot;'],
  [quote, '&apos;'],
];

function afterBackslashes(from: number): number {
  let end = from;
  while (end - from < mostBackslashes && unitAt(end) === backslash) end++;
  return end;
}

/** Returns the number of `length` hexadecimal digits at `at`; -1 if they are not digits. */
function hexAt(at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index++) {
    const digit = digitOf(unitAt(at + index));
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}

const digitValues = new Int8Array(0x80).fill(-1);
for (let value = 0; value < 16; value++)
  for (const digit of [value.toString(16), value.toString(16).toUpperCase()]) digitValues[digit.charCodeAt(0)] = value;

function digitOf(unit: number): number {
  return unit >= 0 && unit < 0x80 ? (digitValues[unit] ?? -1) : -1;
}

/** Returns the number of three octal digits at `at`; -1 if they are not digits. */
function octalAt(at: number): number {
  let value = 0;
  for (let index = 0; index < 3; index++) {
    const digit = unitAt(at + index) - 0x30;
    if (!(digit >= 0 && digit <= 7)) return -1;
    value = value * 8 + digit;
  }
  return value;
}
