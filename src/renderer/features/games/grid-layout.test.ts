import { describe, expect, it } from 'vitest';
import { gap, gapBefore, gridHeight, layoutFor, moveTile, scrollToTile, tileHeight } from './grid-layout.ts';

describe('the grid', () => {
  it('fills the width with as many columns as fit, at least one', () => {
    for (const width of [0, 100, 320, 651, 1_148, 2_400]) {
      const layout = layoutFor(width);
      expect(layout.columns).toBeGreaterThanOrEqual(1);
      expect(layout.tileWidth).toBeGreaterThanOrEqual(156);
      const right = gap + layout.columns * (layout.tileWidth + gap);
      if (width >= 180) expect(right).toBeLessThanOrEqual(width);
      if (width >= 180) expect(width - right).toBeLessThan(layout.columns);
    }
    expect(layoutFor(1_148).columns).toBe(6);
  });

  it('has the height of its rows', () => {
    const layout = layoutFor(700);
    expect(gridHeight(10_000, layout)).toBe(gap + Math.ceil(10_000 / layout.columns) * (tileHeight + gap));
    expect(gridHeight(0, layout)).toBe(gap);
  });

  it('stands for the tiles that are left out with the height of their rows, and goes on in the right column', () => {
    const layout = { columns: 4, tileWidth: 156 };
    const rows = (count: number) => count * (tileHeight + gap) - gap;
    expect(gapBefore(null, 0, layout)).toEqual({ height: 0, column: undefined });
    expect(gapBefore(6, 7, layout)).toEqual({ height: 0, column: undefined });
    expect(gapBefore(7, 8, layout)).toEqual({ height: 0, column: undefined });
    expect(gapBefore(null, 4, layout)).toEqual({ height: rows(1), column: 1 });
    expect(gapBefore(null, 3, layout)).toEqual({ height: 0, column: 4 });
    expect(gapBefore(1, 3, layout)).toEqual({ height: 0, column: 4 });
    expect(gapBefore(1, 6, layout)).toEqual({ height: 0, column: 3 });
    expect(gapBefore(5, 41, layout)).toEqual({ height: rows(8), column: 2 });
  });

  it('scrolls no further than it must', () => {
    const layout = layoutFor(700);
    expect(scrollToTile(0, 0, 600, layout)).toBe(0);
    expect(scrollToTile(0, 900, 600, layout)).toBe(0);
    const at = scrollToTile(30, 0, 600, layout);
    expect(gap + Math.floor(30 / layout.columns) * (tileHeight + gap) + tileHeight + gap).toBe(at + 600);
    expect(scrollToTile(30, at, 600, layout)).toBe(at);
  });

  it('is walked through by keys, held at the ends', () => {
    const from = (key: string, index: number) => moveTile(key, index, 20, 6, 2);
    expect(from('ArrowRight', 5)).toBe(6);
    expect(from('ArrowLeft', 6)).toBe(5);
    expect(from('ArrowLeft', 0)).toBe(0);
    expect(from('ArrowRight', 19)).toBe(19);
    expect(from('ArrowDown', 5)).toBe(11);
    expect(from('ArrowDown', 15)).toBe(19);
    expect(from('ArrowDown', 18)).toBe(18);
    expect(from('ArrowUp', 3)).toBe(3);
    expect(from('ArrowUp', 9)).toBe(3);
    expect(from('PageDown', 1)).toBe(13);
    expect(from('PageUp', 13)).toBe(1);
    expect(from('PageUp', 8)).toBe(2);
    expect(from('Home', 8)).toBe(0);
    expect(from('End', 8)).toBe(19);
    expect(from('a', 8)).toBeNull();
    expect(moveTile('End', 0, 0, 6, 2)).toBeNull();
  });
});
