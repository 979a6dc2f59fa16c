import { lazy, type ComponentType } from 'react';

/** A part of the page whose code is fetched when it is first drawn: the shell and the requests come first. */
export function lazyPage<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(async () => ({ default: await load() }));
}
