import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { zoomed } from './game-drawing.ts';
import { takePicture } from './game-picture.ts';

const bounds = { x: 301, y: 97, width: 277, height: 600 };
const phone = { width: 390, height: 844 };
const png = Buffer.from('89504e470d0a1a0a', 'hex');

/** A page whose debugger gives this for every command. */
function page(answer: () => Promise<unknown>, { crashed = false, attached = true } = {}) {
  const sent: [string, { clip?: { scale: number } }][] = [];
  let isAttached = attached;
  const contents = {
    isDestroyed: () => false,
    isCrashed: () => crashed,
    debugger: {
      isAttached: () => isAttached,
      attach: () => void (isAttached = true),
      sendCommand(method: string, values: { clip?: { scale: number } }) {
        if (!isAttached) throw new Error('No target available');
        sent.push([method, values]);
        return answer();
      },
    },
  };
  return { contents: contents as unknown as Parameters<typeof takePicture>[0], sent };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a picture of a game', () => {
  it('is asked for at the size that the game has, whatever is drawn of it', async () => {
    const { contents, sent } = page(() => Promise.resolve({ data: png.toString('base64') }));
    expect(await takePicture(contents, zoomed(bounds, phone))).toEqual({ png });
    const [[method, { clip }] = ['', {}]] = sent;
    expect(method).toBe('Page.captureScreenshot');
    expect(clip).toMatchObject({ x: 0, y: 0, width: 277, height: 600 });
    const scale = clip?.scale ?? 0;
    // As Chromium does it.
    expect([Math.round(277 * scale), Math.round(600 * scale)]).toEqual([390, 844]);
  });

  it('is taken by a debugger that was detached', async () => {
    const { contents } = page(() => Promise.resolve({ data: png.toString('base64') }), { attached: false });
    expect(await takePicture(contents, zoomed(bounds, phone))).toEqual({ png });
  });

  it('is waited for no longer than five seconds, and may fail after them', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const { contents } = page(() => promise);
    const taken = takePicture(contents, zoomed(bounds, phone));
    await vi.advanceTimersByTimeAsync(5_001);
    expect(await taken).toEqual({ failure: 'late' });
    reject(new Error('target closed while handling command'));
    await vi.runAllTimersAsync();
  });

  it('is not there where Chromium fails, gives nothing, or has no page', async () => {
    const failing = page(() => Promise.reject(new Error('Unable to capture screenshot')));
    expect(await takePicture(failing.contents, zoomed(bounds, phone))).toEqual({ failure: 'refused' });
    expect(await takePicture(page(() => Promise.resolve({ data: '' })).contents, zoomed(bounds, phone))).toEqual({
      failure: 'refused',
    });
    const crashed = page(() => Promise.resolve({ data: '' }), { crashed: true });
    expect(await takePicture(crashed.contents, zoomed(bounds, phone))).toEqual({ failure: 'gone' });
    expect(crashed.sent).toEqual([]);
  });
});
