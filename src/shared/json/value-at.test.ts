import { describe, expect, it } from 'vitest';
import { parseJson } from './parse.ts';
import { pointerTo } from './pointer.ts';
import { valueAt } from './value-at.ts';

const text = `{
  "code": 0,
  "data": {
    "balance": 9007199254740993.10,
    "a/b": [
      "first",
      { "id": "7" }
    ]
  }
}`;

function pointerAt(offset: number): string {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return pointerTo(parsed.root, valueAt(parsed.root, text, offset));
}

describe('the value at a cursor', () => {
  it.each([
    ['a name', '"balance"', 2, '/data/balance'],
    ['a number', '9007', 0, '/data/balance'],
    ['the comma behind it', '.10,', 3, '/data/balance'],
    ['the end of its line', '.10,', 4, '/data/balance'],
    ['the space before its line', '  "balance"', 0, '/data/balance'],
    ['an item', 'first', 0, '/data/a~1b/0'],
    ['a field of an item', '"7"', 1, '/data/a~1b/1/id'],
    ['the brace of an item', '{ "id"', 0, '/data/a~1b/1'],
    ['the name of a list', 'a/b', 0, '/data/a~1b'],
    ['the name of an object', '"data"', 3, '/data'],
    ['the beginning', '{', 0, ''],
  ])('is found on %s', (_, part, within, pointer) => {
    expect(pointerAt(text.indexOf(part) + within)).toBe(pointer);
  });

  it('is the whole behind the end', () => {
    expect(pointerAt(text.length + 5)).toBe('');
  });
});
