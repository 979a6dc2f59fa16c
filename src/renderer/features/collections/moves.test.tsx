import { describe } from 'vitest';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, outside } from '#testing/page/playwright.ts';
import { test as base } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';

const files: Readonly<Record<string, string>> = {
  'team/collection.yaml': 'variables:\n  gameId: "1001"\norder:\n  - wallet\n  - list.yaml\n',
  'team/list.yaml': 'operation: gameList\n',
  'team/wallet/bet.yaml': 'operation: bet # as it was\ndata: |\n  {"gameId": "{{gameId}}", "currency": "EUR"}\n',
  'team/wallet/win.yaml': 'operation: win\n',
  'smoke/rounds/lookup.yaml': 'operation: getGameRound\n',
  'smoke/start.yaml': 'operation: gameList\n',
};

/** Two collections, in a folder of its own for each test. */
const test = base.extend<{ folder: string }>({
  folder: async ({ workbench }, provide) => {
    const folder = join(dirname(workbench.home), 'two');
    await outside.writeFiles(folder, files);
    await provide(folder);
  },
});

/** Returns every file below a folder with its text. */
async function disk(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of await readdir(folder, { recursive: true }))
    if (name.endsWith('.yaml')) found[name] = await readFile(join(folder, name), 'utf8');
  return found;
}

