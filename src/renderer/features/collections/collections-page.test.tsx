import { describe } from 'vitest';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, outside } from '#testing/page/playwright.ts';
import { test as base } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';
import { createRunsScreen } from '../../../../e2e/pages/runs.ts';

const bet = `# what the wallet is asked for a round
operation: bet
data: |
  {
    "externalToken": "{{externalToken}}",
    "playerId": "{{playerId}}",
    "gameId": "1042",
    "transactionId": "{{$uniqueId:bet}}",
    "amount": {{amount}},
    "currency": "{{currency}}"
  }
take:
  balance: /balance
expect:
  - code: '0'
  - path: /balance
    type: number
mine: kept
`;

/** A collection under git, of its own for each test. */
const test = base.extend<{ directory: string }>({
  directory: async ({ workbench }, provide) => {
    const directory = join(dirname(workbench.home), 'team');
    await outside.writeFiles(directory, {
      'collection.yaml': "variables:\n  amount: '1.50'\n  lang: en\n",
      'launch.yaml': 'operation: getLauncherURL\ndata: |\n  {"gameMode": "fun", "gameId": "1001", "lang": "{{lang}}"}\n',
      'list.yaml': 'operation: gameList\n',
      'broken.yaml': 'operation: bet\ndata: {a: [1, 2\n',
      'wallet/bet.yaml': bet,
      'wallet/info.yaml': 'operation: playerInfo\ndata: |\n  {"externalToken": "{{nobody}}"}\n',
    });
    await outside.git(directory, 'init', '--quiet');
    await outside.git(directory, 'add', '.');
    await outside.git(directory, 'commit', '--quiet', '-m', 'one');
    await provide(directory);
  },
});

/** Returns the lines that git shows as changed, without its headings. */
async function changedLines(directory: string): Promise<string[]> {
  return (await outside.git(directory, 'diff', '--unified=0')).split('\n').filter((line) => /^[+-](?![+-])/.test(line));
}

