import type { Locator, Page } from '@playwright/test';

/** The points that the specification leaves open. */
export interface OpenPointsScreen {
  readonly point: Locator;
  readonly count: Locator;
  readonly entries: Locator;
  /** The field of an answer that is one text. */
  readonly answer: Locator;
  open(title: string): Promise<void>;
  search(text: string): Promise<void>;
  /** Records the name of an action as the provider's recorded answer. */
  recordAction(name: string): Promise<void>;
}

export function createOpenPointsScreen(page: Page): OpenPointsScreen {
  const main = page.getByRole('main', { name: 'Open points' });
  const list = page.getByRole('complementary', { name: 'Open points: list' });
  const entries = list.getByRole('listbox', { name: 'Open points' }).getByRole('option');
  return {
    point: main.getByRole('article'),
    count: list.getByRole('status'),
    entries,
    answer: main.getByRole('article').getByRole('textbox').first(),
    open: (title) => entries.filter({ hasText: title }).click(),
    search: (text) => list.getByRole('searchbox', { name: 'Search open points' }).fill(text),
    async recordAction(name) {
      await main.getByLabel('Name of the action').fill(name);
      await main.getByRole('button', { name: 'Record answer' }).click();
    },
  };
}
