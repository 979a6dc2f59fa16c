import { expect, type Locator, type Page } from '@playwright/test';

/** The collections beside the open requests. */
export interface CollectionsScreen {
  readonly tree: Locator;
  readonly rows: Locator;
  readonly filter: Locator;
  /** The problem of the file that the keyboard is on. */
  readonly trouble: Locator;
  /** The question about a tab's file that somebody else changed or removed. */
  readonly question: Locator;
  /** The variables of the open request that have no value. */
  readonly unresolved: Locator;
  readonly dialog: Locator;
  readonly rename: Locator;
  /** Values from variables in the hash input. */
  readonly values: Locator;
  row(name: string): Locator;
  show(): Promise<void>;
  openDirectory(directory: string): Promise<void>;
  /** Opens the folders around a request and then its tab. */
  open(...path: string[]): Promise<void>;
  menu(name: string, action: string): Promise<void>;
  /** Drops one row on another: on its upper edge, in its middle, on its lower edge. */
  drag(from: string, to: string, where: 'before' | 'into' | 'after'): Promise<void>;
  answer(name: 'Compare' | 'Keep mine' | 'Take theirs' | 'Save as…'): Promise<void>;
  /** In the dialog of variables: the values from earlier responses. */
  readonly taken: Locator;
  forget(name: string): Promise<void>;
  /** The examples of the open request. */
  readonly examples: Locator;
  /** The checks of the open request. */
  readonly checks: Locator;
  /** The starter collections that are offered while no collection is open. */
  readonly starters: Locator;
  /** The path of the directory that the dialog asks for. */
  readonly directory: Locator;
  /** Opens the system's own dialog for the directory. */
  readonly choose: Locator;
  /** Chooses from the menu above the tree. */
  action(name: string): Promise<void>;
  /** Answers the question about the target of a move; at the top without a folder. */
  moveTo(collection: string, folder?: string): Promise<void>;
}

export function createCollections(page: Page): CollectionsScreen {
  const side = page.getByRole('complementary', { name: 'Requests: list' });
  const main = page.getByRole('main', { name: 'Requests' });
  const tree = side.getByRole('tree', { name: 'Collections' });
  // A request's name is followed by its operation, another one by its kind; then comes how it differs from the last commit.
  const named = (name: string, end: string) => new RegExp(`^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:${end})`);
  const row = (name: string) =>
    tree.getByRole('treeitem', { name: named(name, ', | [A-Za-z]+(?:$|, not committed|, changed|, in conflict)') });
  const dialog = page.getByRole('dialog');
  const question = main.getByRole('alert');
  const screen: CollectionsScreen = {
    tree,
    rows: tree.getByRole('treeitem'),
    filter: side.getByRole('searchbox', { name: 'Filter collections' }),
    trouble: side.getByRole('status', { name: /^Problem in/ }),
    question,
    unresolved: main.getByRole('status', { name: 'Variables without a value' }),
    dialog,
    rename: tree.getByRole('textbox'),
    values: main.getByRole('list', { name: 'Values from variables' }).getByRole('listitem'),
    row,
    show: () => side.getByRole('tab', { name: 'Collections' }).click(),
    async openDirectory(directory) {
      await screen.show();
      const first = side.getByRole('button', { name: 'Open a collection' });
      await expect(first.or(tree)).toBeVisible();
      if (await first.isVisible()) await first.click();
      else await screen.action('Open a collection');
      await screen.directory.fill(directory);
      await page.keyboard.press('Enter');
      await expect(dialog).toBeHidden();
      await expect(tree).toBeVisible();
    },
    async open(...path) {
      for (const name of path) {
        const one = row(name);
        await expect(one).toBeVisible();
        const expanded = await one.getAttribute('aria-expanded');
        if (expanded !== 'true') await one.click();
        // A file is read first; until then everything is about the tab before.
        const tab = main
          .getByRole('tablist', { name: 'Open requests' })
          .getByRole('tab', { name: named(name, '[, ]|$'), selected: true });
        if (expanded === null) await expect(tab).toBeVisible();
      }
    },
    async menu(name, action) {
      await row(name).click({ button: 'right' });
      await page.getByRole('menuitem', { name: action }).click();
    },
    async drag(from, to, where) {
      const target = row(to);
      const box = await target.boundingBox();
      if (box === null) throw new Error(`${to} is not in sight.`);
      const y = { before: 2, into: box.height / 2, after: box.height - 2 }[where];
      await row(from).dragTo(target, { targetPosition: { x: 60, y } });
    },
    answer: (name) => question.getByRole('button', { name }).click(),
    starters: side.getByRole('region', { name: 'Starter collections' }).getByRole('button'),
    directory: dialog.getByRole('textbox', { name: 'Folder' }),
    choose: dialog.getByRole('button', { name: 'Choose…' }),
    async action(name) {
      await side.getByRole('button', { name: 'Collection actions' }).click();
      await page.getByRole('menuitem', { name }).click();
    },
    async moveTo(collection, folder = 'Top level') {
      await dialog.getByRole('combobox', { name: 'Collection' }).selectOption({ label: collection });
      await dialog.getByRole('combobox', { name: 'Folder' }).selectOption({ label: folder });
      await dialog.getByRole('button', { name: 'Move', exact: true }).click();
      await expect(dialog).toBeHidden();
    },
    checks: main.getByRole('region', { name: 'Request' }).getByRole('tabpanel', { name: /^Checks/ }),
    examples: main.getByRole('region', { name: 'Request' }).getByRole('tabpanel', { name: /^Examples/ }),
    taken: dialog.getByRole('list', { name: 'Values from earlier responses' }).getByRole('listitem'),
    forget: (name) => dialog.getByRole('button', { name: `Forget ${name}` }).click(),
  };
  return screen;
}