describe('Collections', () => {
  test('an environment of a collection is used after a look at it, follows its file, and is asked about when its address moves', async ({
    workbench,
    collections,
    environments,
    shell,
    directory,
  }) => {
    const { page } = workbench;
    const file = join(directory, 'environments', 'Staging.yaml');
    await outside.writeFiles(directory, {
      'environments/Staging.yaml': 'baseUrl: https://a.example # ours\nplatform: 1\npartnerId: 42\nproduction: true\n',
    });
    await outside.git(directory, 'add', '.');
    await collections.openDirectory(directory);
    const banner = page.getByRole('status', { name: /^Environments of / });
    await expect(banner).toContainText("has environments you don't use yet: Staging");
    await banner.getByRole('button', { name: 'Review environments' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('table', { name: 'Settings of Staging' })).toContainText('https://a.example');
    await dialog.getByRole('button', { name: 'Use Staging' }).click();
    await expect(dialog.getByText('followed', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(banner).toBeHidden();

    await writeFile(file, (await readFile(file, 'utf8')).replace('a.example', 'evil.example').replace('true', 'false'));
    await expect(banner).toContainText('Yours is unchanged');
    await banner.getByRole('button', { name: 'Review environments' }).click();
    await expect(dialog.getByRole('table', { name: 'Differences of Staging' }).getByText('needs your consent')).toHaveCount(2);
    await outside.git(directory, 'checkout', '--', 'environments');
    await expect(dialog.getByText('followed', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');

    // An edit in the workbench is a line in git, and the rest of the file stays.
    await shell.goTo('Environments');
    await environments.open('Staging');
    await expect(page.getByText(/^Linked to environments\/Staging\.yaml of /)).toBeVisible();
    await environments.field('Base URL').fill('https://b.example');
    await environments.field('Player ID').fill('mine');
    await environments.save.click();
    await expect
      .poll(() => changedLines(directory))
      .toEqual(['-baseUrl: https://a.example # ours', '+baseUrl: https://b.example # ours']);
  });

  test('a request is opened, edited and saved: git sees the edited line alone', async ({
    workbench,
    collections,
    requests,
    directory,
  }) => {
    const { page } = workbench;
    await collections.openDirectory(directory);
    await collections.open('wallet', 'bet');
    await expect(requests.activeTab).toHaveText(/^bet$/);
    await requests.form.field('gameId').fill('1001');
    await expect(requests.activeTab).toHaveText(/changed/);
    await page.keyboard.press('ControlOrMeta+S');
    await expect(requests.activeTab).toHaveText(/^bet$/);
    expect(await changedLines(directory)).toEqual(['-    "gameId": "1042",', '+    "gameId": "1001",']);
    // A field for a number accepts a variable as well as digits.
    await requests.form.field('amount').fill('{{stake}}');
    await requests.form.field('amount').fill('0.10');
    await page.keyboard.press('ControlOrMeta+S');
    await expect(requests.activeTab).toHaveText(/^bet$/);
    expect(await changedLines(directory)).toContain('+    "amount": 0.10,');
    expect(await readFile(join(directory, 'wallet', 'bet.yaml'), 'utf8')).toContain('mine: kept');
  });

  test('what others do to a file shows at once, and a conflict with what was typed asks', async ({
    workbench,
    collections,
    requests,
    directory,
  }) => {
    const file = join(directory, 'launch.yaml');
    const text = await readFile(file, 'utf8');
    await collections.openDirectory(directory);
    await collections.open('launch');
    await expect(requests.form.field('gameId')).toHaveValue('1001');
    await writeFile(file, text.replace('1001', '1002'));
    await expect(requests.form.field('gameId')).toHaveValue('1002');
    await expect(collections.question).toBeHidden();

    await requests.form.field('gameId').fill('mine');
    await writeFile(file, text.replace('1001', '1003'));
    await expect(collections.question).toContainText('Another program changed');
    await collections.answer('Compare');
    await expect(collections.dialog).toContainText('Two versions of "launch"');
    await expect(collections.dialog).toContainText('1003');
    await workbench.page.keyboard.press('Escape');
    await collections.answer('Keep mine');
    await expect(collections.question).toBeHidden();
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await expect.poll(() => readFile(file, 'utf8')).toContain('"gameId": "mine"');

    await requests.form.field('gameId').fill('mine again');
    await writeFile(file, text.replace('1001', '1004'));
    await collections.answer('Take theirs');
    await expect(requests.form.field('gameId')).toHaveValue('1004');
    await expect(requests.activeTab).toHaveText(/^launch$/);

    await rm(file);
    await expect(collections.question).toContainText('was removed');
    await expect(requests.activeTab).toHaveText(/changed/);
    await writeFile(file, text);
    await expect(collections.question).toContainText('Another program changed');
    await collections.answer('Take theirs');
    await expect(requests.form.field('gameId')).toHaveValue('1001');
  });

  test('variables are in what is hashed, and one without a value names its place', async ({
    workbench,
    shell,
    collections,
    requests,
    response,
    directory,
  }) => {
    await collections.openDirectory(directory);
    await collections.open('launch');
    await expect(requests.hashInput.text.frame).toContainText('"lang":"en"');
    await expect(collections.values).toHaveText(['lang, from the collection: en']);
    await collections.open('wallet', 'bet');
    await requests.show('Next body');
    await expect(requests.envelope.frame).toContainText('"amount": 1.50,');
    const before = await requests.envelope.text();
    await requests.show('Form');
    await requests.form.field('gameId').fill('1001');
    await requests.show('Next body');
    // A preview creates no new IDs while a person types.
    await expect.poll(() => requests.envelope.text()).toBe(before.replace('1042', '1001'));
    await requests.send.click();
    await expect(response.code).toBeVisible();

    await collections.open('info');
    await expect(collections.unresolved).toContainText('line 1, column 20');
    await expect(collections.unresolved).toContainText('There is no variable nobody');
    await requests.openEditor();
    await expect(requests.editor.markers.first()).toBeVisible();
    await requests.send.click();
    await expect(requests.refusal).toContainText('There is no variable nobody');
    await collections.menu('wallet', 'Variables and notes');
    await collections.dialog.getByRole('button', { name: 'Add a variable' }).click();
    await expect(collections.dialog.getByRole('textbox', { name: /^Name/ }).last()).toBeFocused();
    await workbench.page.keyboard.insertText('nobody');
    await collections.dialog.getByRole('textbox', { name: 'Value of nobody' }).fill('somebody');
    await collections.dialog.getByRole('button', { name: 'Save' }).click();
    await expect(collections.dialog).toBeHidden();
    await expect(collections.unresolved).toBeHidden();
    expect(await readFile(join(directory, 'wallet', 'folder.yaml'), 'utf8')).toBe('variables:\n  nobody: somebody\n');
    await requests.show('Next body');
    await expect(requests.envelope.frame).toContainText('somebody');
    await shell.openOperation('getLauncherURL');
    const editor = await requests.openEditor();
    await editor.replace('{"playerId": "{{playerId}}"}');
    await expect(collections.values).toHaveText(['playerId, from the environment: player-1']);
  });

  test('checks are read, edited and saved', async ({ workbench, collections, requests, directory }) => {
    await collections.openDirectory(directory);
    await collections.open('wallet', 'bet');
    await requests.show('Checks');
    await collections.checks.getByRole('textbox', { name: 'Check 1, code' }).fill('8');
    await collections.checks.getByRole('textbox', { name: 'Check 2, path' }).fill('balance');
    await expect(collections.checks).toContainText('Start the path with /');
    await collections.checks.getByRole('textbox', { name: 'Check 2, path' }).fill('/balance');
    await collections.checks.getByRole('button', { name: 'Add a condition' }).click();
    await collections.checks.getByRole('textbox', { name: 'Check 2, equals' }).fill('7.50');
    await collections.checks.getByRole('button', { name: 'Add a variable' }).click();
    await collections.checks.getByRole('textbox', { name: 'Variable 2, name' }).fill('playerName');
    await collections.checks.getByRole('textbox', { name: 'Variable 2, path' }).fill('/playerId');
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await expect(requests.activeTab).toHaveText(/^bet$/);
    expect(await changedLines(directory)).toEqual([
      '+  playerName: /playerId',
      "-  - code: '0'",
      '+  - code: 8',
      '+    equals: "7.50"',
    ]);
  });

  test('tags are read, edited and saved in their line, and a run chooses by them', async ({
    workbench,
    collections,
    requests,
    shell,
    directory,
  }) => {
    const { page } = workbench;
    const file = join(directory, 'list.yaml');
    await writeFile(file, '# ours\noperation: gameList\ntags: [smoke, slow] # since May\nmine: kept\n');
    await rm(join(directory, 'broken.yaml'));
    await outside.git(directory, 'add', '.');
    await collections.openDirectory(directory);
    await collections.open('list');
    await requests.show('Checks');
    const tags = collections.checks.getByRole('textbox', { name: 'Tags' });
    await expect(tags).toHaveValue('smoke, slow');
    await tags.fill('smoke, qu!ck');
    await expect(tags).toHaveAccessibleDescription(/Not saved\. qu!ck is not a tag\. Use letters, digits, /);
    await tags.fill('smoke, quick');
    await expect(tags).toHaveAccessibleDescription('Runs can select requests by tag: smoke, wallet.');
    await page.keyboard.press('ControlOrMeta+S');
    await expect(requests.activeTab).toHaveText(/^list$/);
    expect(await changedLines(directory)).toEqual(['-tags: [smoke, slow] # since May', '+tags: [smoke, quick] # since May']);
    await tags.press('ControlOrMeta+Z');
    await expect(tags).toHaveValue('smoke, qu!ck');

    const runs = createRunsScreen(page);
    await shell.goTo('Runs');
    await runs.start(directory, { 'Only with tags': 'quik' });
    await expect(runs.dialog.getByRole('alert')).toContainText('no request here has the tag quik. Did you mean quick?');
    await runs.field('Only with tags').fill('quick, smoke');
    await runs.run.click();
    await expect(runs.rows).toHaveCount(1);
    await expect(runs.rows).toContainText('list');
    await expect(runs.main.getByRole('heading', { level: 1 })).toContainText('tagged quick or smoke');
  });

  test('a file that cannot be read says where, and is left untouched', async ({ collections, directory }) => {
    await collections.openDirectory(directory);
    await collections.row('broken').click();
    await expect(collections.trouble).toContainText("broken can't be read");
    await expect(collections.trouble).toContainText(/Line \d+, column \d+/);
    await expect(collections.trouble).toContainText('Fix the file in an editor.');
    expect(await outside.git(directory, 'status', '--porcelain')).toBe('');
    await writeFile(join(directory, 'broken.yaml'), 'operation: gameList\n');
    await expect(collections.trouble).toBeHidden();
    await expect(collections.row('broken')).toHaveAccessibleName('broken gameList, changed since the last commit');
  });

  test('files are renamed, moved, duplicated and deleted with the mouse, and a delete is undone', async ({
    shell,
    collections,
    requests,
    directory,
  }) => {
    await collections.openDirectory(directory);
    await collections.open('launch');
    await collections.menu('launch', 'Rename');
    await collections.rename.fill('start');
    await collections.rename.press('Enter');
    await expect(collections.row('start')).toBeVisible();
    await expect(requests.activeTab).toHaveText(/^start$/);
    await collections.drag('start', 'wallet', 'into');
    await expect(collections.row('start')).toHaveAttribute('aria-level', '3');
    await expect(requests.activeTab).toHaveText(/^start$/);
    await collections.drag('start', 'bet', 'before');
    await expect.poll(async () => (await collections.rows.allTextContents()).join(' ')).toMatch(/wallet\s+start.*\bbet\b/);
    expect(await readFile(join(directory, 'wallet', 'folder.yaml'), 'utf8')).toContain('order:\n  - start.yaml\n');
    await collections.menu('start', 'Duplicate');
    await expect(collections.row('start 2').or(collections.row('start copy'))).toBeVisible();
    await collections.menu('start', 'Delete');
    await expect(collections.row('start')).toBeHidden();
    await expect(collections.question).toContainText('was removed');
    await shell.notices.getByRole('button', { name: 'Undo' }).click();
    await expect(collections.row('start')).toBeVisible();
    await expect(collections.question).toBeHidden();
    await collections.filter.fill('inf');
    await expect(collections.rows).toHaveCount(3);
  });

  test('requests of other tools come in by a file, after a list of what becomes of them, and go out as one', async ({
    workbench,
    shell,
    collections,
    palette,
    directory,
  }) => {
    const { page } = workbench;
    await collections.openDirectory(directory);
    await palette.run('import from', /Import from cURL/);
    const dialog = page.getByRole('dialog', { name: 'Import requests' });
    await dialog.getByRole('textbox').fill('not a command');
    await dialog.getByRole('button', { name: 'Read the text' }).click();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Choose others' }).click();
    const body = '{"action":"gameList","platform":1,"partnerId":42,"time":"01-02-2026 10:00:00","currency":"EUR","hash":"aa"}';
    const command = `curl https://provider.example/serviceApi.php -H 'cookie: a=b' --data '${body}'\n`;
    await dialog
      .getByLabel('Files to import')
      .setInputFiles({ name: 'calls.sh', mimeType: 'text/plain', buffer: new TextEncoder().encode(command) as Buffer });
    await expect(dialog.getByText('gameList.yaml')).toBeVisible();
    await expect(dialog).toContainText('the header cookie');
    await dialog.getByRole('combobox', { name: 'Folder' }).click();
    await page.getByRole('option', { name: 'wallet' }).click();
    await dialog.getByRole('button', { name: 'Import 1 request' }).click();
    await expect(shell.notices).toContainText('Imported 1 request from calls.sh.');
    await expect(collections.row('gameList')).toBeVisible();
    expect(await readFile(join(directory, 'wallet', 'gameList.yaml'), 'utf8')).toContain('operation: gameList');

    await collections.row('wallet').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Export as' }).press('ArrowRight');
    await page.getByRole('menuitem', { name: 'Postman' }).click();
    await expect(shell.notices).toContainText('Exported as Postman');

    // A directory comes as an archive.
    await collections.row('wallet').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Export as' }).press('ArrowRight');
    const saved = outside.download();
    await page.getByRole('menuitem', { name: 'Bruno' }).click();
    await expect(shell.notices).toContainText('Exported as Bruno. Unpack the archive');
    const archive = await saved;
    expect(archive.name).toBe('wallet.zip');
    const bytes = await readFile(archive.file, 'latin1');
    for (const name of ['bruno.json', 'croupier.js', 'wallet/gameList.bru']) expect(bytes).toContain(`wallet/${name}`);
  });

  test('a request is saved where no collection is open: the way leads through one, and ends in its file', async ({
    workbench,
    requests,
    directory,
  }) => {
    const { page } = workbench;
    await page.keyboard.press('ControlOrMeta+S');
    const save = page.getByRole('dialog', { name: 'Save request' });
    const open = page.getByRole('dialog', { name: 'New collection' });
    // A new directory is offered.
    await expect(open.getByRole('textbox')).toHaveValue(/[/\\]requests(-\d+)?$/);
    await page.keyboard.press('Escape');
    await expect(open).toBeHidden();
    await expect(page.getByRole('dialog')).toBeHidden();
    const saving = page.getByRole('button', { name: 'Save to collection…' });
    await saving.click();
    await expect(open.getByRole('textbox')).toHaveValue(/[/\\]requests(-\d+)?$/);
    await open.getByRole('textbox').fill(directory);
    await page.keyboard.press('Enter');
    await expect(open).toBeHidden();
    await save.getByRole('textbox', { name: 'Name' }).fill('first');
    await save.getByRole('listbox', { name: 'Save in' }).selectOption('wallet');
    await save.getByRole('button', { name: 'New folder…' }).click();
    await expect(save.getByRole('textbox', { name: /folder/ })).toBeFocused();
    await page.keyboard.insertText('new ones');
    await page.keyboard.press('Enter');
    await expect(requests.activeTab).toHaveText(/^first$/);
    const file = join(directory, 'wallet', 'new ones', 'first.yaml');
    expect(await readFile(file, 'utf8')).toContain('operation: gameList');
    await expect(page.getByRole('button', { name: /^Save Saved/ })).toHaveAttribute('aria-disabled', 'true');
    await requests.show('Checks');
    await page.getByRole('button', { name: 'Add a check' }).click();
    await page.getByRole('button', { name: /^Save Unsaved changes/ }).click();
    await expect(page.getByRole('button', { name: /^Save Saved/ })).toBeFocused();
    expect(await readFile(file, 'utf8')).toContain('expect:');
  });

  test('the keyboard alone does all of it', async ({ workbench, shell, collections, requests, palette, directory }) => {
    const { keyboard } = workbench.page;
    await palette.run('open collection', /Open a collection/);
    await expect(collections.directory).toBeFocused();
    await keyboard.insertText(directory);
    await keyboard.press('Enter');
    await expect(collections.dialog).toBeHidden();
    await expect(collections.row('launch')).toBeVisible();
    await collections.rows.first().focus();
    await keyboard.press('l');
    await expect(collections.row('launch')).toBeFocused();
    await keyboard.press('l');
    await expect(collections.row('list')).toBeFocused();
    await keyboard.press('End');
    await keyboard.press('Home');
    await keyboard.press('w');
    await expect(collections.row('wallet')).toBeFocused();
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await expect(collections.row('bet')).toBeFocused();
    await keyboard.press('Enter');
    await expect(requests.activeTab).toHaveText(/^bet$/);
    await collections.row('bet').focus();
    await keyboard.press('F2');
    await expect(collections.rename).toBeFocused();
    await keyboard.press('ControlOrMeta+A');
    await keyboard.insertText('stake');
    await keyboard.press('Enter');
    await expect(collections.row('stake')).toBeFocused();
    await expect(requests.activeTab).toHaveText(/^stake$/);
    // With its new name it comes after the other.
    await expect(collections.row('stake')).toHaveAttribute('aria-posinset', '2');
    await keyboard.press('Alt+ArrowUp');
    await expect(collections.row('stake')).toHaveAttribute('aria-posinset', '1');
    await expect(collections.row('stake')).toBeFocused();
    await keyboard.press('Alt+ArrowDown');
    await expect(collections.row('stake')).toHaveAttribute('aria-posinset', '2');
    await expect(collections.row('stake')).toBeFocused();
    await keyboard.press('Alt+ArrowLeft');
    await expect(collections.row('stake')).toHaveAttribute('aria-level', '2');
    await expect(collections.row('stake')).toBeFocused();
    await keyboard.press('ControlOrMeta+D');
    await expect(collections.rows.filter({ hasText: /^stake/ })).toHaveCount(2);
    await expect(requests.tabs).toHaveCount(2);
    await collections.row('stake').focus();
    await keyboard.press('Delete');
    await expect(collections.row('stake')).toBeHidden();
    await shell.notices.getByRole('button', { name: 'Undo' }).focus();
    await keyboard.press('Enter');
    await expect(collections.row('stake')).toBeVisible();
    // A tab without a file asks where it is to be saved.
    await keyboard.press('Alt+N');
    await keyboard.press('ControlOrMeta+S');
    await expect(collections.dialog).toContainText('Save request');
    await keyboard.press('ControlOrMeta+A');
    await keyboard.insertText('mine');
    await keyboard.press('Enter');
    await expect(collections.dialog).toBeHidden();
    await expect(requests.activeTab).toHaveText(/^mine$/);
    expect(await outside.git(directory, 'status', '--porcelain')).toContain('mine.yaml');
  });

  test('5,000 requests are a tree of which only what is in sight is drawn', async ({ workbench, collections, directory }) => {
    const names = Array.from({ length: 5_000 }, (_, at) => `many/${String(at).padStart(4, '0')}.yaml`);
    await outside.writeFiles(directory, Object.fromEntries(names.map((name) => [name, 'operation: gameList\n'])));
    await collections.openDirectory(directory);
    await collections.open('many');
    await expect(collections.row('0001')).toBeVisible();
    expect(await collections.rows.count()).toBeLessThan(100);
    await collections.row('many').focus();
    await workbench.page.keyboard.press('4');
    await workbench.page.keyboard.press('9');
    await collections.filter.fill('4999');
    await expect(collections.rows).toHaveCount(3);
    await rename(join(directory, 'many', '4999.yaml'), join(directory, 'many', 'last 4999.yaml'));
    await expect(collections.row('last 4999')).toBeVisible();
  });

  test('in both themes collections are readable and can be used by everybody', async ({
    workbench,
    shell,
    collections,
    requests,
    directory,
  }) => {
    const { page } = workbench;
    const { found, look } = createLook(workbench);
    await collections.show();
    await look('empty');
    await collections.openDirectory(directory);
    await collections.open('launch', 'wallet', 'bet');
    await expect(requests.activeTab).toHaveText(/^bet$/);
    await look('a request');
    await requests.show('Checks');
    await look('checks');
    await requests.openEditor();
    await look('editor');
    await collections.open('launch');
    await expect(collections.values).toHaveCount(1);
    await requests.openEditor();
    await look('variables in the hash input');
    await collections.row('broken').click();
    await look('a broken file');
    await collections.open('info');
    await expect(collections.unresolved).toBeVisible();
    await look('unresolved');
    await collections.open('launch');
    await requests.show('Form');
    await requests.form.field('gameId').fill('mine');
    await writeFile(join(directory, 'launch.yaml'), 'operation: getLauncherURL\ndata: |\n  {"gameId": "theirs"}\n');
    await expect(collections.question).toBeVisible();
    await look('a conflict');
    await collections.answer('Compare');
    await expect(collections.dialog).toContainText('theirs');
    await look('two versions');
    await page.keyboard.press('Escape');
    await collections.menu('wallet', 'Rename');
    await look('renaming');
    await page.keyboard.press('Escape');
    await collections.row('wallet').click({ button: 'right' });
    await look('menu');
    await page.getByRole('menuitem', { name: 'Variables and notes' }).click();
    await collections.dialog.getByRole('button', { name: 'Add a variable' }).click();
    await look('variables');
    await page.keyboard.press('Escape');
    await shell.openOperation('/bet');
    await page.keyboard.press('ControlOrMeta+S');
    await expect(collections.dialog).toBeVisible();
    await look('save');
    await page.keyboard.press('Escape');
    await collections.show();
    await workbench.resize(1024, 700);
    await look('narrow');
    expect(found).toEqual([]);
  });
});
