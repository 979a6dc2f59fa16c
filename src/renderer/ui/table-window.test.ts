import { describe, expect, it } from 'vitest';
import {
  indexesToDraw,
  moveRow,
  nextWindow,
  rowsInSight,
  rowsPerPage,
  scrollToRow,
  slotOf,
  sortRows,
  toggleSort,
  type ItemWindow,
} from './table-window.ts';

describe('rows to draw', () => {
  it('are those in sight with some more at both ends, within the table', () => {
    expect(rowsInSight(0, 280, 28, 10_000, 8)).toEqual({ start: 0, end: 18 });
    expect(rowsInSight(2_800, 280, 28, 10_000, 8)).toEqual({ start: 92, end: 118 });
    expect(rowsInSight(2_810, 280, 28, 10_000, 0)).toEqual({ start: 100, end: 111 });
    expect(rowsInSight(279_720, 280, 28, 10_000, 8)).toEqual({ start: 9_982, end: 10_000 });
    expect(rowsInSight(0, 280, 28, 3, 8)).toEqual({ start: 0, end: 3 });
    expect(rowsInSight(0, 280, 28, 0, 8)).toEqual({ start: 0, end: 0 });
    // The list became shorter than what is scrolled away.
    expect(rowsInSight(50_000, 280, 28, 10, 2)).toEqual({ start: 10, end: 10 });
  });

  it('include the row with the focus, above or below', () => {
    expect(indexesToDraw({ start: 8, end: 12 }, 3, 100)).toEqual([3, 8, 9, 10, 11]);
    expect(indexesToDraw({ start: 8, end: 12 }, 50, 100)).toEqual([8, 9, 10, 11, 50]);
  });

  it('are never drawn twice or where there are none', () => {
    for (const active of [-1, 0, 7, 8, 11, 12, 99, 100]) {
      const indexes = indexesToDraw({ start: 8, end: 12 }, active, 100);
      expect(new Set(indexes).size).toBe(indexes.length);
      expect(indexes.every((index) => index >= 0 && index < 100)).toBe(true);
      expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
    }
    expect(indexesToDraw({ start: 0, end: 40 }, 0, 2)).toEqual([0, 1]);
    expect(indexesToDraw({ start: 30, end: 40 }, 0, 0)).toEqual([]);
  });
});

describe('the elements of a grid', () => {
  const slotsOf = (window: ItemWindow) =>
    Array.from({ length: window.end - window.start }, (_, at) => slotOf(window.start + at, window));
  const scrollTo = (top: number, before: ItemWindow | null) =>
    nextWindow(before, rowsInSight(top, 280, 28, 10_000, 8), 27, 10_000);

  it('are one for every item in sight, and the same one while it stays in sight', () => {
    let window = scrollTo(0, null);
    for (const top of [10, 28, 300, 5_000, 5_100, 279_720, 279_500, 40, 0]) {
      const next = scrollTo(top, window);
      expect(new Set(slotsOf(next)).size).toBe(next.end - next.start);
      for (let index = Math.max(window.start, next.start); index < Math.min(window.end, next.end); index += 1) {
        expect(slotOf(index, next)).toBe(slotOf(index, window));
      }
      window = next;
    }
    expect(slotOf(5_000, window)).toBe('away');
  });

  it('are neither made nor thrown away while it is scrolled', () => {
    let window = scrollTo(5_000, scrollTo(0, null));
    const elements = new Set(slotsOf(window));
    for (const top of [5_001, 5_030, 5_500, 9_000, 200_000, 279_720, 100_000]) {
      window = scrollTo(top, window);
      expect(new Set(slotsOf(window))).toEqual(elements);
    }
  });

  it('keep their order in a jump', () => {
    const before = scrollTo(5_017, scrollTo(0, null));
    expect(slotsOf(scrollTo(90_000, before))).toEqual(slotsOf(before));
    expect(slotsOf(scrollTo(1_000, before))).toEqual(slotsOf(before));
  });

  it('begin anew where the box has another height', () => {
    const before = scrollTo(5_000, null);
    expect(nextWindow(before, rowsInSight(5_000, 560, 28, 10_000, 8), 37, 10_000)).toMatchObject({ slots: 37, turn: 0 });
    expect(nextWindow(before, { start: 0, end: 3 }, 27, 3)).toMatchObject({ start: 0, end: 3, slots: 27 });
  });
});

describe('scrollToRow', () => {
  it('moves no further than it must to show a row below the header', () => {
    expect(scrollToRow(5, 0, 280, 28)).toBe(0);
    expect(scrollToRow(0, 500, 280, 28)).toBe(0);
    expect(scrollToRow(8, 0, 280, 28)).toBe(0);
    expect(scrollToRow(9, 0, 280, 28)).toBe(28);
  });
});

describe('moveRow', () => {
  it('moves by row and by page and stays inside', () => {
    expect(moveRow('ArrowDown', 0, 100, 10)).toBe(1);
    expect(moveRow('ArrowUp', 0, 100, 10)).toBe(0);
    expect(moveRow('PageDown', 95, 100, 10)).toBe(99);
    expect(moveRow('PageUp', 95, 100, 10)).toBe(85);
    expect(moveRow('Home', 50, 100, 10)).toBe(0);
    expect(moveRow('End', 50, 100, 10)).toBe(99);
    expect(moveRow('a', 50, 100, 10)).toBeNull();
    expect(moveRow('ArrowDown', 0, 0, 10)).toBeNull();
  });

  it('counts whole rows below the header', () => {
    expect(rowsPerPage(28 * 12 + 10, 28)).toBe(10);
    expect(rowsPerPage(0, 28)).toBe(1);
  });
});

describe('sorting', () => {
  const columns = [
    { id: 'name', text: (row: { name: string; size: number }) => row.name },
    {
      id: 'size',
      text: (row: { name: string; size: number }) => String(row.size),
      compare: (a: { size: number }, b: { size: number }) => a.size - b.size,
    },
  ];
  const rows = [
    { name: 'round 10', size: 3 },
    { name: 'Round 9', size: 1 },
    { name: 'alpha', size: 3 },
  ];

  it('goes up, down and back to the order the rows came in', () => {
    const up = toggleSort(null, 'name');
    const down = toggleSort(up, 'name');
    expect([up, down, toggleSort(down, 'name')]).toEqual([
      { column: 'name', direction: 'up' },
      { column: 'name', direction: 'down' },
      null,
    ]);
    expect(toggleSort(up, 'size')).toEqual({ column: 'size', direction: 'up' });
    expect(sortRows(rows, columns, null)).toBe(rows);
  });

  it('compares numbers in names as numbers and keeps equal rows in place', () => {
    expect(sortRows(rows, columns, { column: 'name', direction: 'up' }).map((row) => row.name)).toEqual([
      'alpha',
      'Round 9',
      'round 10',
    ]);
    expect(sortRows(rows, columns, { column: 'size', direction: 'down' }).map((row) => row.name)).toEqual([
      'round 10',
      'alpha',
      'Round 9',
    ]);
  });
});
