import type { Locator, Page } from '@playwright/test';
import { editorIn, type Editor } from './editor.ts';

/** The answer's pane. */
export interface ResponseScreen {
  readonly pane: Locator;
  /** The first fact: the provider's code, or what there is instead. */
  readonly code: Locator;
  /** Status, time, size and whether the signed bytes are the sent ones. */
  readonly facts: Locator;
  /** What the code means and what to do. */
  readonly nextStep: Locator;
  /** Leads to what the provider's own log says of the call. */
  readonly toProviderLog: Locator;
  readonly failure: Locator;
  readonly body: Editor;
  readonly raw: Editor;
  readonly table: Locator;
  /** The two ways to send the call once more. */
  readonly editAndResign: Locator;
  readonly repeatExactly: Locator;
  readonly saveAsExample: Locator;
  /** What a screen reader hears. */
  readonly announced: Locator;
  /** What the checks of the request made of the answer. */
  readonly checks: Locator;
  show(view: 'Body' | 'Table' | 'Raw' | 'Headers' | 'Timings' | 'Findings' | 'Checks'): Promise<void>;
  view(name: string): Locator;
}

export function createResponse(page: Page): ResponseScreen {
  const pane = page.getByRole('main').getByRole('region', { name: 'Response' });
  const announced = pane.getByRole('status').first();
  // The facts come right behind what is announced; the code is the first of them.
  const facts = announced.locator('xpath=following-sibling::div[1]');
  return {
    pane,
    code: facts.locator('> *').first(),
    facts,
    nextStep: pane.getByRole('complementary', { name: 'What to do next' }),
    toProviderLog: pane.getByRole('button', { name: "The provider's log says why" }),
    failure: pane.getByRole('heading', { level: 3 }),
    body: editorIn(page, pane, /^Answer of /),
    raw: editorIn(page, pane, 'Raw body'),
    table: pane.getByRole('table'),
    editAndResign: pane.getByRole('button', { name: 'Edit and re-sign' }),
    repeatExactly: pane.getByRole('button', { name: 'Repeat exactly' }),
    saveAsExample: pane.getByRole('button', { name: 'Save as example…' }),
    announced,
    checks: pane.getByRole('list', { name: 'Checks' }).getByRole('listitem'),
    show: (view) => pane.getByRole('tab', { name: new RegExp(`^${view}`) }).click(),
    view: (name) => pane.getByRole('tabpanel', { name: new RegExp(`^${name}`) }),
  };
}
