import { expect, type Locator, type Page } from '@playwright/test';

/** The palette that finds anything. */
export interface Palette {
  readonly dialog: Locator;
  readonly input: Locator;
  readonly options: Locator;
  open(): Promise<void>;
  /** The dialog of quick open. */
  readonly quick: Locator;
  openQuick(): Promise<void>;
  /** Opens it, types, and takes the first result once its text matches. */
  run(text: string, first: RegExp): Promise<void>;
}

export function createPalette(page: Page): Palette {
  const dialog = page.getByRole('dialog', { name: 'Find anything' });
  const input = dialog.getByRole('combobox');
  const options = dialog.getByRole('option');
  const open = async () => {
    await page.keyboard.press('ControlOrMeta+K');
    await expect(input).toBeFocused();
  };
  const quick = page.getByRole('dialog', { name: 'Quick open' });
  return {
    quick,
    async openQuick() {
      await page.keyboard.press('ControlOrMeta+P');
      await expect(quick.getByRole('combobox')).toBeFocused();
    },
    dialog,
    input,
    options,
    open,
    async run(text, first) {
      await open();
      await page.keyboard.insertText(text);
      await expect(dialog.getByRole('option', { selected: true })).toHaveText(first);
      await page.keyboard.press('Enter');
      await expect(dialog).toBeHidden();
    },
  };
}
