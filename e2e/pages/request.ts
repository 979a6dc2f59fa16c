import { expect, type Locator, type Page } from '@playwright/test';
import { editorIn, type Editor } from './editor.ts';

/** The open request: tabs, request line, overrides, form, editor and hash input. */
export interface RequestScreen {
  readonly tabs: Locator;
  readonly activeTab: Locator;
  readonly part: Locator;
  readonly send: Locator;
  readonly cancel: Locator;
  /** The faults that are on, as chips. */
  readonly chips: Locator;
  readonly refusal: Locator;
  readonly overrides: OverridesPanel;
  readonly form: RequestForm;
  /** The JSON editor over the same text as the form. */
  readonly editor: Editor;
  /** The body as it will be sent. */
  readonly envelope: Editor;
  readonly hashInput: HashInput;
  show(view: 'Form' | 'Checks' | 'Data' | 'Fields' | 'Body' | 'Envelope' | 'Next body' | 'Examples'): Promise<void>;
  /** Shows the editor and waits until it is there. */
  openEditor(): Promise<Editor>;
}

interface OverridesPanel {
  readonly panel: Locator;
  readonly button: Locator;
  open(): Promise<void>;
  close(): Promise<void>;
  hash(choice: 'As computed' | 'Wrong digit' | 'Custom'): Promise<void>;
  set(field: 'time' | 'platform' | 'partnerId', text: string): Promise<void>;
  leaveOut(field: string): Promise<void>;
  clear(): Promise<void>;
}

interface RequestForm {
  readonly panel: Locator;
  readonly message: Locator;
  field(name: string): Locator;
  /** Returns the texts at a field: limits, notes, warnings. */
  row(name: string): Locator;
  /** The warning of a field. */
  warning(name: string): Locator;
  choose(name: string, value: string): Promise<void>;
  leaveOut(name: string): Promise<void>;
  /** Takes a session token of a player of the built-in provider. */
  takeToken(player: RegExp): Promise<void>;
}

interface HashInput {
  readonly pane: Locator;
  readonly text: Editor;
  readonly sizes: Locator;
  readonly instability: Locator;
  readonly showing: Locator;
  /** Returns the whole digest, once it is that of what is shown. */
  digest(): Promise<string>;
  show(view: 'Text' | 'Hex'): Promise<void>;
}

export function createRequest(page: Page): RequestScreen {
  const main = page.getByRole('main', { name: 'Requests' });
  const part = main.getByRole('region', { name: 'Request', exact: true });
  const pane = main.getByRole('region', { name: 'Next hash input' });
  const tabs = main.getByRole('tablist', { name: 'Open requests' }).getByRole('tab');
  const editor = editorIn(page, part, /, JSON$/);
  // The word is followed by the number of checks.
  const show = (view: string) => part.getByRole('tab', { name: new RegExp(`^${view} ?\\d*$`) }).click();
  const panel = page.getByRole('dialog', { name: 'Overrides' });
  const overridesButton = main.getByRole('button', { name: /^Overrides/ });
  const formPanel = part.getByRole('tabpanel', { name: 'Form' });
  const field = (name: string) =>
    formPanel.getByRole('textbox', { name, exact: true }).or(formPanel.getByRole('textbox', { name: `${name}, JSON text` }));
  // A field's row is the smallest part that holds its control and the button that leaves it out.
  const row = (name: string) =>
    formPanel
      .locator('div')
      .filter({ has: page.getByRole('button', { name: `Leave out ${name}`, exact: true }) })
      .last();
  return {
    tabs,
    activeTab: main.getByRole('tablist', { name: 'Open requests' }).getByRole('tab', { selected: true }),
    part,
    send: main.getByRole('button', { name: /^Send/ }),
    cancel: main.getByRole('button', { name: /^Cancel/ }).first(),
    chips: main.getByRole('list', { name: 'Active overrides' }).getByRole('listitem'),
    refusal: main.getByRole('alert'),
    overrides: {
      panel,
      button: overridesButton,
      async open() {
        await overridesButton.click();
        await expect(panel).toBeVisible();
      },
      async close() {
        await page.keyboard.press('Escape');
        await expect(panel).toBeHidden();
      },
      hash: (choice) => panel.getByRole('radio', { name: choice }).click(),
      set: (name, text) => panel.getByRole('textbox', { name, exact: true }).fill(text),
      leaveOut: (name) => panel.getByRole('checkbox', { name, exact: true }).click(),
      clear: () => panel.getByRole('button', { name: 'Clear all' }).click(),
    },
    form: {
      panel: formPanel,
      message: formPanel.getByRole('heading').first(),
      field,
      row,
      warning: (name) => row(name).locator('[id$="-warning"]'),
      choose: (name, value) => formPanel.getByRole('radiogroup', { name }).getByRole('radio', { name: value }).click(),
      leaveOut: (name) => formPanel.getByRole('button', { name: `Leave out ${name}`, exact: true }).click(),
      async takeToken(player) {
        await formPanel.getByRole('button', { name: 'Use a session token' }).click();
        await page.getByRole('menuitemradio', { name: player }).click();
      },
    },
    editor,
    envelope: editorIn(page, part, 'Body of the next request'),
    hashInput: {
      pane,
      text: editorIn(page, pane, 'Next hash input'),
      sizes: pane.getByText(/^key .* B, time /).locator('..'),
      instability: pane.getByRole('status').filter({ hasText: /byte/ }),
      showing: pane.getByRole('tabpanel'),
      async digest() {
        const said = pane.getByText(/^Hash [0-9a-f]{64}$/);
        await expect(said).toHaveCount(1);
        return ((await said.textContent()) ?? '').replace('Hash ', '');
      },
      show: (view) => pane.getByRole('tab', { name: view }).click(),
    },
    show,
    async openEditor() {
      await part.getByRole('tablist', { name: 'Request view' }).getByRole('tab').nth(1).click();
      await expect(editor.frame).toBeVisible();
      return editor;
    },
  };
}
