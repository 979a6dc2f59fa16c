import { createElement, isValidElement, type ReactElement } from 'react';
import { expect, it } from 'vitest';
import { lazyPage } from './lazy-page.ts';

/** What React does with a lazy component: throws its promise until there is something to draw. */
async function draw(element: unknown): Promise<unknown> {
  if (!isValidElement(element)) throw new Error('Nothing to draw.');
  const { _init: init, _payload: payload } = (element as ReactElement).type as unknown as {
    _init: (payload: unknown) => unknown;
    _payload: unknown;
  };
  for (;;) {
    try {
      return init(payload);
    } catch (thrown) {
      if (!(thrown instanceof Promise) && typeof (thrown as PromiseLike<unknown>).then !== 'function') throw thrown;
      await Promise.resolve(thrown).catch(() => undefined);
    }
  }
}

it('is fetched again where it is drawn anew after a failure, and says what to do where the host did not answer', async () => {
  const Page = () => createElement('p');
  const failures = [new TypeError('Failed to fetch dynamically imported module: /a.js'), new RangeError('of the code')];
  const Lazy = lazyPage(async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return Page;
  });
  await expect(draw(Lazy({}))).rejects.toMatchObject({
    name: 'AppError',
    message: expect.stringContaining('did not answer') as string,
  });
  await expect(draw(Lazy({}))).rejects.toThrow('of the code');
  expect(await draw(Lazy({}))).toBe(Page);
});
