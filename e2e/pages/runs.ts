import type { Locator, Page } from '@playwright/test';
import { announced } from './announced.ts';

/** The runs of collections: their list, the report of one, and the dialog that starts one. */
export interface RunsScreen {
  readonly main: Locator;
  readonly empty: Locator;
  /** The list at the side, newest first. */
  readonly list: Locator;
  /** The state of the run. */
  readonly head: Locator;
  /** The sum of all states. */
  readonly totals: Locator;
  readonly rows: Locator;
  readonly headings: Locator;
  readonly onlyFailed: Locator;
  readonly cancel: Locator;
  readonly again: Locator;
  readonly failedAgain: Locator;
  readonly calls: Locator;
  /** The checks of the chosen request. */
  readonly details: Locator;
  readonly checks: Locator;
  readonly openCall: Locator;
  /** Texts for a screen reader. */
  readonly announced: Locator;
  exportAs(item: 'JUnit XML' | 'JSON' | 'HTML page'): Promise<void>;
  readonly dialog: Locator;
  readonly newRun: Locator;
  field(name: string): Locator;
  readonly run: Locator;
  /** Opens the dialog and runs a directory, with texts typed into fields by their names. */
  start(directory: string, fields?: Readonly<Record<string, string>>): Promise<void>;
}

export function createRunsScreen(page: Page): RunsScreen {
  const main = page.getByRole('main', { name: 'Runs' });
  const side = page.getByRole('complementary', { name: 'Runs: list' });
  const details = main.getByRole('region', { name: /^Checks of / });
  const dialog = page.getByRole('dialog');
  const table = main.getByRole('grid', { name: 'Requests of the run' });
  const screen: RunsScreen = {
    main,
    empty: main.getByRole('heading', { level: 2 }),
    list: side.getByRole('option'),
    head: main.locator('header h1 + *'),
    totals: main.getByRole('group', { name: 'Totals' }),
    rows: table.getByRole('row').filter({ has: page.getByRole('gridcell') }),
    headings: table.getByRole('rowheader'),
    onlyFailed: main.getByRole('checkbox', { name: /^Failed / }),
    cancel: main.getByRole('button', { name: /^Cancel/ }),
    again: main.getByRole('button', { name: 'Run again', exact: true }),
    failedAgain: main.getByRole('button', { name: 'Retry failed' }),
    calls: main.getByRole('button', { name: 'Show calls' }),
    details,
    checks: details.getByRole('list', { name: 'Checks' }).getByRole('listitem'),
    openCall: details.getByRole('button', { name: /^Open call / }),
    announced: announced(page, /\brun\b|requests?\b/i),
    async exportAs(item) {
      await main.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    },
    dialog,
    newRun: side.getByRole('button', { name: 'New run' }),
    field: (name) => dialog.getByRole('textbox', { name, exact: true }),
    run: dialog.getByRole('button', { name: 'Run', exact: true }),
    async start(directory, fields = {}) {
      await screen.newRun.click();
      await dialog.getByRole('combobox', { name: 'Collection' }).selectOption({ label: 'Another folder' });
      for (const [name, text] of Object.entries({ 'Collection folder': directory, ...fields }))
        await screen.field(name).fill(text);
      await screen.run.click();
    },
  };
  return screen;
}
