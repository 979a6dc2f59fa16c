import { describe, expect, it } from 'vitest';
import { gap, gridHeight, layoutFor, moveTile, scrollToTile, tileHeight, tilePlace } from './grid-layout.ts';

describe('the grid', () => {
  it('fills the width with as many columns as fit, at least one', () => {
    for (const width of [0, 100, 320, 651, 1_148, 2_400]) {
      const layout = layoutFor(width);
      expect(layout.columns).toBeGreaterThanOrEqual(1);
      expect(layout.tileWidth).toBeGreaterThanOrEqual(156);
      const right = tilePlace(layout.columns - 1, layout).x + layout.tileWidth + gap;
      if (width >= 180) expect(right).toBeLessThanOrEqual(width);
      if (width >= 180) expect(width - right).toBeLessThan(layout.columns);
    }
    expect(layoutFor(1_148).columns).toBe(6);
  });

  it('has a place for every tile within its height', () => {
    const layout = layoutFor(700);
    const last = tilePlace(9_999, layout);
    expect(last.y + tileHeight + gap).toBe(gridHeight(10_000, layout));
    expect(gridHeight(0, layout)).toBe(gap);
  });

  it('scrolls no further than it must', () => {
    const layout = layoutFor(700);
    expect(scrollToTile(0, 0, 600, layout)).toBe(0);
    expect(scrollToTile(0, 900, 600, layout)).toBe(0);
    const at = scrollToTile(30, 0, 600, layout);
    expect(tilePlace(30, layout).y + tileHeight + gap).toBe(at + 600);
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
