import type { Page } from '@playwright/test';

const followed = new Set(['Locator', 'FrameLocator', 'Keyboard', 'Mouse']);

/**
 * Returns a page that is always the current one, with locators that follow it: a restarted Electron has another page, and a spec's
 * older locators must find the same place in it.
 */
export function followPage(current: () => Page): Page {
  return follow(current) as Page;
}

function follow(current: () => object): object {
  return new Proxy(
    {},
    {
      get(_, key) {
        const target = current();
        const value: unknown = Reflect.get(target, key);
        if (isFollowed(value)) return follow(() => Reflect.get(current(), key) as object);
        if (typeof value !== 'function' || key === 'constructor') return value;
        return (...given: unknown[]): unknown => {
          const result: unknown = Reflect.apply(value, target, given);
          if (!isFollowed(result)) return result;
          return follow(() => {
            const now = current();
            return Reflect.apply(Reflect.get(now, key) as () => object, now, given);
          });
        };
      },
    },
  );
}

function isFollowed(value: unknown): value is object {
  // A bundler may have put an underscore before a class's name.
  return typeof value === 'object' && value !== null && followed.has(value.constructor.name.replace(/^_/, ''));
}
