import type { Locator, Page } from '@playwright/test';

/** The screen of the gateway. */
export interface GatewayScreen {
  readonly main: Locator;
  readonly start: Locator;
  readonly stop: Locator;
  /** The URLs to give away, and the file of the authority. */
  readonly addresses: Locator;
  readonly rows: Locator;
  /** The summary of what passed. */
  readonly summary: Locator;
  /** The actions on it. */
  readonly actions: Locator;
}

export function createGatewayScreen(page: Page): GatewayScreen {
  const main = page.getByRole('main', { name: 'Gateway' });
  return {
    main,
    start: main.getByRole('button', { name: 'Start', exact: true }),
    stop: main.getByRole('button', { name: 'Stop' }),
    addresses: main.getByRole('definition').locator('code'),
    rows: main
      .getByRole('grid', { name: 'Exchanges' })
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') }),
    summary: main
      .getByRole('status')
      .filter({ hasText: /exchange|of/ })
      .first(),
    actions: main.getByRole('region', { name: 'Selected exchange' }),
  };
}
