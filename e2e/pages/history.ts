import type { Locator, Page } from '@playwright/test';
import { editorIn, type Editor } from './editor.ts';
import { sentIn, type SentScreen } from './response.ts';

/** The list of recorded calls. */
export interface HistoryScreen {
  readonly rows: Locator;
  readonly count: Locator;
  readonly empty: Locator;
  search(text: string): Promise<void>;
  /** Chooses an option in one of the filters, by the texts of both. */
  filter(name: 'Operation' | 'Environment' | 'Response' | 'Sender' | 'Time', choice: string): Promise<void>;
  readonly pinnedOnly: Locator;
  /** The strip below the list: the note and the actions of the selected call or of the ticked ones. */
  readonly strip: Locator;
  /** The number of ticked calls, beside the filters. */
  readonly ticked: Locator;
  readonly note: Locator;
  /** The headings with the day or the session of the rows below them. */
  readonly headings: Locator;
  /** Chooses the grouping of the rows. */
  groupBy(choice: 'Day and session' | 'Day' | 'None'): Promise<void>;
  readonly repeatExactly: Locator;
  /** Opens the menu of a row, counted from 0, and chooses in it. */
  chooseInMenu(row: number, item: string | RegExp): Promise<void>;
  /** Exports the calls of the strip, by an entry of its menu. */
  exportAs(item: string): Promise<void>;
  /** The menu of how the list is shown, and what is kept. */
  readonly view: Locator;
  readonly retention: Locator;
  /** Opens the call in a row, counted from 0, in Requests. */
  open(row: number): Promise<void>;
  /** The selected call beside the list. */
  readonly detail: CallDetailScreen;
}

/** One call beside the list; its parts are those of the response pane. */
interface CallDetailScreen {
  readonly pane: Locator;
  readonly signed: Locator;
  readonly sent: SentScreen;
  readonly body: Editor;
  show(view: string): Promise<void>;
}

function createDetail(page: Page, main: Locator): CallDetailScreen {
  const pane = main.getByRole('region', { name: /^Call \d+$/ });
  return {
    pane,
    signed: pane.getByRole('button', { name: /^signed|^nothing was sent|hash/ }).first(),
    sent: sentIn(page, pane),
    body: editorIn(page, pane, /^Response of /),
    show: (view) => pane.getByRole('tab', { name: new RegExp(`^${view}`) }).click(),
  };
}

export function createHistoryScreen(page: Page): HistoryScreen {
  const main = page.getByRole('main', { name: 'History' });
  const rows = main
    .getByRole('grid', { name: 'Calls' })
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
  const view = main.getByRole('button', { name: 'View' });
  return {
    rows,
    count: main.getByRole('status').first(),
    // The provider's log beside it has its own headings.
    empty: main.getByRole('heading', { level: 2 }).first(),
    search: (text) => main.getByRole('searchbox', { name: 'Search calls' }).fill(text),
    async filter(name, choice) {
      await main.getByRole('combobox', { name, exact: true }).selectOption({ label: choice });
    },
    pinnedOnly: main.getByRole('checkbox', { name: 'Pinned' }),
    strip: main.getByRole('region', { name: /^Selected call$|^Ticked calls$/ }),
    ticked: main.getByRole('group', { name: 'Ticked calls' }),
    note: main.getByRole('textbox', { name: 'Note' }),
    headings: main.getByRole('grid', { name: 'Calls' }).getByRole('rowheader'),
    async groupBy(choice) {
      await view.click();
      await page.getByRole('menuitemradio', { name: choice, exact: true }).click();
    },
    repeatExactly: main.getByRole('button', { name: 'Repeat exactly' }),
    async chooseInMenu(row, item) {
      await rows.nth(row).click({ button: 'right' });
      await page.getByRole('menuitem', { name: item }).click();
    },
    async exportAs(item) {
      await main.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    },
    view,
    retention: page.getByRole('menuitem', { name: /^Keep / }),
    open: (row) => rows.nth(row).dblclick(),
    detail: createDetail(page, main),
  };
}
