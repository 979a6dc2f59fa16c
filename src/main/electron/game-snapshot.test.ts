import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeSnapshot } from './game-snapshot.ts';

const shown = { seen: true, picture: { size: { width: 390, height: 844 }, scale: 1 }, target: null, selectors: ['#spin'] };
const unpictured = { ...shown, picture: null };
const png = Buffer.from('89504e470d0a1a0a', 'hex');
const stated = {
  url: 'https://g.example/',
  title: 'Firefly',
  lang: 'en',
  surroundings: '390 x 844',
  times: { firstByte: 12.4, firstPaint: 0, load: undefined },
  text: 'Good luck',
  found: '#spin',
  canvas: { x: 0, y: 0.1, width: 1, height: 0.8 },
  lostContexts: 1,
  stopped: [{ directive: 'script-src-elem', url: 'https://ads.example/a.js' }],
  messages: ['ready'],
  deadExit: 'Exit',
};

/** A page that answers the question with a value, and each picture with a PNG; `never`: it does not answer. */
function page(value: unknown, change: { never?: boolean; crashed?: boolean; url?: string; attached?: boolean } = {}) {
  const asked: string[] = [];
  const clips: { readonly scale: number; readonly height: number }[] = [];
  const contents = {
    isDestroyed: () => false,
    isCrashed: () => change.crashed ?? false,
    getURL: () => change.url ?? 'https://g.example/',
    debugger: {
      isAttached: () => change.attached ?? true,
      sendCommand(method: string, values: unknown) {
        asked.push(method);
        if (change.never === true) return new Promise(() => undefined);
        if (method === 'Page.getFrameTree') return Promise.resolve({ frameTree: { frame: { id: 'F1' } } });
        if (method === 'Page.createIsolatedWorld') return Promise.resolve({ executionContextId: 7 });
        expect(values).toMatchObject({ contextId: 7, expression: expect.stringContaining('["#spin"]') as unknown });
        return value instanceof Error ? Promise.reject(value) : Promise.resolve({ result: { value } });
      },
    },
  } as unknown as Parameters<typeof takeSnapshot>[0];
  const surroundings = {
    picture(clip: { readonly scale: number; readonly height: number }) {
      clips.push(clip);
      return Promise.resolve(png.toString('base64'));
    },
  };
  return {
    snapshot: (options: Parameters<typeof takeSnapshot>[2]) => takeSnapshot(contents, surroundings, options),
    asked,
    clips,
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a snapshot of a game', () => {
  it('has what the page states, and a picture of 160 pixels at most', async () => {
    const { snapshot, clips } = page(stated);
    expect(await snapshot(shown)).toEqual({
      seen: true,
      replied: true,
      page: { ...stated, times: { firstByte: 12, firstPaint: null, load: null } },
      png,
    });
    const [clip] = clips;
    expect(clip).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    expect(844 * (clip?.scale ?? 0)).toBeCloseTo(160);
  });

  it('takes no picture unless one is wanted', async () => {
    const { snapshot, clips } = page(stated);
    expect((await snapshot(unpictured)).png).toBeNull();
    expect(clips).toEqual([]);
  });

  it.each([
    ['is hidden', false, {}],
    ['crashed', true, { crashed: true }],
    ['has not come', true, { url: '' }],
    ['has a debugger that developer tools took', true, { attached: false }],
  ])('asks nothing of a page that %s', async (_, seen, change) => {
    const { snapshot, asked, clips } = page(stated, change);
    expect(await snapshot({ ...shown, seen })).toEqual({ seen, replied: null, page: null, png: null });
    expect([...asked, ...clips]).toEqual([]);
  });

  it('says after five seconds, or ten on a busy computer, that a page does not answer', async () => {
    const taken = page(stated, { never: true }).snapshot(shown);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(await taken).toEqual({ seen: true, replied: false, page: null, png: null });
  });

  it('does not take a page that goes elsewhere, or one that answers with anything else, for one that hangs', async () => {
    for (const value of [new Error('Execution context was destroyed.'), null, 7])
      expect(await page(value).snapshot(unpictured)).toMatchObject({ replied: true, page: null });
    const odd = {
      ...stated,
      title: 7,
      lang: null,
      canvas: { x: 'left' },
      stopped: 'all',
      messages: [7],
      surroundings: {},
      times: 'none',
    };
    expect(await page(odd).snapshot(unpictured)).toMatchObject({
      page: { title: '', lang: '', canvas: null, stopped: [], messages: [''], surroundings: '', times: { firstByte: null } },
    });
  });
});
