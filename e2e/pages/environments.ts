import { expect, type Locator, type Page } from '@playwright/test';

/** The environments: the list, the form of one, and its key. */
export interface EnvironmentsScreen {
  readonly title: Locator;
  readonly list: Locator;
  readonly save: Locator;
  readonly key: KeySlot;
  field(label: string): Locator;
  /** Returns the choice of a colour. */
  color(name: string): Locator;
  /** Returns the message about a field. */
  error(label: string): Locator;
  open(name: string): Promise<void>;
  startNew(): Promise<void>;
  /** Creates an environment from the fields by their labels and waits for it. */
  create(fields: Readonly<Record<string, string>>): Promise<void>;
  use(): Promise<void>;
  remove(): Promise<void>;
  setProduction(production?: boolean): Promise<void>;
}

interface KeySlot {
  readonly slot: Locator;
  readonly field: Locator;
  readonly trim: Locator;
  set(key: string): Promise<void>;
  submit(): Promise<void>;
  replace(): Promise<void>;
  /** One of two keys, as the choice of the one that signs. */
  of(which: 'New' | 'Older'): Locator;
  discard(which: 'new' | 'older'): Locator;
  remove(): Promise<void>;
}

export function createEnvironmentsScreen(page: Page): EnvironmentsScreen {
  const main = page.getByRole('main', { name: 'Environments' });
  const list = page.getByRole('complementary', { name: 'Environments: list' });
  const save = main.getByRole('button', { name: /^(?:Save|Create)$/ });
  const field = (label: string) => main.getByLabel(label, { exact: true });
  const slot = main.getByRole('group', { name: 'Private key' });
  const keyField = slot.getByLabel(/private key/i).and(page.locator('input'));
  const submit = () => slot.getByRole('button', { name: /^(Set|Replace) key$/ }).click();
  const screen: EnvironmentsScreen = {
    title: main.getByRole('heading', { level: 1 }),
    list,
    save,
    key: {
      slot,
      field: keyField,
      trim: slot.getByRole('button', { name: 'Use trimmed key' }),
      async set(key) {
        await keyField.fill(key);
        await submit();
      },
      submit,
      replace: () => slot.getByRole('button', { name: 'Replace', exact: true }).click(),
      of: (which) => slot.getByRole('radio', { name: new RegExp(`^${which} key`) }),
      discard: (which) => slot.getByRole('button', { name: `Discard the ${which} key` }),
      remove: () => slot.getByRole('button', { name: 'Remove' }).click(),
    },
    field,
    color: (name) => main.getByRole('radio', { name, exact: true }),
    // The part of the form with a label of its own.
    error: (label) =>
      main
        .locator('div:has(> label)')
        .filter({ has: page.getByLabel(label, { exact: true }) })
        .last()
        .locator('[id$="-error"]'),
    open: (name) => list.getByRole('option', { name: new RegExp(`^${name}\\b`) }).click(),
    startNew: () => list.getByRole('button', { name: 'New environment' }).first().click(),
    async create(fields) {
      await screen.startNew();
      for (const [label, text] of Object.entries(fields)) await field(label).fill(text);
      await screen.setProduction(false);
      await save.click();
      await expect(main.getByRole('button', { name: 'Save' })).toBeDisabled();
    },
    use: () => main.getByRole('button', { name: 'Use for requests' }).click(),
    remove: () => main.getByRole('button', { name: 'Remove environment' }).click(),
    setProduction: (production = true) =>
      main.getByRole('radio', { name: production ? /^Production/ : 'Not production' }).click(),
  };
  return screen;
}
