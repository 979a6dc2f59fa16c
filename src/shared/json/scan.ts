import { escapeUnpaired, isLowSurrogate, unescapeString, type StringFault } from './string-escapes.ts';
import { explainUnexpected, type Expected } from './syntax-error.ts';

/*
 * Reads the strings, numbers and words of a JSON text, one at a time. Each function begins at `at` and leaves it after the text that it
 * read, or notes why it failed.
 */

/** Position in a text, with the first mistake found in it. Offsets are UTF-16. */
export interface Cursor {
  readonly text: string;
  /** Refuses unpaired surrogates. */
  readonly pairedSurrogates: boolean;
  at: number;
  failure: StringFault | null;
}

/** Notes a mistake. The first one stays. */
export function failAt(cursor: Cursor, offset: number, message: string): void {
  cursor.failure ??= { offset, message };
}

/** Notes that `expected` is missing here; `opener` is the start of the construct around it. */
export function failUnexpected(cursor: Cursor, expected: Expected, opener: number): void {
  const { offset, message } = explainUnexpected(cursor.text, cursor.at, expected, opener);
  failAt(cursor, offset, message);
}

/** Skips white space and returns the code of the next character, -1 at the end. */
export function skipSpace(cursor: Cursor): number {
  const { text } = cursor;
  let { at } = cursor;
  let code = text.charCodeAt(at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
  cursor.at = at;
  return at < text.length ? code : -1;
}

/** Reads the string whose opening quote stands here; null if it failed. */
export function readString(cursor: Cursor): string | null {
  const { text, pairedSurrogates } = cursor;
  const start = cursor.at + 1;
  let escaped = false;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      cursor.at = i + 1;
      if (!escaped) return text.slice(start, i);
      const result = unescapeString(text, start, i, pairedSurrogates);
      if (typeof result === 'string') return result;
      failAt(cursor, result.offset, result.message);
      return null;
    }
    if (code === 0x5c) {
      escaped = true;
      i++;
    } else if (code < 0x20) {
      failString(cursor, start, i, escaped, explainUnexpected(text, i, 'in string', start - 1).message);
      return null;
    } else if (code >= 0xd800 && code < 0xe000 && pairedSurrogates) {
      if (code >= 0xdc00 || !isLowSurrogate(text.charCodeAt(i + 1))) {
        failString(cursor, start, i, escaped, escapeUnpaired(code));
        return null;
      }
      i++;
    }
  }
  const before = escaped ? unescapeString(text, start, text.length, pairedSurrogates) : '';
  if (typeof before !== 'string' && before.offset < text.length) failAt(cursor, before.offset, before.message);
  failAt(cursor, start - 1, 'This string is never closed: add a double quote at its end');
  return null;
}

/** Notes the mistake at `at` of the string that begins at `start`. An earlier invalid escape is reported first. */
function failString(cursor: Cursor, start: number, at: number, escaped: boolean, message: string): void {
  const before = escaped ? unescapeString(cursor.text, start, at, cursor.pairedSurrogates) : '';
  if (typeof before !== 'string') failAt(cursor, before.offset, before.message);
  failAt(cursor, at, message);
}

/** Reads the number that begins here with a minus sign or a digit; false if it failed. */
export function readNumber(cursor: Cursor): boolean {
  const { text } = cursor;
  const start = cursor.at;
  let i = start;
  if (text.charCodeAt(i) === 0x2d) i++;
  if (text.charCodeAt(i) === 0x30) {
    i++;
    if (isDigit(text.charCodeAt(i))) {
      failAt(cursor, start, 'A number cannot begin with 0: remove the leading zero, or put it in double quotes');
      return false;
    }
  } else if (isDigit(text.charCodeAt(i))) {
    i = afterDigits(text, i);
  } else {
    cursor.at = i;
    failUnexpected(cursor, 'digit', start);
    return false;
  }
  if (text.charCodeAt(i) === 0x2e) {
    i++;
    if (!isDigit(text.charCodeAt(i))) {
      failAt(cursor, i, 'A digit is missing after the decimal point');
      return false;
    }
    i = afterDigits(text, i);
  }
  const exponent = text.charCodeAt(i);
  if (exponent === 0x65 || exponent === 0x45) {
    const sign = text.charCodeAt(++i);
    if (sign === 0x2b || sign === 0x2d) i++;
    if (!isDigit(text.charCodeAt(i))) {
      failAt(cursor, i, 'A digit is missing in the exponent');
      return false;
    }
    i = afterDigits(text, i);
  }
  cursor.at = i;
  return true;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Reads the expected word; false if another text stands here. */
export function readWord(cursor: Cursor, word: 'true' | 'false' | 'null'): boolean {
  if (!cursor.text.startsWith(word, cursor.at)) {
    failUnexpected(cursor, 'value', cursor.at);
    return false;
  }
  cursor.at += word.length;
  return true;
}
