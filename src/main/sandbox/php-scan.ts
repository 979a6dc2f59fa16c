/*
 * Reads the strings, numbers and words of a JSON text as PHP does. Each function begins at `at` and returns undefined after it noted a fault.
 */

/** The error of PHP's decoder, and the UTF-16 offset at which it stopped. */
export interface PhpFault {
  readonly message: string;
  readonly offset: number;
}

/** Position in a text, with the first fault found in it. Offsets are UTF-16. */
export interface Cursor {
  readonly text: string;
  at: number;
  fault: PhpFault | null;
}

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;
const numberToken = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
/** Matches characters without an escape. */
const plainRun = /[ !#-[\]-\uffff]*/y;

/** Notes a fault. The first one stays. */
export function fail(cursor: Cursor, message: string, offset = cursor.at): undefined {
  cursor.fault ??= { message, offset };
  return undefined;
}

export function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    cursor.at += 1;
  }
}

function readUnit(cursor: Cursor): number | undefined {
  const digits = cursor.text.slice(cursor.at, cursor.at + 4);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) return fail(cursor, 'Syntax error');
  cursor.at += 4;
  return Number.parseInt(digits, 16);
}

function readEscape(cursor: Cursor): string | undefined {
  const start = cursor.at - 1;
  const letter = cursor.text.charAt(cursor.at);
  cursor.at += 1;
  switch (letter) {
    case '"':
    case '\\':
    case '/':
      return letter;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'u': {
      const unit = readUnit(cursor);
      if (unit === undefined) return undefined;
      if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
      const lone = 'Single unpaired UTF-16 surrogate in unicode escape';
      if (unit > 0xdbff || cursor.text[cursor.at] !== '\\' || cursor.text[cursor.at + 1] !== 'u')
        return fail(cursor, lone, start);
      cursor.at += 2;
      const low = readUnit(cursor);
      if (low === undefined) return undefined;
      return low >= 0xdc00 && low <= 0xdfff ? String.fromCharCode(unit, low) : fail(cursor, lone, start);
    }
    default:
      return fail(cursor, 'Syntax error', start);
  }
}

/** Reads a string, from the offset after its opening quote. */
export function readString(cursor: Cursor): string | undefined {
  let value = '';
  for (;;) {
    plainRun.lastIndex = cursor.at;
    plainRun.test(cursor.text);
    value += cursor.text.slice(cursor.at, plainRun.lastIndex);
    cursor.at = plainRun.lastIndex;
    const code = cursor.text.charCodeAt(cursor.at);
    if (code === 0x22) {
      cursor.at += 1;
      return value;
    }
    if (code !== 0x5c) {
      return fail(
        cursor,
        cursor.at >= cursor.text.length ? 'Syntax error' : 'Control character error, possibly incorrectly encoded',
      );
    }
    cursor.at += 1;
    const escaped = readEscape(cursor);
    if (escaped === undefined) return undefined;
    value += escaped;
  }
}

/** Reads an integer as a bigint where it fits 64 bits, any other number as a float. */
export function readNumber(cursor: Cursor): bigint | number | undefined {
  numberToken.lastIndex = cursor.at;
  const match = numberToken.exec(cursor.text);
  if (!match) return fail(cursor, 'Syntax error');
  cursor.at = numberToken.lastIndex;
  const token = match[0];
  if (match[1] !== undefined || match[2] !== undefined) return Number(token);
  const whole = BigInt(token);
  return whole >= int64Min && whole <= int64Max ? whole : Number(token);
}

/** Reads a word that stands for `value`. */
export function readWord<T extends null | boolean>(cursor: Cursor, word: string, value: T): T | undefined {
  if (!cursor.text.startsWith(word, cursor.at)) return fail(cursor, 'Syntax error');
  cursor.at += word.length;
  return value;
}
