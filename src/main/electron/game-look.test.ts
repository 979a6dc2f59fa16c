import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lookAt } from './game-look.ts';

const shown = { seen: true, picture: { size: { width: 390, height: 844 }, scale: 1 }, target: null };
const unpictured = { ...shown, picture: null };
const png = Buffer.from('89504e470d0a1a0a', 'hex');
const stated = {
  url: 'https://g.example/',
  title: 'Firefly',
  lang: 'en',
  framesPerSecond: 60,
  surroundings: '390 x 844',
  times: { firstByte: 12.4, firstPaint: 0, load: undefined },
};
type Contents = Parameters<typeof lookAt>[0];

/** A page that answers the question with a value, and pictures with a PNG; `never`: it does not answer. */
function page(value: unknown, change: { never?: boolean; crashed?: boolean; url?: string; attached?: boolean } = {}) {
  const sent: [method: string, values: { clip?: { scale: number } }][] = [];
  const contents = {
    isDestroyed: () => false,
    isCrashed: () => change.crashed ?? false,
    getURL: () => change.url ?? 'https://g.example/',
    debugger: {
      isAttached: () => change.attached ?? true,
      sendCommand(method: string, values: { clip?: { scale: number } }) {
        sent.push([method, values]);
        if (change.never === true) return new Promise(() => undefined);
        if (method === 'Page.captureScreenshot') return Promise.resolve({ data: png.toString('base64') });
        return value instanceof Error ? Promise.reject(value) : Promise.resolve({ result: { value } });
      },
    },
  };
  return { contents: contents as unknown as Contents, sent };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a look at a game', () => {
  it('has what the page states, and a picture of 160 pixels at most', async () => {
    const { contents, sent } = page(stated);
    expect(await lookAt(contents, shown)).toEqual({
      seen: true,
      answered: true,
      page: { ...stated, times: { firstByte: 12, firstPaint: null, load: null } },
      png,
    });
    const { clip } = sent[1]?.[1] ?? {};
    expect(clip).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    expect(844 * (clip?.scale ?? 0)).toBeCloseTo(160);
  });

  it('takes no picture unless one is wanted', async () => {
    const { contents, sent } = page(stated);
    expect((await lookAt(contents, unpictured)).png).toBeNull();
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['is hidden', false, {}],
    ['crashed', true, { crashed: true }],
    ['has not come', true, { url: '' }],
    ['has a debugger that developer tools took', true, { attached: false }],
  ])('asks nothing of a page that %s', async (_, seen, change) => {
    const { contents, sent } = page(stated, change);
    expect(await lookAt(contents, { ...shown, seen })).toEqual({ seen, answered: null, page: null, png: null });
    expect(sent).toEqual([]);
  });

  it('says after five seconds that a page does not answer', async () => {
    const { contents } = page(stated, { never: true });
    const looking = lookAt(contents, shown);
    await vi.advanceTimersByTimeAsync(5_001);
    expect(await looking).toEqual({ seen: true, answered: false, page: null, png: null });
  });

  it('does not take a page that goes elsewhere, or one that answers with anything else, for one that hangs', async () => {
    for (const value of [new Error('Execution context was destroyed.'), null, 7])
      expect(await lookAt(page(value).contents, unpictured)).toMatchObject({ answered: true, page: null });
    const odd = { ...stated, title: 7, lang: null, framesPerSecond: 'many', surroundings: {}, times: 'none' };
    expect(await lookAt(page(odd).contents, unpictured)).toMatchObject({
      page: { title: '', lang: '', framesPerSecond: null, surroundings: '', times: { firstByte: null } },
    });
  });
});
