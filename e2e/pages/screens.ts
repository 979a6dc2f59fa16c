import type { Page } from '@playwright/test';
import { createCollections } from './collections.ts';
import { createEnvironmentsScreen } from './environments.ts';
import { createHistoryScreen } from './history.ts';
import { createOpenPointsScreen } from './open-points.ts';
import { createPalette } from './palette.ts';
import { createProviderLog } from './provider-log.ts';
import { createRequest } from './request.ts';
import { createResponse } from './response.ts';
import { createShell } from './shell.ts';

/** Makes the fixture of a screen. Playwright and Vitest read from its source that it needs the workbench. */
function screen<T>(create: (page: Page) => T) {
  return ({ workbench }: { workbench: { readonly page: Page } }, provide: (made: T) => Promise<void>): Promise<void> =>
    provide(create(workbench.page));
}

/** The screens by the names that every test of the page has them by. */
export const screens = {
  shell: screen(createShell),
  requests: screen(createRequest),
  response: screen(createResponse),
  collections: screen(createCollections),
  environments: screen(createEnvironmentsScreen),
  history: screen(createHistoryScreen),
  openPoints: screen(createOpenPointsScreen),
  providerLog: screen(createProviderLog),
  palette: screen(createPalette),
};

export type PageScreens = { readonly [Name in keyof typeof screens]: Parameters<Parameters<(typeof screens)[Name]>[1]>[0] };
