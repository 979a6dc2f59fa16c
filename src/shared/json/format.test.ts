import { describe, expect, it } from 'vitest';
import { createJsonGenerator } from '../../testing/random-json.ts';
import { chooseSeed, seededRandom } from '../../testing/seeded-random.ts';
import { formatJson, minifyJson } from './format.ts';

describe('formatJson', () => {
  it('lays a text out without touching digits, escapes or duplicates', () => {
    const text = '{"a":1.50,"b":[9007199254740993,"\\u00E9\\/, {x}"],"c":{ },"d":[\n],"a":1E+2}';
    expect(formatJson(text)).toBe(
      '{\n  "a": 1.50,\n  "b": [\n    9007199254740993,\n    "\\u00E9\\/, {x}"\n  ],\n  "c": {},\n  "d": [],\n  "a": 1E+2\n}',
    );
  });

  it('gives back what is not JSON, and what is nested too deep to lay out', () => {
    for (const text of ['', '{"a":1,}', '[1', 'x', '['.repeat(2_000) + ']'.repeat(2_000)]) expect(formatJson(text)).toBe(text);
  });

  it('gives the layout of JSON.stringify where that changes nothing else', () => {
    const value = { a: [1, { b: [], c: {} }, 'x"\\'], d: { e: null, f: [[]] }, '': true };
    expect(formatJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });
});

describe('minifyJson', () => {
  it('undoes the layout, and both keep every token of a random text', () => {
    const seed = chooseSeed();
    const generator = createJsonGenerator(seededRandom(seed));
    for (let i = 0; i < 1_500; i++) {
      const text = generator.text();
      const note = `CROUPIER_SEED=${seed}, case ${i}: ${text}`;
      const minified = minifyJson(text);
      expect(minifyJson(formatJson(text)), note).toBe(minified);
      expect(tokens(minified), note).toEqual(tokens(text));
      expect(minified.length, note).toBe(tokens(text).join('').length);
    }
  });
});

/** Split by a way of its own: a regular expression over strings, punctuation and the rest. */
function tokens(text: string): string[] {
  return text.match(/"(?:[^"\\]|\\[^])*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
}
