import type { Locator, Page } from '@playwright/test';
import { editorIn, type Editor } from './editor.ts';

/** The answer's pane. */
export interface ResponseScreen {
  readonly pane: Locator;
  /** The first fact: the provider's code, or what there is instead. */
  readonly code: Locator;
  /** Status, time, size and whether the signed bytes are the sent ones. */
  readonly facts: Locator;
  /** What the response means and what to do. */
  readonly explanation: Locator;
  /** Leads to what the provider's own log says of the call. */
  readonly toProviderLog: Locator;
  readonly failure: Locator;
  /** The fact about the signed bytes, which leads to what shows it. */
  readonly signed: Locator;
  /** What left, or would have: hash input, hash, body and headers of the call. */
  readonly sent: SentScreen;
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
  show(
    view: 'Body' | 'Sent' | 'Not sent' | 'Perhaps sent' | 'Table' | 'Raw' | 'Headers' | 'Timings' | 'Findings' | 'Checks',
  ): Promise<void>;
  view(name: string): Locator;
}

/** What left as a call. */
export interface SentScreen {
  readonly departure: Locator;
  readonly hashInput: Editor;
  readonly hash: Locator;
  /** The sentences about the bytes. */
  readonly proof: Locator;
  readonly body: Editor;
  readonly headers: Locator;
  readonly form: Locator;
  copy(what: 'hash input' | 'hash' | 'body' | 'headers'): Promise<void>;
}

/** The view of what left, in a part of the page. */
export function sentIn(page: Page, part: Locator): SentScreen {
  const view = part.getByRole('tabpanel', { name: /^(Sent|Not sent|Perhaps sent)$/ });
  return {
    departure: view.locator('[data-departure]'),
    hashInput: editorIn(page, view, /^Hash input of call /),
    hash: view.getByRole('region', { name: /^Hash of call / }).locator('code'),
    proof: view.getByRole('list', { name: 'What the bytes show' }),
    body: editorIn(page, view, /^Body of call /),
    headers: view.getByRole('table', { name: /^Request headers of call / }),
    form: view.getByRole('radiogroup', { name: 'How the bytes are shown' }),
    copy: (what) => view.getByRole('button', { name: `Copy the ${what}`, exact: true }).click(),
  };
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
    explanation: pane.getByRole('complementary', { name: 'Explanation' }),
    toProviderLog: pane.getByRole('button', { name: 'Open the log' }),
    failure: pane.getByRole('heading', { level: 3 }),
    signed: facts.getByRole('button'),
    sent: sentIn(page, pane),
    body: editorIn(page, pane, /^Response of /),
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

/** Where the explanation of a call stands, in pixels: the room between it and the facts above, and the tabs below; negative where it is elsewhere. */
export async function roomAroundExplanation(part: Locator): Promise<{ above: number; below: number; fact: number }> {
  const [code, facts, explanation, tabs] = await Promise.all(
    [
      part.locator('div:has(> * > time) > :first-child'),
      part.locator('div:has(> * > time)'),
      part.getByRole('complementary', { name: 'Explanation' }),
      part.getByRole('tablist', { name: 'How the call is shown' }),
    ].map((one) => one.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)),
  );
  if (code === undefined || facts === undefined || explanation === undefined || tabs === undefined) throw new Error('Not there.');
  return { above: explanation.top - facts.bottom, below: tabs.top - explanation.bottom, fact: facts.bottom - code.top };
}
