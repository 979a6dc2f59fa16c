import { describe } from 'vitest';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from '#testing/page/playwright.ts';
import { test as base } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';
import { announced } from '../../../../e2e/pages/announced.ts';

/** Creates the starter collection of launches: "Games" extracts a game's ID, which the others need. */
const test = base.extend<{ directory: string }>({
  directory: async ({ workbench }, provide) => {
    const directory = join(dirname(workbench.home), 'launch');
    await cp('starter-collections/launch', directory, { recursive: true });
    await provide(directory);
  },
});

describe('A request of a collection that is sent by itself', () => {
  test('is checked, and the next request uses what its answer gave until that is forgotten', async ({
    workbench,
    collections,
    requests,
    response,
    directory,
  }) => {
    await collections.openDirectory(directory);
    await collections.open('Fun');
    await expect(collections.unresolved).toContainText('There is no variable gameId yet. Games.yaml sets it from its response.');
    await collections.unresolved.getByRole('button', { name: 'Open Games' }).click();
    await expect(requests.activeTab).toHaveText(/^Games/);
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await expect(response.facts).toContainText('2 checks passed');
    await expect(response.announced).toContainText('2 checks passed');
    await response.show('Checks');
    await expect(response.checks).toHaveCount(2);
    await expect(response.checks.first()).toContainText('Passed: code is 0');
    await expect(response.view('Checks')).toContainText('Variables for later requests, until Croupier exits');

    await collections.open('Fun');
    await expect(collections.unresolved).toBeHidden();
    await expect(collections.values.first()).toHaveText(/^gameId, from an earlier response: \d+$/);
    // Nothing was sent from this tab yet.
    await expect(response.pane).toContainText('No response yet');
    await requests.show('Checks');
    await collections.checks.getByRole('textbox', { name: 'Check 4, contains' }).fill('gameMode={{mode}}');
    await requests.send.click();
    await expect(response.facts).toContainText('1 of 4 checks failed');
    await expect(response.checks.nth(3)).toContainText('There is no variable mode');
    await collections.checks.getByRole('textbox', { name: 'Check 4, contains' }).fill('gameMode=real');
    await requests.send.click();
    await expect(response.checks.nth(3)).toContainText('gameMode=fun');
    await expect(response.checks.nth(3)).toContainText('expectedgameMode=real');

    await response.show('Body');
    await collections.open('Games');
    await response.show('Checks');
    await response.pane.getByRole('button', { name: 'Show the values' }).click();
    await expect(collections.taken).toHaveCount(1);
    await expect(collections.taken.first()).toContainText('Games, call 1');
    await collections.forget('gameId');
    await expect(collections.dialog).toContainText('None yet. When you send a request outside a run');
    await workbench.page.keyboard.press('Escape');
    await collections.open('Fun');
    await expect(collections.unresolved).toContainText('There is no variable gameId');
  });

  test('leaves nothing of it in files, and nothing for the next start', async ({
    workbench,
    collections,
    requests,
    response,
    directory,
  }) => {
    await collections.openDirectory(directory);
    await collections.open('Games');
    await requests.send.click();
    await expect(response.facts).toContainText('2 checks passed');
    await collections.open('Fun');
    await expect(collections.unresolved).toBeHidden();
    await workbench.page.reload();
    await expect(collections.values.first()).toHaveText(/^gameId, from an earlier response/);
    await workbench.restart();
    await expect(collections.unresolved).toContainText('There is no variable gameId');
  });

  test('its answer is kept as an example: masked, in the file at once, with what was typed besides left alone', async ({
    workbench,
    collections,
    requests,
    response,
    directory,
  }) => {
    const { page } = workbench;
    const file = join(directory, 'Token.yaml');
    const text =
      'operation: generateNewToken\ndata: |\n  {"token": "{{externalToken}}", "newGameId": "1002"}\nnotes: \'mine\' # stays\n';
    await writeFile(file, text);
    await collections.openDirectory(directory);
    await collections.open('Token');
    await requests.send.click();
    await expect(response.facts).toContainText('1 check passed');
    await requests.show('Checks');
    await collections.checks.getByRole('button', { name: 'Add a check' }).click();
    await expect(requests.activeTab).toHaveText(/changed/);
    await response.saveAsExample.click();
    await expect(collections.dialog).toContainText('Token.yaml, which is meant for git');
    await expect(collections.dialog).toContainText(/\d place/);
    const shown = await collections.dialog.getByRole('textbox', { name: 'Body' }).inputValue();
    expect(shown).toContain('"token": "[token]"');
    await collections.dialog.getByRole('textbox', { name: 'Name' }).fill('a new token');
    await page.keyboard.press('Enter');
    await expect(collections.dialog).toBeHidden();
    const block = shown.replaceAll(/^/gm, '      ');
    const kept = `examples:\n  - name: a new token\n    status: 200\n    body: |-\n${block}\n`;
    expect(await readFile(file, 'utf8')).toBe(text + kept);
    // The file does not have the added check, no conflict is shown, and saving writes it.
    await expect(requests.activeTab).toHaveText(/changed/);
    await expect(collections.question).toBeHidden();
    await page.keyboard.press('ControlOrMeta+S');
    await expect(requests.activeTab).toHaveText(/^Token$/);
    expect(await readFile(file, 'utf8')).toContain('expect:\n');

    await requests.show('Examples');
    await collections.examples.getByRole('button', { name: 'Show a new token' }).click();
    await expect(collections.examples.getByRole('textbox', { name: 'Body of a new token' })).toHaveValue(shown);
    await collections.examples.getByRole('textbox', { name: 'Name of the example a new token' }).fill('');
    await expect(collections.examples).toContainText('Enter a name.');
    await collections.examples.getByRole('textbox', { name: 'Name of the example a new token' }).fill('token');
    await collections.examples.getByRole('button', { name: 'Remove token' }).click();
    await expect(collections.examples).toContainText('No examples yet');
    await expect(collections.examples.getByRole('button', { name: 'Undo' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+S');
    await expect(requests.activeTab).toHaveText(/^Token$/);
    await expect.poll(() => readFile(file, 'utf8')).toContain('  - name: token\n    status: 200\n');
  });

  test('a value of the response becomes a check, and a variable of the next request', async ({
    workbench,
    collections,
    requests,
    response,
    palette,
    shell,
    directory,
  }) => {
    const { page } = workbench;
    const file = join(directory, 'Games.yaml');
    await writeFile(file, 'operation: gameList\ndata: |\n  {"currency": "EUR"}\n');
    await collections.openDirectory(directory);
    await collections.open('Games');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await response.body.frame.getByText('"id"', { exact: true }).first().click();
    await page.keyboard.press('Alt+C');
    // The usual demand stays one.
    await expect(collections.checks.getByRole('textbox', { name: 'Check 1, code' })).toHaveValue('0');
    await expect(collections.checks.getByRole('textbox', { name: 'Check 2, path' })).toHaveValue('/data/slots/0/id');
    await expect(collections.checks.getByRole('textbox', { name: 'Check 2, equals' })).toHaveValue(/^\d+$/);
    await expect(announced(page, /check 2/)).toContainText(/Added check 2: \/data\/slots\/0\/id is \d+\./);
    await response.pane.getByRole('button', { name: 'Save the value as a variable' }).click();
    await expect(collections.checks.getByRole('textbox', { name: 'Variable 1, name' })).toHaveValue('id');
    await palette.run('check the value', /Check the value at the cursor/);
    await expect(shell.notices.getByText('Check 2 already demands this.')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+S');
    await requests.send.click();
    await expect(response.facts).toContainText('2 checks passed');
    expect(await readFile(file, 'utf8')).toMatch(
      /take:\n {2}id: \/data\/slots\/0\/id\nexpect:\n {2}- code: "?0"?\n {2}- path: \/data\/slots\/0\/id\n {4}equals: "?\d+"?\n$/,
    );

    // Without a file, what is added stays in the tab.
    await page.keyboard.press('Alt+N');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await response.body.frame.getByText('"code"', { exact: true }).first().click({ button: 'right' });
    const entry = page.getByRole('menuitem', { name: 'Check the value at the cursor' });
    await expect(entry).toBeVisible();
    // The menu covers the text below it: one of these elements has a ground, and the others none.
    const grounds = await page
      .locator('.context-view :has([role="menu"])')
      .evaluateAll((around) => around.map((element) => getComputedStyle(element).backgroundColor));
    expect(new Set(grounds).size, grounds.join()).toBe(2);
    // A mouse is too fast here: for a tenth of a second the menu takes no release of a button, which may belong to its opening.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(collections.checks.getByRole('textbox', { name: 'Check 1, code' })).toHaveValue('0');
    await expect(shell.notices.getByText(/It applies once the request is saved/)).toBeVisible();
  });

  test('outside of a collection an answer is not checked', async ({ requests, response }) => {
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await expect(response.pane.getByRole('tab', { name: /^Checks/ })).toHaveCount(0);
    await expect(response.facts).not.toContainText('check');
    await expect(response.saveAsExample).toHaveCount(0);
  });

  test('in both themes its checks are readable and can be used by everybody', async ({
    workbench,
    collections,
    requests,
    response,
    palette,
    directory,
  }) => {
    const { page } = workbench;
    const { found, look } = createLook(workbench);
    const file = join(directory, 'Games.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replace('type: array', 'type: object').replace('take:\n', 'take:\n  exitURL: /message\n  none: /data/nowhere\n'),
    );
    await collections.openDirectory(directory);
    await collections.open('Games');
    await requests.send.click();
    await expect(response.facts).toContainText('2 of 3 checks failed');
    await look('the response');
    await response.show('Checks');
    await look('checks');
    await collections.menu(directory.split('/').at(-1) ?? '', 'Variables and notes');
    await expect(collections.taken).toHaveCount(2);
    await look('variables');
    await page.keyboard.press('Escape');
    await response.show('Body');
    await look('the answer with an example to save');
    await response.saveAsExample.click();
    await expect(collections.dialog).toContainText('No tokens found.');
    await expect(collections.dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await look('an example');
    await page.keyboard.press('Enter');
    await expect(collections.dialog).toBeHidden();
    await requests.show('Examples');
    await collections.examples.getByRole('button', { name: 'Show code 0' }).click();
    await look('examples');
    await palette.run('response as example', /Save response as example/);
    await expect(collections.dialog).toContainText('No tokens found.');
    await expect(collections.dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(collections.dialog).toBeHidden();
    await collections.examples.getByRole('button', { name: 'Remove code 0, 2' }).click();
    await look('a removed example');
    await response.show('Checks');
    await workbench.resize(1024, 700);
    await look('narrow');
    expect(found).toEqual([]);
  });
});
