import type { Locator, Page } from '@playwright/test';

/** The screen that tests the wallet. */
export interface WalletScreen {
  readonly main: Locator;
  readonly run: Locator;
  readonly totals: Locator;
  readonly rows: Locator;
  /** The pane of the chosen case. */
  readonly details: Locator;
  /** Returns a group of the list at the side. */
  group(title: string): Locator;
}

export function createWalletScreen(page: Page): WalletScreen {
  const main = page.getByRole('main', { name: 'Wallet' });
  return {
    main,
    run: main.getByRole('button', { name: /^Run( again)?( |$)/ }).first(),
    totals: main.getByRole('group', { name: 'Totals' }),
    rows: main
      .getByRole('grid', { name: 'Cases' })
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') }),
    details: main.getByRole('region', { name: /^Case / }),
    group: (title) => main.getByRole('option', { name: title }),
  };
}
