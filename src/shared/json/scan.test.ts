import { describe, expect, it } from 'vitest';
import { readNumber, readString, readWord, skipSpace, type Cursor } from './parse.ts';

const cursorAt = (text: string, at = 0, pairedSurrogates = false): Cursor => ({ text, pairedSurrogates, at, failure: null });

describe('a cursor', () => {
  it('skips the four white spaces of JSON and no other', () => {
    const cursor = cursorAt(' \t\r\n\u00a0');
    expect([skipSpace(cursor), cursor.at]).toEqual([0xa0, 4]);
    const end = cursorAt('1  ', 1);
    expect([skipSpace(end), end.at]).toEqual([-1, 3]);
  });

  it.each([
    ['"a\\u00e9\\n" ', 'aé\n', 11],
    ['""', '', 2],
  ])('reads the string %s and stands after it', (text, value, at) => {
    const cursor = cursorAt(text);
    expect([readString(cursor), cursor.at, cursor.failure]).toEqual([value, at, null]);
  });

  it.each([
    ['"a', 0, /never closed/],
    ['"\\x"', 1, /./],
    ['"\\x\u0001"', 1, /./],
    ['"a\u0001"', 2, /./],
  ])('notes the first mistake of %j', (text, offset, message) => {
    const cursor = cursorAt(text);
    expect(readString(cursor)).toBeNull();
    expect(cursor.failure).toEqual({ offset, message: expect.stringMatching(message) });
  });

  it('refuses an unpaired surrogate only by that rule', () => {
    expect(readString(cursorAt('"\ud800"'))).toBe('\ud800');
    const strict = cursorAt('"\ud83d\ude00\udc00"', 0, true);
    expect(readString(strict)).toBeNull();
    expect(strict.failure?.offset).toBe(3);
  });

  it.each(['0', '-0', '10', '1.50', '-1e5', '1E+07', '0.1e-2'])('reads the number %s to its end', (text) => {
    const cursor = cursorAt(`${text},`);
    expect([readNumber(cursor), cursor.at]).toEqual([true, text.length]);
  });

  it.each([
    ['01', 0],
    ['-', 1],
    ['1.', 2],
    ['1e', 2],
    ['1e+', 3],
  ])('notes where %s is not a number', (text, offset) => {
    const cursor = cursorAt(text);
    expect(readNumber(cursor)).toBe(false);
    expect(cursor.failure?.offset).toBe(offset);
  });

  it('reads a word whole', () => {
    const cursor = cursorAt('true');
    expect([readWord(cursor, 'true'), cursor.at]).toEqual([true, 4]);
    expect(readWord(cursorAt('trux'), 'true')).toBe(false);
  });
});
