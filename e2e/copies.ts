import type { Page } from '@playwright/test';

/** Keeps the texts that the page copies from now on, since a desktop host's clipboard cannot be read. Returns the last one. */
export async function keepCopies(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    navigator.clipboard.writeText = (text) => {
      Reflect.set(window, 'copied', text);
      return Promise.resolve();
    };
  });
  return () => page.evaluate(() => String(Reflect.get(window, 'copied')));
}
