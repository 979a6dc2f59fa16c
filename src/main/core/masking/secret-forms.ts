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

/** Returns the forms of a secret given as UTF-8; none for one that is too short. Made again for each look, so plain loops. */
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
   * Adds base64: inside a longer text the secret starts at any of three positions within base64's groups of three bytes. Characters
   * that also carry bits of a neighbour are left out: each gives away at most four bits.
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

/** Returns how many UTF-16 units a code point takes. */
function unitsIn(point: number): number {
  return point > 0xffff ? 2 : 1;
}

/** Returns one UTF-16 unit of a code point. */
export function unitOf(point: number, index: number): number {
  if (point <= 0xffff) return point;
  return index === 0 ? 0xd800 + ((point - 0x10000) >> 10) : 0xdc00 + ((point - 0x10000) & 0x3ff);
}
