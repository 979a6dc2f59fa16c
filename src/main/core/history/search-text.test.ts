import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { indexed, words } from './search-text.ts';

/** Texts of few characters, so that words meet their beginnings, their ends and each other often. */
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '1', '-', ' ', '"', '\\', '/', 'ü', 'é', '𝒳', '😀', 'n'),
  maxLength: 24,
});

describe('the words of a text', () => {
  it('are found in it exactly where it has them as whole words, and the last of a word from three characters on as a beginning', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), text, (texts, wanted) => {
        const single = indexed([wanted]).words;
        const needle = words(single);
        if (needle === null || single.includes(' ')) return;
        const has = indexed(texts).words.split(' ');
        const prefix = Array.from(single).length >= 3;
        expect(needle.holds(texts)).toBe(has.some((one) => one === single || (prefix && one.startsWith(single))));
      }),
      { numRuns: 2_000 },
    );
  });
});

it('the words of a long text are those of its parts', () => {
  const parts = Array.from({ length: 30_000 }, (_, at) => `word${at} "ü-${at % 7}" x`);
  const whole = indexed([parts.join('\n')]).words.split(' ');
  expect(whole.length).toBe(new Set(whole).size);
  expect(new Set(whole)).toEqual(new Set(parts.flatMap((part) => indexed([part]).words.split(' '))));
});
