import type { Locator, Page } from '@playwright/test';
import { announced } from './announced.ts';
import { editorIn, type Editor } from './editor.ts';

/** The response pane. */
export interface ResponseScreen {
  readonly pane: Locator;
  /** The first fact: the provider's code, or what replaces it. */
  readonly code: Locator;
  /** Status, time, size and whether the signed bytes are the sent ones. */
  readonly facts: Locator;
  /** The explanation of the response, with the next steps. */
  readonly explanation: Locator;
  /** Leads to the verdict on the call in the provider's own log. */
  readonly toProviderLog: Locator;
  readonly failure: Locator;
  /** The fact about the signed bytes, which leads to the view that shows it. */
  readonly signed: Locator;
  /** The bytes that left, or would have: hash input, hash, body and headers of the call. */
  readonly sent: SentScreen;
  readonly body: Editor;
  readonly raw: Editor;
  readonly table: Locator;
  /** The two ways to send the call once more. */
  readonly editAndResign: Locator;
  readonly repeatExactly: Locator;
  readonly saveAsExample: Locator;
  /** Texts for a screen reader. */
  readonly announced: Locator;
  /** The results of the request's checks on the response. */
  readonly checks: Locator;
  show(
    view: 'Body' | 'Sent' | 'Not sent' | 'Possibly sent' | 'Table' | 'Raw' | 'Headers' | 'Timings' | 'Findings' | 'Checks',
  ): Promise<void>;
  view(name: string): Locator;
}

/** The bytes that left as a call. */
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

/** Returns the view of the bytes that left, in a part of the page. */
export function sentIn(page: Page, part: Locator): SentScreen {
  const view = part.getByRole('tabpanel', { name: /^(Sent|Not sent|Possibly sent)$/ });
  return {
    departure: view.locator('[data-departure]'),
    hashInput: editorIn(page, view, /^Hash input of call /),
    hash: view.getByRole('region', { name: /^Hash of call / }).locator('code'),
    proof: view.getByRole('list', { name: 'Proof' }),
    body: editorIn(page, view, /^Body of call /),
    headers: view.getByRole('table', { name: /^Request headers of call / }),
    form: view.getByRole('radiogroup', { name: 'Bytes view' }),
    copy: (what) => view.getByRole('button', { name: `Copy the ${what}`, exact: true }).click(),
  };
}

export function createResponse(page: Page): ResponseScreen {
  const pane = page.getByRole('main').getByRole('region', { name: 'Response' });
  // The facts come first in the pane; the code is the first of them.
  const facts = pane.locator('> div').first();
  return {
    pane,
    code: facts.locator('> *').first(),
    facts,
    explanation: pane.getByRole('complementary', { name: 'Explanation' }),
    toProviderLog: pane.getByRole('button', { name: 'Open the log' }),
    // Behind the heading of the pane.
    failure: pane.getByRole('heading').nth(1),
    signed: facts.getByRole('button'),
    sent: sentIn(page, pane),
    body: editorIn(page, pane, /^Response of /),
    raw: editorIn(page, pane, 'Raw body'),
    table: pane.getByRole('table'),
    editAndResign: pane.getByRole('button', { name: 'Edit and re-sign' }),
    repeatExactly: pane.getByRole('button', { name: 'Repeat exactly' }),
    saveAsExample: pane.getByRole('button', { name: 'Save as example…' }),
    announced: announced(page, /answered|^Sending|cancelled|refused|no response|incomplete|checks?\b/),
    checks: pane.getByRole('list', { name: 'Checks' }).getByRole('listitem'),
    show: (view) => pane.getByRole('tab', { name: new RegExp(`^${view}`) }).click(),
    view: (name) => pane.getByRole('tabpanel', { name: new RegExp(`^${name}`) }),
  };
}

/**
 * Returns the room around the explanation of a call, in pixels: to the facts above, and to the tabs below; negative if it is
 * elsewhere.
 */
export async function roomAroundExplanation(part: Locator): Promise<{ above: number; below: number; fact: number }> {
  const [code, facts, explanation, tabs] = await Promise.all(
    [
      part.locator('div:has(> * > time) > :first-child'),
      part.locator('div:has(> * > time)'),
      part.getByRole('complementary', { name: 'Explanation' }),
      part.getByRole('tablist', { name: 'Call view' }),
    ].map((one) => one.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)),
  );
  if (code === undefined || facts === undefined || explanation === undefined || tabs === undefined) throw new Error('Not there.');
  return { above: explanation.top - facts.bottom, below: tabs.top - explanation.bottom, fact: facts.bottom - code.top };
}
