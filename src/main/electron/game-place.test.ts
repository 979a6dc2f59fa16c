import { describe, expect, it } from 'vitest';
import { placeInWindow } from './game-drawing.ts';

const hole = { x: 301, y: 97, width: 277, height: 600 };
const phone = { width: 390, height: 844 };

describe('the place of a game in its window', () => {
  it('is the hole itself while the page is not zoomed', () => {
    const { bounds, zoom } = placeInWindow(hole, phone, 1);
    expect(bounds).toEqual(hole);
    expect(zoom).toBeCloseTo(277 / 390, 5);
    expect(placeInWindow(hole, { width: 277, height: 600 }, 1)).toEqual({ bounds: hole, zoom: 1 });
  });

  it('goes with the zoom of the page', () => {
    expect(placeInWindow({ x: 100, y: 40, width: 400, height: 300 }, null, 1.5)).toEqual({
      bounds: { x: 150, y: 60, width: 600, height: 450 },
      zoom: 1.5,
    });
  });

  it.each([0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2])(
    'lies in the hole and leaves the game each of its CSS pixels and none more, at %d',
    (pageZoom) => {
      // Chromium zooms no page below a quarter.
      for (let width = Math.ceil(120 / Math.min(1, pageZoom)); width <= 390; width += 1) {
        const own = { ...hole, width, height: Math.ceil((844 * width) / 390) };
        const { bounds, zoom } = placeInWindow(own, phone, pageZoom);
        // As Chromium does it: whole pixels of the view, divided by the zoom and cut.
        expect([Math.floor(bounds.width / zoom), Math.floor(bounds.height / zoom)]).toEqual([390, 844]);
        expect(bounds.x).toBeGreaterThanOrEqual(Math.round(own.x * pageZoom));
        expect(bounds.y).toBeGreaterThanOrEqual(Math.round(own.y * pageZoom));
        expect(bounds.x + bounds.width).toBeLessThanOrEqual(Math.round((own.x + own.width) * pageZoom));
        expect(bounds.y + bounds.height).toBeLessThanOrEqual(Math.round((own.y + own.height) * pageZoom));
      }
    },
  );

  it('keeps to the hole where no drawing is whole', () => {
    expect(placeInWindow({ x: 0, y: 0, width: 3, height: 900 }, phone, 1).bounds).toEqual({ x: 0, y: 0, width: 3, height: 900 });
  });
});
