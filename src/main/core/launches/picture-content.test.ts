import { encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { changedIn, readPicture, type PictureFacts } from './picture-content.ts';

const [width, height] = [160, 90];
type Colour = readonly [red: number, green: number, blue: number];

/** A picture whose pixels have the colour that a function returns. */
function picture(paint: (x: number, y: number) => Colour): Uint8Array {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data.set(paint(x, y), (y * width + x) * 3);
  return encode({ width, height, data, channels: 3 });
}
const black: Colour = [0, 0, 0];
const white: Colour = [255, 255, 255];
const inside = (x: number, y: number, side: number) => Math.abs(x - width / 2) < side / 2 && Math.abs(y - height / 2) < side / 2;
/** Reels on a dark table. */
const game = (x: number, y: number): Colour => (x % 20 < 12 && y % 24 < 16 ? [200, (x * 7) % 255, 90] : [20, 40, 30]);

describe('a picture', () => {
  it.each<[string, (x: number, y: number) => Colour, string]>([
    ['of black', () => black, 'nothing'],
    ['of white', () => white, 'nothing'],
    ['of one colour with the noise of a compressed picture', (x) => [30 + (x % 2), 60, 90], 'nothing'],
    ['of one colour with scroll bars', (x, y) => (x > 154 || y > 84 ? (y % 9 === 0 ? white : [90, 90, 90]) : black), 'nothing'],
    ['of a gradient', (x) => [x, x, x], 'little'],
    ['of a spinner on one colour', (x, y) => (inside(x, y, 14) ? white : black), 'little'],
    ['of a game', game, 'enough'],
    ['of a dark game', (x, y) => (x % 12 < 5 && y % 12 < 5 ? [36, 36, 36] : [8, 8, 8]), 'enough'],
    ['of a card with text', (x, y) => (inside(x, y, 60) ? (y % 8 < 3 && x % 3 === 0 ? black : white) : [90, 20, 20]), 'enough'],
  ])('%s shows %s', async (_, paint, content) => expect((await readPicture(picture(paint))).content).toBe(content));

  it('differs from another one in the pixels of an area that changed', async () => {
    const one = await readPicture(picture(game));
    const all = { x: 0, y: 0, width: 1, height: 1 };
    const dot = await readPicture(picture((x, y) => (inside(x, y, 4) ? white : game(x, y))));
    const share = (area: typeof all, other: PictureFacts) => {
      const { of, changed } = changedIn(area, one, other);
      return changed.length / of;
    };
    expect(share(all, one)).toBe(0);
    expect(share(all, dot)).toBeLessThan(0.01);
    expect(share({ x: 0.48, y: 0.47, width: 0.04, height: 0.06 }, dot)).toBeGreaterThan(0.2);
    expect(share(all, await readPicture(picture((x, y) => game(x + 5, y))))).toBeGreaterThan(0.1);
    expect(changedIn(all, one, { ...one, luminance: one.luminance.slice(1) })).toEqual({ of: 0, changed: [] });
  });

  it('that is none fails', () => expect(readPicture(Buffer.from('no picture'))).rejects.toThrow());
});
