import { expect, type Locator, type Page } from '@playwright/test';

/** The games of an environment. */
export interface GamesScreen {
  readonly main: Locator;
  readonly tiles: Locator;
  /** Returns the tile of a game, by its exact name. */
  tile(name: string): Locator;
  tileById(id: number): Locator;
  readonly rows: Locator;
  rowById(id: number): Locator;
  /** Returns the number of tiles in a row now. */
  columns(): Promise<number>;
  /** Returns the positions in the list, counted from 1, of the games in the page, in the order of the page. */
  places(view: 'Grid' | 'Table'): Promise<number[]>;
  readonly count: Locator;
  readonly currency: Locator;
  readonly currencyHint: Locator;
  readonly empty: Locator;
  readonly problem: Locator;
  readonly details: Locator;
  /** The ID in the details that are open. */
  readonly idInDetails: Locator;
  /** The fetched lists, newest first. */
  readonly snapshots: Locator;
  readonly comparison: Locator;
  readonly changes: Locator;
  /** Asks the provider and waits until the list is there. */
  fetch(): Promise<void>;
  search(text: string): Promise<void>;
  status(label: RegExp): Promise<void>;
  order(label: string): Promise<void>;
  view(name: 'Grid' | 'Table'): Promise<void>;
  /** Returns the box that scrolls, the grid's or the table's, for measuring. */
  scroller(view: 'Grid' | 'Table'): Locator;
  betLevel(level: number): Locator;
  action(name: RegExp): Locator;
  compare(): Promise<void>;
  kind(name: RegExp): Promise<void>;
}

export function createGamesScreen(page: Page): GamesScreen {
  const main = page.getByRole('main', { name: 'Games' });
  const list = main.getByRole('listbox', { name: 'Games' });
  const table = main.getByRole('grid', { name: 'Games' });
  const tiles = list.getByRole('option');
  const details = main.getByRole('complementary', { name: 'Game', exact: true });
  const comparison = main.getByRole('region', { name: 'Comparison' });
  const filter = main.getByRole('search', { name: 'Games' });
  const rows = table.getByRole('row').filter({ has: page.getByRole('gridcell') });
  const snapshots = page.getByRole('complementary', { name: 'Games: list' }).getByRole('listitem');
  const currency = main.getByRole('combobox', { name: 'Currency' });
  return {
    main,
    tiles,
    tile: (name) => tiles.filter({ has: page.getByText(name, { exact: true }) }),
    tileById: (id) => tiles.filter({ has: page.getByText(String(id), { exact: true }) }),
    rows,
    rowById: (id) => rows.filter({ has: page.getByRole('gridcell', { name: String(id), exact: true }) }),
    columns: () =>
      tiles.evaluateAll((elements) => {
        const tops = elements.map((element) => element.getBoundingClientRect().top);
        return tops.filter((top) => top === Math.min(...tops)).length;
      }),
    places: (view) =>
      (view === 'Grid' ? tiles : rows).evaluateAll((elements) =>
        elements.map((element) => Number(element.ariaPosInSet ?? Number(element.ariaRowIndex) - 1)),
      ),
    count: filter.getByRole('status'),
    currency,
    currencyHint: main.locator('[id$="-hint"]'),
    empty: main.getByRole('heading', { level: 2 }),
    problem: main.getByRole('alert'),
    details,
    idInDetails: details.getByRole('definition').getByRole('code').first(),
    snapshots,
    comparison,
    changes: comparison
      .getByRole('grid', { name: 'Changes' })
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') }),
    async fetch() {
      const before = await snapshots.count();
      await main
        .getByRole('button', { name: /^Fetch\b/ })
        .first()
        .click();
      await expect(snapshots).toHaveCount(before + 1);
      await expect(list.or(table)).toBeVisible();
    },
    search: (text) => filter.getByRole('searchbox').fill(text),
    async status(label) {
      const select = filter.getByRole('combobox', { name: 'Status, as received' });
      const option = select.locator('option').filter({ hasText: label });
      await select.selectOption(await option.getAttribute('value'));
    },
    order: async (label) => void (await filter.getByRole('combobox', { name: 'Order' }).selectOption({ label })),
    view: (name) => filter.getByRole('radio', { name }).click(),
    scroller: (view) => (view === 'Grid' ? list : table).locator('..'),
    betLevel: (level) => details.getByRole('radio', { name: new RegExp(`^betLevel ${level}:`) }),
    action: (name) => details.getByRole('button', { name }),
    compare: () => main.getByRole('button', { name: 'Compare', exact: true }).click(),
    kind: (name) => comparison.getByRole('tab', { name }).click(),
  };
}
