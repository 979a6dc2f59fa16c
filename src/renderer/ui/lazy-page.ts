import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { isUnfetched, UnfetchedCode } from '#renderer/faults/unfetched-code.ts';

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
        const thrown = isUnfetched(error) ? new UnfetchedCode("Croupier didn't respond.", { cause: error }) : error;
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

/**
 * Fetches the style sheets that failed. Vite asks for each once, whatever happens, and would draw a page without them the next
 * time. Fails if one of them fails again.
 */
async function fetchMissingStyles(page: Document): Promise<void> {
  const links = [...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const there = new Set(links.filter(isThere).map(({ href }) => href));
  const missing = new Set(links.map(({ href }) => href).filter((href) => !there.has(href)));
  await Promise.all(Array.from(missing, (href) => fetchStyles(page, href)));
}

function isThere({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    // Of a failed one Chromium keeps a sheet whose rules nobody may read.
    return false;
  }
}

function fetchStyles(page: Document, href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = page.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => reject(new Error('Unable to preload CSS')));
    page.head.append(link);
  });
}
