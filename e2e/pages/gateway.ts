import type { Locator, Page } from '@playwright/test';

/** The screen of the gateway. */
export interface GatewayScreen {
  readonly main: Locator;
  readonly start: Locator;
  readonly stop: Locator;
  readonly rows: Locator;
  /** The summary of what passed. */
  readonly summary: Locator;
  /** The chosen exchange's verdict. */
  readonly verdict: Locator;
  /** The actions on it. */
  readonly actions: Locator;
}

export function createGatewayScreen(page: Page): GatewayScreen {
  const main = page.getByRole('main', { name: 'Gateway' });
  return {
    main,
    start: main.getByRole('button', { name: 'Start', exact: true }),
    stop: main.getByRole('button', { name: 'Stop' }),
    rows: main
      .getByRole('grid', { name: 'Exchanges' })
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') }),
    summary: main
      .getByRole('status')
      .filter({ hasText: /exchange|of/ })
      .first(),
    verdict: main.getByRole('region', { name: 'Verdict' }),
    actions: main.getByRole('region', { name: 'Selected exchange' }),
  };
}
