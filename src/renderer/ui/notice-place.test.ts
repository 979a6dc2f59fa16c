import { describe, expect, it } from 'vitest';
import { noticePlace, type Box, type NoticePlace } from './notice-place.ts';

const page = { width: 1440, height: 900 };
const box = (left: number, top: number, right: number, bottom: number): Box => ({ left, top, right, bottom });

/** The box that notices fill at most. */
function edgesOf(on: typeof page, { left, right = 0, top, bottom = 0, width, maxHeight }: NoticePlace): Box {
  const x = left ?? on.width - right - width;
  const y = top ?? on.height - bottom - maxHeight;
  return box(x, y, x + width, y + maxHeight);
}

const areApart = (a: Box, b: Box) => a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom;

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

  // The launcher as it is drawn at each width: real and fun side by side are two boxes.
  it.each([
    ['1440 wide', 1440, 900, [box(312, 158, 1056, 844)]],
    ['1440 wide, both', 1440, 900, [box(312, 158, 683, 844), box(685, 158, 1056, 844)]],
    ['1440 wide, a phone', 1440, 900, [box(538, 185, 830, 817)]],
    ['1024 wide', 1024, 700, [box(276, 189, 703, 644)]],
    ['1024 wide, both on phones', 1024, 700, [box(304, 246, 462, 588), box(518, 246, 676, 588)]],
    ['720 wide', 720, 450, [box(48, 158, 720, 289)]],
    ['720 wide, both', 720, 450, [box(48, 158, 384, 289), box(384, 158, 720, 289)]],
    ['720 wide and high', 720, 900, [box(48, 158, 720, 586)]],
  ] as const)('is beside the game and has room for two notices: %s', (_, width, height, views) => {
    const at = edgesOf({ width, height }, noticePlace({ width, height }, views));
    for (const view of views) expect(areApart(at, view), JSON.stringify({ view, at })).toBe(true);
    expect(at.right - at.left).toBeGreaterThanOrEqual(220);
    expect(at.bottom - at.top).toBeGreaterThanOrEqual(120);
    expect([at.left >= 0, at.top >= 0, at.right <= width, at.bottom <= height]).toEqual([true, true, true, true]);
  });

  it('never overlaps a game', () => {
    for (let left = 0; left < 1400; left += 90) {
      for (let top = 0; top < 800; top += 90) {
        const view = box(left, top, Math.min(1440, left + 700), Math.min(900, top + 500));
        const place = noticePlace(page, [view]);
        expect(areApart(edgesOf(page, place), view) || place.maxHeight <= 0, JSON.stringify({ view, place })).toBe(true);
      }
    }
  });
});