describe('What moves between collections', () => {
  test('a request is dragged into another collection with its tab, and the notice takes it back', async ({
    shell,
    collections,
    requests,
    folder,
  }) => {
    await collections.openDirectory(join(folder, 'team'));
    await collections.openDirectory(join(folder, 'smoke'));
    await collections.open('wallet', 'bet');
    await requests.form.field('currency').fill('USD');
    await expect(requests.activeTab).toHaveText(/^bet, changed$/);
    await collections.drag('bet', 'start', 'before');
    await expect(collections.row('bet')).toHaveAttribute('aria-level', '2');
    await expect(shell.notices).toContainText('Moved "bet" to smoke.');
    const { ['team/wallet/bet.yaml']: bet = '', ...rest } = files;
    expect(await disk(folder)).toEqual({
      ...rest,
      'smoke/bet.yaml': bet,
      'smoke/collection.yaml': 'format: 1\norder:\n  - rounds\n  - bet.yaml\n  - start.yaml\n',
    });
    // The tab moved with the unsaved text; its variable belongs to the collection that it left.
    await expect(requests.activeTab).toHaveText(/^bet, changed$/);
    await expect(collections.question).toBeHidden();
    await expect(collections.unresolved).toContainText('There is no variable gameId');
    await shell.notices.getByRole('button', { name: 'Undo' }).click();
    // The notice disappears with the focus in it, which goes to what came back.
    await expect(collections.row('bet')).toBeFocused();
    await expect(collections.rows).toHaveText([/^team/, /^wallet/, /^bet/, /^win/, /^list/, /^smoke/, /^rounds/, /^start/]);
    expect(await disk(folder)).toEqual(files);
    await expect(requests.activeTab).toHaveText(/^bet, changed$/);
    await expect(collections.unresolved).toBeHidden();
    await expect(collections.question).toBeHidden();
  });

  test('a folder is dragged into a folder of another collection', async ({ shell, collections, folder }) => {
    await collections.openDirectory(join(folder, 'team'));
    await collections.openDirectory(join(folder, 'smoke'));
    await collections.drag('wallet', 'rounds', 'into');
    await expect(shell.notices).toContainText('Moved "wallet" to smoke/rounds.');
    await expect(collections.row('wallet')).toHaveAttribute('aria-level', '3');
    expect(Object.keys(await disk(folder)).sort()).toEqual([
      'smoke/rounds/folder.yaml',
      'smoke/rounds/lookup.yaml',
      'smoke/rounds/wallet/bet.yaml',
      'smoke/rounds/wallet/win.yaml',
      'smoke/start.yaml',
      'team/collection.yaml',
      'team/list.yaml',
    ]);
    expect((await disk(folder))['team/collection.yaml']).not.toContain('wallet');
    await shell.notices.getByRole('button', { name: 'Undo' }).click();
    await expect(collections.rows).toHaveText([/^team/, /^wallet/, /^list/, /^smoke/, /^rounds/, /^lookup/, /^start/]);
    expect(await disk(folder)).toEqual(files);
  });

  test('the keyboard moves to any folder of any collection, and what is in the way is told', async ({
    workbench,
    shell,
    collections,
    folder,
  }) => {
    const { keyboard } = workbench.page;
    await collections.openDirectory(join(folder, 'team'));
    await collections.openDirectory(join(folder, 'smoke'));
    await collections.row('list').focus();
    await keyboard.press('Alt+KeyM');
    await expect(collections.dialog).toContainText('Move "list"');
    await collections.moveTo('smoke', 'rounds');
    await expect(collections.row('list')).toHaveAttribute('aria-level', '3');
    await expect(collections.row('list')).toBeFocused();
    expect((await disk(folder))['smoke/rounds/list.yaml']).toBe(files['team/list.yaml']);
    await shell.notices.getByRole('button', { name: 'Undo' }).focus();
    await keyboard.press('Enter');
    await expect(collections.rows).toHaveText([/^team/, /^wallet/, /^list/, /^smoke/, /^rounds/, /^lookup/, /^start/]);
    expect(await disk(folder)).toEqual(files);

    // A folder cannot move into itself; within a collection the same dialog moves it.
    await collections.row('wallet').click({ button: 'right' });
    await workbench.page.getByRole('menuitem', { name: 'Move to…' }).click();
    await collections.dialog.getByRole('combobox', { name: 'Collection' }).selectOption({ label: 'team' });
    await expect(collections.dialog.getByRole('combobox', { name: 'Folder' }).getByRole('option')).toHaveText(['Top level']);
    await expect(collections.dialog.getByRole('button', { name: 'Move', exact: true })).toBeDisabled();
    await keyboard.press('Escape');
    await writeFile(join(folder, 'smoke', 'List.yaml'), 'operation: bet\n');
    await expect(collections.row('List')).toBeVisible();
    await collections.menu('list', 'Move to…');
    await collections.moveTo('smoke');
    await expect(shell.notices).toContainText('"list" was not moved. List.yaml is in its place now.');
    expect(await disk(folder)).toEqual({ ...files, 'smoke/List.yaml': 'operation: bet\n' });
  });

  test('quick open finds the files of open collections by name and by path', async ({
    workbench,
    collections,
    requests,
    palette,
    folder,
  }) => {
    const { keyboard } = workbench.page;
    await collections.openDirectory(join(folder, 'team'));
    await collections.openDirectory(join(folder, 'smoke'));
    const chosen = palette.quick.getByRole('option', { selected: true });
    await palette.openQuick();
    await keyboard.insertText('looku');
    await expect(chosen).toHaveText(/^lookup\s*smoke\/rounds\/lookup\.yaml/);
    await keyboard.press('Enter');
    await expect(palette.quick).toBeHidden();
    await expect(requests.activeTab).toHaveText(/^lookup$/);
    await palette.openQuick();
    await keyboard.insertText('wallet/wi');
    await expect(chosen).toHaveText(/^win\s*team\/wallet\/win\.yaml/);
    await keyboard.press('Enter');
    await expect(requests.activeTab).toHaveText(/^win$/);
    // The palette opens it from any area, and an open tab is not opened twice.
    await palette.run('lookup smoke', /^lookup/);
    await expect(requests.activeTab).toHaveText(/^lookup$/);
    await expect(requests.tabs).toHaveCount(3);
    await palette.openQuick();
    await keyboard.insertText('win');
    await expect(palette.quick.getByRole('group', { name: 'Open requests' }).getByRole('option')).toHaveText([/^win/]);
    // The palette finds a new file, and no longer a removed one.
    await keyboard.press('Escape');
    await rm(join(folder, 'smoke', 'start.yaml'));
    await writeFile(join(folder, 'smoke', 'morning check.yaml'), 'operation: gameList\n');
    await expect(collections.row('morning check')).toBeVisible();
    await palette.openQuick();
    await keyboard.insertText('morn');
    await expect(chosen).toHaveText(/^morning check/);
    await keyboard.press('ControlOrMeta+A');
    await keyboard.insertText('smoke start');
    await expect(palette.quick.getByRole('option').filter({ hasText: 'start.yaml' })).toHaveCount(0);
  });

  test('in both themes moves and found files are readable', async ({ workbench, collections, palette, shell, folder }) => {
    const { page } = workbench;
    const { found, look } = createLook(workbench);
    await collections.openDirectory(join(folder, 'team'));
    await collections.openDirectory(join(folder, 'smoke'));
    await collections.open('wallet');
    await collections.row('bet').click({ button: 'right' });
    await look('menu');
    await page.keyboard.press('Escape');
    await collections.menu('bet', 'Move to…');
    await look('move to');
    await collections.moveTo('smoke', 'rounds');
    await expect(shell.notices).toContainText('Moved');
    await look('moved');
    await collections.action('Open a collection');
    await look('open a directory');
    await page.keyboard.press('Escape');
    await palette.openQuick();
    await page.keyboard.insertText('smoke');
    await expect(palette.quick.getByRole('option').filter({ hasText: 'lookup.yaml' })).toBeVisible();
    await look('quick open');
    await page.keyboard.press('Escape');
    await workbench.resize(1024, 700);
    await look('narrow');
    expect(found).toEqual([]);
  });
});
