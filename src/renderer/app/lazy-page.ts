import { createElement, lazy, type ComponentType, type ReactNode } from 'react';
import { AppError } from '#shared/errors.ts';

/**
 * A part of the page whose code is fetched when it is first drawn: the shell and the requests come first. Where the fetch failed, drawing it
 * anew fetches it again.
 */
export function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  function make(): ComponentType<P> {
    return lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        // React keeps the failure with the component.
        page = make();
        throw isUnreachable(error) ? new AppError('internal', 'The workbench did not answer with this page. Try again.') : error;
      }
    });
  }
  let page = make();
  return function LazyPage(props: P) {
    return createElement(page, props);
  };
}

/** Chromium's and Vite's words for code that could not be fetched; an error of the code itself is a fault. */
function isUnreachable(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|Unable to preload/.test(error.message);
}
