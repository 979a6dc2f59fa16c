import type { Locator, Page } from '@playwright/test';
import { editorIn, type Editor } from './editor.ts';

/** The built-in provider's own log beside the history. */
export interface ProviderLogScreen {
  readonly panel: Locator;
  /** The button of the history's bar. */
  readonly toggle: Locator;
  readonly close: Locator;
  readonly rows: Locator;
  /** The marked row. */
  readonly marked: Locator;
  readonly count: Locator;
  /** The link to the provider's control page, or the button that copies its URL. */
  readonly controlPage: Locator;
  /** The text in place of rows, or of details. */
  readonly notice: Locator;
  readonly details: Locator;
  readonly hashInput: Editor;
  readonly received: Locator;
  /** The characters that are marked as the first difference, in the hash input and in the data as received. */
  readonly differences: Locator;
  readonly body: Editor;
  readonly copyBody: Locator;
  readonly openCall: Locator;
  /** The edge between history and log. */
  readonly edge: Locator;
}

export function createProviderLog(page: Page): ProviderLogScreen {
  const main = page.getByRole('main', { name: 'History' });
  const panel = main.getByRole('region', { name: "Provider's log" });
  const details = panel.getByRole('region', { name: 'Verdict', exact: true });
  const rows = panel
    .getByRole('grid', { name: 'Verdicts' })
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
  return {
    panel,
    toggle: main.getByRole('search', { name: 'Calls' }).getByRole('button', { name: "Provider's log" }),
    close: panel.getByRole('button', { name: "Hide the provider's log" }),
    rows,
    marked: rows.and(page.locator('[aria-selected="true"]')),
    count: panel.getByRole('status').first(),
    controlPage: panel
      .getByRole('link', { name: 'Control page' })
      .or(panel.getByRole('button', { name: "Copy the control page's URL" })),
    notice: panel.getByRole('heading').last(),
    details,
    hashInput: editorIn(page, details, 'Hash input of the provider'),
    received: details.getByRole('region', { name: 'Data as received' }),
    differences: details.locator('mark').or(details.locator('.view-line [class*="_difference_"]')),
    body: editorIn(page, details, 'Received body'),
    copyBody: details.getByRole('button', { name: /^Copy the body/ }),
    openCall: details.getByRole('button', { name: /^Open call / }),
    edge: main.getByRole('separator', { name: "History and the provider's log" }),
  };
}
