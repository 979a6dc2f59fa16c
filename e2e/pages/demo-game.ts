import type { Locator, Page } from '@playwright/test';

/** The demo game's page, as a player sees it. */
export interface DemoGame {
  readonly title: Locator;
  readonly balance: Locator;
  readonly spin: Locator;
  readonly exit: Locator;
  readonly notice: Locator;
  /** The result of the last spin. */
  readonly outcome: Locator;
}

export function createDemoGame(page: Page): DemoGame {
  const footer = page.getByRole('contentinfo');
  return {
    title: page.getByRole('heading', { level: 1 }),
    balance: footer.getByRole('status').first(),
    spin: page.getByRole('button', { name: 'Spin' }),
    exit: page.getByRole('banner').getByRole('button', { name: 'Exit' }),
    notice: page.getByRole('dialog'),
    outcome: page.getByRole('main').getByRole('status'),
  };
}
