import { fc } from '#testing/fast-check.ts';
import { expect, it } from 'vitest';
import { createPlaceCounter } from './line-and-column.ts';

it('counts lines at every kind of line break, and columns in characters', () => {
  const placeOf = createPlaceCounter('a\r\nb\rc\n😀d');
  expect([0, 1, 2, 3, 5, 7, 9].map(placeOf)).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 2 },
    { line: 1, column: 3 },
    { line: 2, column: 1 },
    { line: 3, column: 1 },
    { line: 4, column: 1 },
    { line: 4, column: 2 },
  ]);
});

it('gives the same place in any order of asking', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '😀', '\ud83d', '\ude00'), maxLength: 30 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(35)), (sample, offsets) => {
      const placeOf = createPlaceCounter(sample);
      for (const offset of offsets) {
        const at = Math.min(offset, sample.length);
        expect(placeOf(at)).toEqual(createPlaceCounter(sample)(at));
      }
    }),
  );
});
