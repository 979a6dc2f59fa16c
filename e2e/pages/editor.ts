import type { Locator, Page } from '@playwright/test';

/** A Monaco editor in the page, found by its accessible name. */
export interface Editor {
  /** The whole editor, for checks of what it draws. */
  readonly frame: Locator;
  /** The wavy lines under marked text. */
  readonly markers: Locator;
  /** Returns the text in sight, with wrapped lines joined and with the signs for invisible characters. */
  text(): Promise<string>;
  /** Returns the lines in sight. */
  lines(): Promise<string[]>;
  /** Replaces the whole text as a paste would. */
  replace(text: string): Promise<void>;
  /** Replaces the whole text through the clipboard, for texts too long to type. */
  paste(text: string): Promise<void>;
  focus(): Promise<void>;
}

/** Finds the editor whose text is named `name` in a part of the page. */
export function editorIn(page: Page, part: Locator, name: string | RegExp): Editor {
  const frame = part.locator('.monaco-editor').filter({ has: page.getByRole('textbox', { name }) });
  const lines = () =>
    frame.locator('.view-lines .view-line').evaluateAll((elements) =>
      elements
        .map((element) => ({ top: Number.parseFloat((element as HTMLElement).style.top), text: element.textContent }))
        .sort((a, b) => a.top - b.top)
        // The editor draws spaces as no-break spaces.
        .map(({ text }) => text.replaceAll('\u00a0', ' ')),
    );
  const focus = () => frame.getByRole('textbox', { name }).focus();
  return {
    frame,
    markers: frame.locator('.squiggly-error, .squiggly-warning, .squiggly-info'),
    lines,
    text: async () => (await lines()).join(''),
    async replace(text) {
      await focus();
      await page.keyboard.press('ControlOrMeta+A');
      // Over a selection the editor would add closing brackets to inserted text.
      await page.keyboard.press('Delete');
      await page.keyboard.insertText(text);
    },
    async paste(text) {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('ControlOrMeta+V');
    },
    focus,
  };
}
