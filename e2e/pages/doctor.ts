import type { Locator, Page } from '@playwright/test';
import { dropFile } from './drop-file.ts';
import { editorIn, type Editor } from './editor.ts';

/** The screen that finds the mistake in a request's hash. */
export interface DoctorScreen {
  readonly main: Locator;
  readonly text: Locator;
  /** The words about what was recognised in the text. */
  readonly recognised: Locator;
  /** Returns a field of the examined request. */
  field(name: 'action' | 'time' | 'data' | 'hash' | 'Key of'): Locator;
  readonly choice: Locator;
  /** Takes a file, as the button that chooses one does. */
  readonly file: Locator;
  /** Drops a file on the screen. */
  drop(name: string, text: string): Promise<void>;
  readonly finding: Locator;
  /** The mistakes that the text of data shows, while nothing is found. */
  readonly guesses: Locator;
  readonly fix: Locator;
  /** The lines of what was tried. */
  readonly stages: Locator;
  readonly expected: Editor;
  readonly hashed: Editor;
  /** The hash input of data as it came, before another one is found. */
  readonly sent: Editor;
  /** The other one of two requests. */
  readonly beside: Locator;
  readonly bytes: Locator;
  /** The questions of the plan for the provider, and what its codes show. */
  readonly questions: Locator;
  readonly findings: Locator;
  button(name: string | RegExp): Locator;
  /** Shows one part, on a narrow window. */
  show(part: 'Request' | 'Hash inputs' | 'Finding'): Promise<void>;
  /** Pastes outside of all fields, as a person does. */
  paste(text: string, keys?: string): Promise<void>;
}

export function createDoctor(page: Page): DoctorScreen {
  const main = page.getByRole('main', { name: 'Doctor' });
  const finding = main.getByRole('region', { name: 'Finding' });
  return {
    main,
    text: main.getByRole('textbox', { name: 'Pasted text' }),
    recognised: main.locator('#doctor-recognised'),
    field: (name) => main.getByRole('group', { name: 'Request to examine' }).getByLabel(name, { exact: true }),
    file: main.locator('input[type=file]'),
    drop: (name, text) => dropFile(main.getByRole('textbox', { name: 'Pasted text' }), name, text),
    choice: main.getByRole('combobox', { name: 'Request', exact: true }),
    finding,
    guesses: main.getByRole('region', { name: /^Best guesses/ }).getByRole('listitem'),
    fix: main.getByRole('region', { name: 'Fix' }),
    stages: main.getByRole('region', { name: 'Search stages' }).getByRole('listitem'),
    expected: editorIn(page, main, 'Expected hash input'),
    hashed: editorIn(page, main, "Your backend's hash input"),
    sent: editorIn(page, main, /^With data as (?:sent|pasted)$/),
    beside: main.getByRole('region', { name: /^Request \d and request \d/ }),
    bytes: main.getByLabel(/^Bytes around byte/),
    questions: main.getByRole('list', { name: 'Questions' }).getByRole('listitem'),
    findings: main.getByRole('list', { name: 'Findings of the plan' }).getByRole('listitem'),
    button: (name) => main.getByRole('button', { name }),
    show: (part) => main.getByRole('tab', { name: part }).click(),
    async paste(text, keys = 'ControlOrMeta+V') {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.keyboard.press(keys);
    },
  };
}
