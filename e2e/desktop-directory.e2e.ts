import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OpenDialogOptions } from 'electron';
import { expect, test, type Workbench } from './fixtures.ts';

// None of these expects Chromium to prevent something: what the shell cannot do would pass for nothing.
/** Answers the system's dialog for directories from now on; null declines. Gives what was asked, each time. */
async function answerWith({ desktop }: Workbench, directory: string | null): Promise<() => Promise<OpenDialogOptions[]>> {
  if (desktop === null) throw new Error('This is for the desktop.');
  const app = desktop.app();
  await app.evaluate(({ BrowserWindow, dialog }, answer) => {
    const asked: unknown[] = [];
    Reflect.set(globalThis, 'askedDirectories', asked);
    dialog.showOpenDialog = ((window: unknown, options?: OpenDialogOptions) => {
      // Over the window, so that nothing is done behind it.
      if (!(window instanceof BrowserWindow)) throw new Error('The dialog belongs to no window.');
      asked.push(options);
      return Promise.resolve({ canceled: answer === null, filePaths: answer === null ? [] : [answer] });
    }) as typeof dialog.showOpenDialog;
  }, directory);
  return () => app.evaluate(() => Reflect.get(globalThis, 'askedDirectories') as OpenDialogOptions[]);
}

test("a directory is opened that was chosen in the system's dialog, and declining changes nothing", async ({
  workbench,
  collections,
}) => {
  const directory = path.join(path.dirname(workbench.home), 'team ü');
  await mkdir(directory);
  await writeFile(path.join(directory, 'list.yaml'), 'operation: gameList\n');
  await collections.show();
  await workbench.page.getByRole('button', { name: 'Open a collection' }).click();
  await collections.directory.fill('/typed');
  await answerWith(workbench, null);
  await collections.choose.click();
  await expect(collections.choose).not.toHaveAttribute('aria-busy');
  await expect(collections.directory).toHaveValue('/typed');
  const asked = await answerWith(workbench, directory);
  await collections.choose.click();
  await expect(collections.directory).toHaveValue(directory);
  expect(await asked()).toEqual([
    {
      title: 'Open collection folder',
      buttonLabel: 'Open',
      properties: ['openDirectory', 'createDirectory'],
    },
  ]);
  await collections.dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(collections.row('list')).toBeVisible();
});

test('a starter is copied below the directory that was chosen', async ({ workbench, collections }) => {
  const parent = path.dirname(workbench.home);
  const asked = await answerWith(workbench, parent);
  await collections.show();
  await collections.starters.filter({ hasText: 'First call' }).click();
  await collections.choose.click();
  await expect(collections.directory).toHaveValue(path.join(parent, 'first-call'));
  await collections.dialog.getByRole('combobox', { name: 'Starter' }).selectOption({ label: 'Launch' });
  await expect(collections.directory).toHaveValue(path.join(parent, 'launch'));
  expect(await asked()).toMatchObject([{ properties: ['openDirectory', 'createDirectory'] }]);
  await collections.dialog.getByRole('button', { name: 'Copy and open' }).click();
  await expect(collections.row('Games')).toBeVisible();
});

test('the words of the dialog cannot come from a page, and a dialog that fails is told', async ({ workbench, collections }) => {
  const asked = await answerWith(workbench, null);
  const refused = await workbench.page.evaluate(async () =>
    Promise.all(
      [{}, { purpose: 'save' }, { purpose: 'open', title: 'Your password, please' }].map(async (input) =>
        window.croupier?.call('app.pickDirectory', input),
      ),
    ),
  );
  for (const reply of refused) expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect(await asked()).toEqual([]);
  await workbench.desktop?.app().evaluate(({ dialog }) => {
    dialog.showOpenDialog = () => Promise.reject(new Error('no portal'));
  });
  await collections.show();
  await workbench.page.getByRole('button', { name: 'Open a collection' }).click();
  await collections.choose.click();
  await expect(collections.dialog).toContainText("The system's folder dialog did not open. Type the absolute path.");
  await collections.directory.fill(path.dirname(workbench.home));
  await collections.dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(collections.tree).toBeVisible();
});
