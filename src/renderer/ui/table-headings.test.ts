import { describe, expect, it } from 'vitest';
import { HeadingLine, headingsAbove, pastHeadings, withHeadings, type TableHeading } from './table-headings.ts';

const at = (before: number, level: 1 | 2 = 1): TableHeading => ({ before, level, title: `above ${before}`, detail: '' });
const words = (lines: readonly unknown[]) => lines.map((line) => (line instanceof HeadingLine ? line.heading.title : line));

describe('rows with headings', () => {
  it('stand in their order with each heading above its row', () => {
    expect(words(withHeadings(['a', 'b', 'c'], [at(0), at(0, 2), at(2)]))).toEqual([
      'above 0',
      'above 0',
      'a',
      'b',
      'above 2',
      'c',
    ]);
    const keys = withHeadings(['a', 'b'], [at(0), at(0, 2), at(1)]).filter((line) => line instanceof HeadingLine);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(3);
  });

  it('are the rows themselves where there are none', () => {
    const rows = ['a'];
    expect(withHeadings(rows, [])).toBe(rows);
  });

  it('are passed over by the keyboard, which stays where there is nothing beyond', () => {
    const lines = withHeadings(['a', 'b', 'c'], [at(0), at(0, 2), at(2)]);
    expect(pastHeadings(lines, 3, 2)).toBe(3);
    expect(pastHeadings(lines, 4, 3)).toBe(5);
    expect(pastHeadings(lines, 4, 5)).toBe(3);
    // Up from the first row, and Home.
    expect(pastHeadings(lines, 1, 2)).toBe(2);
    expect(pastHeadings(lines, 0, 5)).toBe(2);
    expect(pastHeadings(withHeadings([], [at(0)]), 0, 0)).toBe(0);
  });

  it('know how many stand right above', () => {
    const lines = withHeadings(['a', 'b'], [at(0), at(0, 2), at(1)]);
    expect([2, 4, 0].map((line) => headingsAbove(lines, line))).toEqual([2, 1, 0]);
  });
});
