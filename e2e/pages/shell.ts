import { expect, type Locator, type Page } from '@playwright/test';

export type AreaTitle =
  | 'Requests'
  | 'Games'
  | 'Launcher'
  | 'Rounds'
  | 'Runs'
  | 'Wallet'
  | 'Gateway'
  | 'History'
  | 'Doctor'
  | 'Open points'
  | 'Environments'
  | 'Settings';

/** The frame of the page: areas, sidebar, environment, status bar, notices. */
export interface Shell {
  readonly main: Locator;
  readonly sidebar: Locator;
  /** The facts at the foot. */
  readonly status: Locator;
  readonly notices: Locator;
  /** The one notice of faults. */
  readonly fault: Locator;
  /** Texts about something that is being loaded. */
  readonly loading: Locator;
  /** The banner about a host that does not reply. */
  readonly banner: Locator;
  readonly dialog: Locator;
  /** Closes the dialog by Escape once it has the keyboard: it listens a moment after its words are drawn. */
  dismiss(): Promise<void>;
  readonly environment: Locator;
  readonly topBar: Locator;
  /** Opens the drawer that has areas and list, where a compact window has no room for them. */
  openDrawer(): Promise<void>;
  /** Goes to an area, through the drawer if it has to. */
  goTo(area: AreaTitle): Promise<void>;
  area(title: AreaTitle): Locator;
  /** Returns an entry of the list of operations, by its exact name. */
  operation(name: string): Locator;
  /** Returns the group of operations with that heading. */
  group(title: string): Locator;
  openOperation(name: string): Promise<void>;
  useEnvironment(name: string): Promise<void>;
  /** Returns the name of the innermost pane with the keyboard. */
  focusedPane(): Promise<string | null>;
  readonly start: Locator;
}

export function createShell(page: Page): Shell {
  const areas = page.getByRole('navigation', { name: 'Areas' });
  const sidebar = page.getByRole('complementary', { name: /: list$/ });
  const environment = page.getByRole('button', { name: /^Environment: / });
  const operation = (name: string) =>
    page.getByRole('complementary', { name: 'Requests: list' }).getByRole('button', { name: new RegExp(`^${name}\\b`) });
  const shell: Shell = {
    main: page.getByRole('main'),
    sidebar,
    status: page.getByRole('contentinfo'),
    notices: page.getByRole('region', { name: 'Notices' }),
    fault: page.getByRole('region', { name: 'Notices' }).getByText(/^An error in Croupier/),
    loading: page.locator('[data-loading]'),
    banner: page.locator('[data-connection]:not([data-connection=open])'),
    dialog: page.getByRole('dialog'),
    async dismiss() {
      await expect(page.locator('[role="dialog"]:focus-within')).toBeVisible();
      await page.keyboard.press('Escape');
    },
    environment,
    topBar: page.getByRole('banner'),
    area: (title) => areas.getByRole('button', { name: title }),
    async openDrawer() {
      const button = shell.topBar.getByRole('button', { name: /: areas/, expanded: false });
      if (await button.isVisible()) await button.click();
      await expect(areas).toBeVisible();
    },
    async goTo(title) {
      await shell.openDrawer();
      await areas.getByRole('button', { name: title === 'Gateway' ? 'Wallet' : title }).click();
      if (title === 'Gateway')
        await page.getByRole('navigation', { name: 'Wallet' }).getByRole('button', { name: title }).click();
    },
    operation,
    group: (title) => page.getByRole('region', { name: title, exact: true }),
    async openOperation(name) {
      await shell.goTo('Requests');
      await shell.openDrawer();
      await page.getByRole('complementary', { name: 'Requests: list' }).getByRole('tab', { name: 'Operations' }).click();
      await operation(name).click();
    },
    async useEnvironment(name) {
      await environment.click();
      await page.getByRole('menuitemradio', { name: new RegExp(`^${name}\\b`) }).click();
    },
    focusedPane: () => page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane') ?? null),
    start: page.getByRole('heading', { level: 1 }),
  };
  return shell;
}
