import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { zoomed } from './game-drawing.ts';
import { takePicture } from './game-picture.ts';

const bounds = { x: 301, y: 97, width: 277, height: 600 };
const phone = { width: 390, height: 844 };
const png = Buffer.from('89504e470d0a1a0a', 'hex');

/** A page of which each picture comes in this way. */
function page(answer: () => Promise<string>, { crashed = false, attached = true } = {}) {
  const asked: { readonly scale: number }[] = [];
  let isAttached = attached;
  const contents = {
    isDestroyed: () => false,
    isCrashed: () => crashed,
    debugger: { isAttached: () => isAttached, attach: () => void (isAttached = true) },
  } as unknown as Parameters<typeof takePicture>[0];
  const surroundings = {
    picture(clip: { readonly scale: number }) {
      if (!isAttached) return Promise.reject(new Error('No target available'));
      asked.push(clip);
      return answer();
    },
  };
  return { take: (size: 'whole' | 'small' = 'whole') => takePicture(contents, surroundings, zoomed(bounds, phone), size), asked };
}
const answered = () => Promise.resolve(png.toString('base64'));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a picture of a game', () => {
  it('is asked for at the size that the game has, whatever is drawn of it', async () => {
    const { take, asked } = page(answered);
    expect(await take()).toEqual({ image: png });
    const [clip] = asked;
    expect(clip).toMatchObject({ x: 0, y: 0, width: 277, height: 600 });
    const scale = clip?.scale ?? 0;
    // As Chromium does it.
    expect([Math.round(277 * scale), Math.round(600 * scale)]).toEqual([390, 844]);
  });

  it('is taken by a debugger that was detached', async () => {
    expect(await page(answered, { attached: false }).take()).toEqual({ image: png });
  });

  it('is waited for no longer than five seconds, or ten on a busy computer, and may fail after them', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const taken = page(() => promise).take();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(await taken).toEqual({ failure: 'late' });
    reject(new Error('target closed while handling command'));
    await vi.runAllTimersAsync();
  });

  it('is not there where Chromium fails, gives nothing, or has no page', async () => {
    const failing = page(() => Promise.reject(new Error('Unable to capture screenshot')));
    expect(await failing.take()).toEqual({ failure: 'refused' });
    expect(await page(() => Promise.resolve('')).take()).toEqual({ failure: 'refused' });
    const crashed = page(answered, { crashed: true });
    expect(await crashed.take()).toEqual({ failure: 'gone' });
    expect(crashed.asked).toEqual([]);
  });
});
