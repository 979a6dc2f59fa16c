import { describe, expect, it } from 'vitest';
import { noticePlace, type Box } from './notice-place.ts';

const page = { width: 1440, height: 900 };
const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom });

describe('the place of notices', () => {
  it('is at the foot of the page, on the right', () => {
    expect(noticePlace(page, [])).toEqual({ right: 16, bottom: 38, width: 420, maxHeight: 854 });
    expect(noticePlace({ width: 320, height: 500 }, [])).toMatchObject({ right: 16, width: 288 });
  });

  it('is beside a game, as narrow as it has to be', () => {
    expect(noticePlace(page, [box(360, 150, 1000, 860)])).toMatchObject({ right: 16, bottom: 38, width: 416 });
    expect(noticePlace(page, [box(360, 150, 900, 860)])).toMatchObject({ right: 16, bottom: 38, width: 420 });
    expect(noticePlace(page, [box(360, 150, 1430, 860)])).toMatchObject({ left: 16, bottom: 38, width: 336 });
    // Fun and real side by side.
    expect(noticePlace(page, [box(300, 150, 700, 860), box(710, 150, 1430, 860)])).toMatchObject({ left: 16, width: 276 });
  });

  it('is above or below a game that leaves no side', () => {
    expect(noticePlace({ width: 720, height: 450 }, [box(48, 150, 720, 390)])).toEqual({
      right: 16,
      top: 8,
      width: 420,
      maxHeight: 134,
    });
    expect(noticePlace({ width: 720, height: 450 }, [box(48, 40, 720, 300)])).toMatchObject({ bottom: 8, maxHeight: 134 });
  });

  it('never overlaps a game', () => {
    for (let left = 0; left < 1400; left += 90) {
      for (let top = 0; top < 800; top += 90) {
        const view = box(left, top, Math.min(1440, left + 700), Math.min(900, top + 500));
        const place = noticePlace(page, [view]);
        const x = place.left ?? page.width - (place.right ?? 0) - place.width;
        const y = place.top ?? page.height - (place.bottom ?? 0) - place.maxHeight;
        const apart =
          x + place.width <= view.left ||
          x >= view.right ||
          y + place.maxHeight <= view.top ||
          y >= view.bottom ||
          place.maxHeight <= 0;
        expect(apart, JSON.stringify({ view, place })).toBe(true);
      }
    }
  });
});
