import { describe, expect, it } from 'vitest';
import {
  emptyWindow,
  itemsInSight,
  moveRow,
  rowsInSight,
  rowsPerPage,
  scrollToRow,
  sortRows,
  toggleSort,
  type ItemsInSight,
} from './table-window.ts';

describe('rows to draw', () => {
  it('are those in sight with some more at both ends, within the table', () => {
    expect(rowsInSight(0, 280, 28, 10_000, 8)).toEqual({ start: 0, end: 18 });
    expect(rowsInSight(2_800, 280, 28, 10_000, 8)).toEqual({ start: 92, end: 118 });
    expect(rowsInSight(2_810, 280, 28, 10_000, 0)).toEqual({ start: 100, end: 111 });
    expect(rowsInSight(279_720, 280, 28, 10_000, 8)).toEqual({ start: 9_982, end: 10_000 });
    expect(rowsInSight(0, 280, 28, 3, 8)).toEqual({ start: 0, end: 3 });
    expect(rowsInSight(0, 280, 28, 0, 8)).toEqual({ start: 0, end: 0 });
    // The list became shorter than the part that is scrolled away.
    expect(rowsInSight(50_000, 280, 28, 10, 2)).toEqual({ start: 10, end: 10 });
  });
});

describe('the elements of a list', () => {
  const layout = { columns: 1, pitch: 28, lead: 0, overscan: 8 };
  const nothing: ItemsInSight = { drawn: emptyWindow, seen: { start: 0, end: 0 } };
  const scrollTo = (scrollTop: number, before: ItemsInSight, active = before.drawn.active, count = 10_000) =>
    itemsInSight(before, { scrollTop, height: 280 }, count, active, layout);
  const keys = ({ drawn }: ItemsInSight) => drawn.slots.map(({ key }) => key);
  const indexes = ({ drawn }: ItemsInSight) => drawn.slots.map(({ index }) => index);
  const keyOf = ({ drawn }: ItemsInSight, index: number) => drawn.slots.find((slot) => slot.index === index)?.key;
  const tops = [0, 10, 28, 300, 5_000, 5_100, 279_720, 279_500, 140_000, 40, 0];

  it('draw every item in sight and the one with the keyboard, each once', () => {
    for (const active of [0, 3, 5_000, 9_999]) {
      let sight = nothing;
      for (const top of tops) {
        sight = scrollTo(top, sight, active);
        const { start, end } = rowsInSight(top, 280, 28, 10_000, 8);
        const drawn = new Set(indexes(sight));
        expect(drawn.size).toBe(sight.drawn.slots.length);
        expect(new Set(keys(sight)).size).toBe(sight.drawn.slots.length);
        expect(drawn.has(active)).toBe(true);
        for (let index = start; index < end; index += 1) expect(drawn.has(index)).toBe(true);
        expect([...drawn].every((index) => index >= 0 && index < 10_000)).toBe(true);
      }
    }
  });

  it('keep their item while it is drawn, the one with the keyboard through everything', () => {
    let sight = scrollTo(0, nothing, 4);
    const held = keyOf(sight, 4);
    for (const top of tops) {
      const next = scrollTo(top, sight);
      expect(keyOf(next, 4)).toBe(held);
      for (const index of indexes(next)) {
        if (indexes(sight).includes(index)) expect(keyOf(next, index)).toBe(keyOf(sight, index));
      }
      sight = next;
    }
  });

  it('are neither made nor thrown away by a jump, and few are made by scrolling', () => {
    let sight = scrollTo(5_000, scrollTo(0, nothing));
    const made = (next: ItemsInSight) => keys(next).filter((key) => !keys(sight).includes(key)).length;
    for (const [top, active] of [
      [9_000, 0],
      [279_720, 9_999],
      [0, 0],
      [200_000, 7_200],
      [279_720, 0],
      [100_000, 0],
    ] as const) {
      const jumped = scrollTo(top, sight, active);
      expect(made(jumped)).toBeLessThanOrEqual(1);
      sight = jumped;
    }
    for (const top of [100_060, 100_120, 100_060, 99_940]) {
      const scrolled = scrollTo(top, sight);
      expect(made(scrolled)).toBeLessThanOrEqual(5);
      sight = scrolled;
    }
  });

  it('stand in the order of their items, and an element that stays is never moved in the page', () => {
    let sight = nothing;
    for (const top of [...tops, 5_000, 5_056, 5_000]) {
      const next = scrollTo(top, sight, 0);
      expect(indexes(next)).toEqual(indexes(next).toSorted((a, b) => a - b));
      const stayed = keys(next).filter((key) => keys(sight).includes(key));
      expect(stayed).toEqual(keys(sight).filter((key) => stayed.includes(key)));
      sight = next;
    }
  });

  it('are no more than there are items, and none for none', () => {
    const before = scrollTo(5_000, scrollTo(0, nothing), 180);
    expect(indexes(scrollTo(0, before, 180, 3))).toEqual([0, 1, 2]);
    const none = scrollTo(0, before, 180, 0);
    expect(none.drawn).toMatchObject({ start: 0, end: 0, active: 0, slots: [] });
    expect(indexes(scrollTo(0, none, 0, 1))).toEqual([0]);
  });

  it('are the same object while nothing changes', () => {
    const before = scrollTo(5_000, nothing);
    expect(scrollTo(5_001, before)).toBe(before);
  });

  it('are whole rows of a grid, with what is really in sight beside', () => {
    const grid = { columns: 6, pitch: 196, lead: 12, overscan: 2 };
    const at = (scrollTop: number, before: ItemsInSight) =>
      itemsInSight(before, { scrollTop, height: 700 }, 10_000, before.drawn.active, grid);
    const top = at(0, nothing);
    expect(top.seen).toEqual({ start: 0, end: 24 });
    expect(top.drawn).toMatchObject({ start: 0, end: 36 });
    const middle = at(100_000, top);
    expect(middle.drawn.start).toBeLessThanOrEqual(middle.seen.start - 12);
    expect(middle.drawn.end).toBeGreaterThanOrEqual(middle.seen.end + 12);
    const last = at(327_000, middle);
    expect(last.seen.end).toBe(10_000);
    expect(last.drawn.end).toBe(10_000);
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
