import type { Locator, Page } from '@playwright/test';

/** Returns the newest text of a kind that the page said to a screen reader. */
export function announced(page: Page, kind: RegExp): Locator {
  return page.locator('[data-announcer] p').filter({ hasText: kind }).last();
}
