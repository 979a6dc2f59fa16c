import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { isUnfetched, UnfetchedCode } from '#renderer/faults/unfetched-code.ts';
import { fetchMissingStyles } from './missing-styles.ts';

/** Functions that fetch the code of a failed part again, by its error. */
const failures = new WeakMap<object, () => void>();

/**
 * Creates a part of the page whose code is fetched when it is first drawn: the shell and the requests come first. A part whose code
 * failed stays failed until `fetchAgain` gets the error: React draws a failed part several times before it gives up, and would
 * fetch without end.
 */
export function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  function make(again: boolean): ComponentType<P> {
    return lazy(async () => {
      try {
        if (again) await fetchMissingStyles(document);
        return { default: await load() };
      } catch (error) {
        const thrown = isUnfetched(error)
          ? new UnfetchedCode('The workbench did not respond with the code of this page.', { cause: error })
          : error;
        if (typeof thrown === 'object' && thrown !== null) failures.set(thrown, () => (page = make(true)));
        throw thrown;
      }
    });
  }
  let page = make(false);
  return function LazyPage(props: P) {
    return createElement(page, props);
  };
}

/** Creates a dialog whose code is fetched when it is first opened; nothing is in its place meanwhile. */
export function lazyDialog<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  const page = lazyPage(load);
  return function LazyDialog(props: P) {
    return createElement(Suspense, { fallback: null }, createElement(page, props));
  };
}

/** Lets the part that failed with `error` fetch its code when it is drawn next. */
export function fetchAgain(error: unknown): void {
  if (typeof error === 'object' && error !== null) failures.get(error)?.();
}
