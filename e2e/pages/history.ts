import type { Locator, Page } from '@playwright/test';

/** The list of recorded calls. */
export interface HistoryScreen {
  readonly rows: Locator;
  readonly count: Locator;
  readonly empty: Locator;
  search(text: string): Promise<void>;
  /** Opens the call in that row, from 0. */
  open(row: number): Promise<void>;
}

export function createHistoryScreen(page: Page): HistoryScreen {
  const main = page.getByRole('main', { name: 'History' });
  const rows = main.getByRole('row').filter({ has: page.getByRole('cell') });
  return {
    rows,
    count: main.getByRole('status').first(),
    empty: main.getByRole('heading', { level: 3 }),
    search: (text) => main.getByRole('searchbox', { name: 'Search requests and answers' }).fill(text),
    open: (row) => rows.nth(row).click(),
  };
}
