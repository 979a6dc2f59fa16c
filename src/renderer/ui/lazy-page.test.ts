import { createElement, isValidElement, type ReactElement } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { UnfetchedCode } from '#renderer/faults/unfetched-code.ts';
import { fetchAgain, lazyPage } from './lazy-page.ts';

/** Draws a lazy component as React does: awaits the promise that it throws until there is something to draw. */
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

const failureOf = (element: unknown) =>
  draw(element).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

beforeEach(() => {
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  return () => vi.unstubAllGlobals();
});

it('is fetched again after its failure was shown, and not before', async () => {
  const Page = () => createElement('p');
  const failures = [new TypeError('Failed to fetch dynamically imported module: /a.js'), new RangeError('of the code')];
  let asked = 0;
  const Lazy = lazyPage(async () => {
    asked += 1;
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return Page;
  });
  const first = await failureOf(Lazy({}));
  expect(first).toBeInstanceOf(UnfetchedCode);
  expect((first as Error).message).toContain("didn't respond");
  // React draws a part that failed once more before it gives up.
  expect(await failureOf(Lazy({}))).toBe(first);
  expect(asked).toBe(1);
  fetchAgain(first);
  const second = await failureOf(Lazy({}));
  expect(second).toEqual(new RangeError('of the code'));
  fetchAgain(new Error('of something else'));
  fetchAgain('a text');
  expect(await failureOf(Lazy({}))).toBe(second);
  fetchAgain(second);
  expect(await draw(Lazy({}))).toBe(Page);
  expect(asked).toBe(3);
});
