import { resolveObjectURL } from 'node:buffer';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Client, Thumbnail } from '#shared/ipc/index.ts';
import { createThumbnailLoader } from './thumbnail-loader.ts';

/** A client whose pictures come when the test says so. */
function setUp(keptBytes?: number) {
  const open = new Map<string, { resolve: (answer: Thumbnail) => void; reject: (error: unknown) => void }>();
  const pictures = new Map<string, Uint8Array<ArrayBuffer>>();
  const asked: string[] = [];
  const cancelled: string[][] = [];
  const client = {
    call(name: string, input: { url: string; urls: string[] }) {
      if (name === 'catalogue.cancelThumbnails') {
        cancelled.push(input.urls);
        for (const url of input.urls) open.get(url)?.resolve({ problem: 'Nobody waits.', cancelled: true });
        return Promise.resolve({ cancelled: input.urls.length });
      }
      asked.push(input.url);
      return new Promise<Thumbnail>((resolve, reject) => open.set(input.url, { resolve, reject }));
    },
    async picture(id: string) {
      const bytes = pictures.get(id);
      if (bytes === undefined) throw new AppError('not_found', 'This picture no longer exists.');
      return bytes;
    },
  } as unknown as Client;
  const opened: string[] = [];
  const loader = createThumbnailLoader(client, {
    openPicture: (address) => opened.push(address),
    ...(keptBytes === undefined ? {} : { keptBytes }),
  });
  const come = async (url: string, content = url) => {
    pictures.set(url, new TextEncoder().encode(content));
    open.get(url)?.resolve({ picture: url, mediaType: 'image/png' });
    await vi.waitFor(() => expect(loader.get('e', url).state).toBe('ready'));
    const picture = loader.get('e', url);
    return picture.state === 'ready' ? picture.address : '';
  };
  return { loader, asked, cancelled, open, opened, come };
}

describe('the pictures in sight', () => {
  it('are asked for in order, three at a time, each once', async () => {
    const { loader, asked, come } = setUp();
    loader.want('grid', 'e', ['a', 'b', 'a', '', 'c', 'd']);
    loader.want('details', 'e', ['b']);
    expect(asked).toEqual(['a', 'b', 'c']);
    expect(loader.get('e', 'a')).toEqual({ state: 'waiting' });
    await come('b');
    await vi.waitFor(() => expect(asked).toEqual(['a', 'b', 'c', 'd']));
    loader.want('grid', 'e', ['b', 'd']);
    expect(asked).toHaveLength(4);
  });

  it('tell those who watch them, and nobody else', async () => {
    const { loader, come } = setUp();
    const heard: string[] = [];
    const stop = loader.watch('e', 'a', () => heard.push('a'));
    loader.watch('e', 'b', () => heard.push('b'));
    loader.want('grid', 'e', ['a', 'b']);
    await come('a');
    stop();
    loader.retry('e', 'a');
    await come('b');
    expect(heard).toEqual(['a', 'b']);
  });

  it('are released when they scroll away, and asked for again when they are back', async () => {
    const { loader, asked, cancelled, come } = setUp();
    loader.want('grid', 'e', ['a', 'b', 'c', 'd']);
    loader.want('grid', 'e', ['c', 'x']);
    expect(cancelled).toEqual([['a', 'b']]);
    await vi.waitFor(() => expect(asked).toEqual(['a', 'b', 'c', 'x']));
    loader.want('grid', 'e', ['a']);
    await vi.waitFor(() => expect(asked.at(-1)).toBe('a'));
    await come('a');
  });

  it('say what failed, and are asked for again on demand', async () => {
    const { loader, asked, open, come } = setUp();
    loader.want('grid', 'e', ['a', 'b']);
    open.get('a')?.resolve({ problem: 'The server answered with 500.', cancelled: false });
    open.get('b')?.resolve({ picture: 'gone', mediaType: 'image/png' });
    await vi.waitFor(() =>
      expect([loader.get('e', 'a'), loader.get('e', 'b')]).toEqual([
        { state: 'failed', problem: 'The server answered with 500.' },
        { state: 'failed', problem: 'This picture no longer exists.' },
      ]),
    );
    expect(asked).toEqual(['a', 'b']);
    loader.retry('e', 'a');
    expect(asked).toEqual(['a', 'b', 'a']);
    await come('a');
    loader.forgetFailures();
    expect(asked).toEqual(['a', 'b', 'a', 'b']);
  });

  it('are blobs of what came, until they are forgotten', async () => {
    const { loader, opened, come } = setUp(1);
    loader.want('grid', 'e', ['a']);
    const address = await come('a', 'the picture');
    expect(resolveObjectURL(address)).toMatchObject({ type: 'image/png', size: 11 });
    expect(opened).toEqual([address]);
    await expect(resolveObjectURL(address)?.text()).resolves.toBe('the picture');
    loader.want('grid', 'e', ['b']);
    await come('b');
    expect(loader.get('e', 'a')).toEqual({ state: 'waiting' });
    expect(resolveObjectURL(address)).toBeUndefined();
  });

  it('are kept within bounds, and those in sight in any case', async () => {
    const { loader, come } = setUp(25);
    for (const url of ['a', 'b', 'c']) {
      loader.want('grid', 'e', [url]);
      await come(url, url.repeat(10));
    }
    expect(loader.get('e', 'a')).toEqual({ state: 'waiting' });
    expect(loader.get('e', 'b').state).toBe('ready');
    loader.want('grid', 'e', ['b', 'd', 'e']);
    await come('d', 'd'.repeat(10));
    await come('e', 'e'.repeat(10));
    expect(['b', 'c', 'd', 'e'].map((url) => loader.get('e', url).state)).toEqual(['ready', 'waiting', 'ready', 'ready']);
  });
});
