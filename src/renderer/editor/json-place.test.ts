import { describe, expect, it } from 'vitest';
import { jsonPlace } from './json-place.ts';

/** Returns the position of `|` in the text. */
function at(marked: string) {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = jsonPlace(text, offset);
  return { ...place, replaced: text.slice(place.start, place.end) };
}

describe('jsonPlace', () => {
  it('knows a key from a value', () => {
    expect(at('{|}')).toMatchObject({ depth: 1, at: 'key', member: null });
    expect(at('{"a": |}')).toMatchObject({ depth: 1, at: 'value', member: 'a' });
    expect(at('{"a": 1, |}')).toMatchObject({ depth: 1, at: 'key', member: null });
    expect(at('{"a": 1, "b": 2|}')).toMatchObject({ at: 'value', member: 'b', replaced: '2' });
  });

  it('replaces the whole string that the cursor is in', () => {
    expect(at('{"gameMode": "re|al"}')).toMatchObject({ at: 'value', member: 'gameMode', replaced: '"real"' });
    expect(at('{"game|Mode": 1}')).toMatchObject({ at: 'key', replaced: '"gameMode"' });
    expect(at('{"a": "x\\"y|z"}')).toMatchObject({ at: 'value', member: 'a', replaced: '"x\\"yz"' });
  });

  it('holds an unclosed string to its line', () => {
    expect(at('{\n  "game|\n}')).toMatchObject({ at: 'key', replaced: '"game' });
  });

  it('counts depth, and a deeper member is not the outermost one', () => {
    expect(at('{"a": {"b": |}}')).toMatchObject({ depth: 2, member: 'a' });
    expect(at('{"a": ["x", |]}')).toMatchObject({ depth: 2, at: 'value', member: 'a' });
    expect(at('{"a": {"b": 1}, |')).toMatchObject({ depth: 1, at: 'key' });
    expect(at('|')).toMatchObject({ depth: 0 });
  });
});
