import { shortestKeyFound } from '#shared/signing/key.ts';

/*
 * The forms in which a secret could leak. Everything that is made of the secret is numbers in one array, never a string or a regular expression:
 * an array can be overwritten, and nothing of it ends up in an error.
 */

/** A secret of fewer UTF-8 bytes would be found in half of all texts, and could be tried out. */
const shortest = shortestKeyFound;
/** Of fewer bytes, a reversed one stands somewhere by chance. */
const longEnough = 8;

export const plain = 0;
/** Digits in either case, with separators between them. */
export const digits = 1;
/** Either alphabet, in lines. */
export const base64 = 2;
export type Kind = typeof plain | typeof digits | typeof base64;

/** Each form: its kind, its length, its code points. */
export type SecretForms = Uint32Array;

const hexDigits = unitsOf('0123456789abcdef');
const base64Letters = unitsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');

function unitsOf(ascii: string): Uint8Array {
  return Uint8Array.from(ascii, (character) => character.charCodeAt(0));
}

/** Numbers that the forms of a byte of UTF-8 take at most, and what they are made of. */
const numbersOfByte = 44;
/** Numbers that the forms take beside these: their kinds and lengths. */
const numbersBeside = 64;

/** Makes room for the forms of a secret of up to `bytes`. */
export function roomForForms(bytes: number): SecretForms {
  return new Uint32Array(numbersBeside + numbersOfByte * bytes);
}

/** More characters than a form has. */
const whole = 1 << 30;

/**
 * Returns the forms of a secret given as UTF-8, in `room` if it is large enough; none for a secret that is too short. Of each form it returns the first
 * `most` characters, an even number. Made again for each look, so plain loops over one array.
 */
export function formsOf(utf8: Uint8Array, room?: SecretForms, most = whole): SecretForms {
  const { length } = utf8;
  if (length < shortest) return new Uint32Array(0);
  const least = numbersBeside + numbersOfByte * length;
  const all = room !== undefined && room.length >= least ? room : roomForForms(length);
  // What the forms are made of stands behind them: bytes, code points, bytes of UTF-16.
  const bytes = least - length;
  const points = bytes - length;
  const utf16 = points - 2 * length;
  for (let at = 0; at < length; at++) all[bytes + at] = utf8[at] ?? 0;
  const [count, wide] = decode(all, bytes, length, points, utf16);
  const last = bytes + length - 1;
  let used = addText(all, 0, points, count, 1, most);
  used = addBytes(all, used, bytes, length, 1, 0, most);
  if (length >= longEnough) {
    used = addText(all, used, points + count - 1, count, -1, most);
    // Read backwards byte by byte, and digit by digit.
    used = addBytes(all, used, last, length, -1, 0, most);
    const shown = Math.min(2 * length, most);
    used = addHead(all, used, digits, shown);
    for (let at = 0; at < shown; at++) {
      const byte = all[last - (at >> 1)] ?? 0;
      all[used++] = hexDigits[(at & 1) === 0 ? byte & 15 : byte >> 4] ?? 0;
    }
  }
  used = addBytes(all, used, utf16, wide, 1, 0, most);
  used = addBytes(all, used, utf16, wide, 1, 1, most);
  all.fill(0, utf16, least);
  return all.subarray(0, used);
}

function addHead(all: SecretForms, used: number, kind: Kind, length: number): number {
  all[used] = kind;
  all[used + 1] = length;
  return used + 2;
}

function addText(all: SecretForms, from: number, points: number, count: number, step: 1 | -1, most: number): number {
  const shown = Math.min(count, most);
  let used = addHead(all, from, plain, shown);
  for (let at = 0; at < shown; at++) all[used++] = all[points + step * at] ?? 0;
  return used;
}

/**
 * Adds hexadecimal and base64 of bytes; with `flip`, those of each pair change places. Inside a longer text the secret starts at any of three positions
 * within base64's groups of three bytes. Characters that also carry bits of a neighbour are left out: each gives away at most four bits.
 */
function addBytes(
  all: SecretForms,
  start: number,
  bytes: number,
  length: number,
  step: 1 | -1,
  flip: 0 | 1,
  most: number,
): number {
  const shown = Math.min(length, most / 2);
  let used = addHead(all, start, digits, 2 * shown);
  for (let at = 0; at < shown; at++) {
    const byte = all[bytes + step * (at ^ flip)] ?? 0;
    all[used++] = hexDigits[byte >> 4] ?? 0;
    all[used++] = hexDigits[byte & 15] ?? 0;
  }
  for (let offset = 0; offset < 3; offset++) {
    const from = offset === 0 ? 0 : offset + 1;
    const to = Math.min(Math.floor(((offset + length) * 8) / 6), from + most);
    used = addHead(all, used, base64, to - from);
    for (let bit = 6 * from - 8 * offset, index = from; index < to; index++, bit += 6) {
      const at = bit >> 3;
      const next = at + 1 < length ? (all[bytes + step * ((at + 1) ^ flip)] ?? 0) : 0;
      const two = ((all[bytes + step * (at ^ flip)] ?? 0) << 8) | next;
      all[used++] = base64Letters[(two >> (10 - (bit & 7))) & 63] ?? 0;
    }
  }
  return used;
}

/** Writes the code points of UTF-8, and the bytes of little-endian UTF-16; returns their numbers. */
function decode(all: SecretForms, bytes: number, length: number, points: number, utf16: number): [count: number, wide: number] {
  let [count, wide] = [0, 0];
  for (let at = 0; at < length;) {
    const first = all[bytes + at] ?? 0;
    const more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    let point = more === 0 ? first : first & (0x3f >> more);
    // Of a text that is cut, zeros follow.
    for (let index = 1; index <= more; index++)
      point = (point << 6) | ((at + index < length ? (all[bytes + at + index] ?? 0) : 0) & 0x3f);
    all[points + count++] = point;
    for (let index = 0; index <= (point > 0xffff ? 1 : 0); index++) {
      all[utf16 + wide++] = unitOf(point, index) & 0xff;
      all[utf16 + wide++] = unitOf(point, index) >> 8;
    }
    at += more + 1;
  }
  return [count, wide];
}

/** Returns one UTF-16 unit of a code point. */
export function unitOf(point: number, index: number): number {
  if (point <= 0xffff) return point;
  return index === 0 ? 0xd800 + ((point - 0x10000) >> 10) : 0xdc00 + ((point - 0x10000) & 0x3ff);
}
