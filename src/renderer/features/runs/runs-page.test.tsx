import { describe } from 'vitest';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, outside } from '#testing/page/playwright.ts';
import { test, type Screens } from '#testing/page/test.ts';
import { createLook, faultsWhile } from '../../../../e2e/audit.ts';
import { createHistoryScreen } from '../../../../e2e/pages/history.ts';
import { createRunsScreen } from '../../../../e2e/pages/runs.ts';

const passes = 'operation: gameList\ndata: |\n  {"currency": "{{currency}}"}\nexpect:\n  - code: "0"\n';
const fails = passes.replace('"0"', '"{{wanted}}"');

const folderOf = ({ home }: Screens['workbench'], name: string) => join(dirname(home), name);

/** Writes a collection of two requests, the second of which expects the code in the variable `wanted`. */
async function collectionOf(workbench: Screens['workbench']): Promise<string> {
  const folder = folderOf(workbench, 'my-collection');
  const variables = 'variables:\n  wanted: "7"\n';
  await outside.writeFiles(folder, { 'A passes.yaml': passes, 'B fails.yaml': fails, 'collection.yaml': variables });
  return folder;
}

describe('A run', () => {
  test('of a starter collection passes against the built-in provider, begun without knowing anything', async ({
    workbench,
    shell,
    requests,
  }) => {
    const runs = createRunsScreen(workbench.page);
    await shell.goTo('Runs');
    await expect(runs.empty).toHaveText('No runs yet');
    await runs.main.getByRole('button', { name: 'New run' }).click();
    // The action that waits keeps the keyboard, and says why.
    await expect(runs.run).toBeDisabled();
    await expect(runs.run).toHaveAccessibleDescription("Enter the absolute path of the collection's folder.");
    await runs.run.focus();
    await expect(runs.run).toBeFocused();
    const folder = folderOf(workbench, 'wallet-session');
    await cp('starter-collections/wallet-session', folder, { recursive: true });
    await runs.field('Collection folder').fill(folder);
    await workbench.page.keyboard.press('Enter');
    await expect(runs.totals).toHaveText(/^6 passed=6 planned$/);
    await expect(runs.announced).toHaveText('Run finished: 6 passed.');
    await expect(runs.rows).toHaveCount(6);
    await expect(runs.list).toHaveCount(1);
    await expect(runs.list.first()).toContainText(/wallet-session.*passed.*sandbox/);
    await expect(runs.failedAgain).toHaveCount(0);

    await runs.rows.filter({ hasText: 'Same bet again' }).click();
    await expect(runs.checks.filter({ hasText: 'Passed: ' })).toHaveCount(2);
    await runs.openCall.click();
    await expect(requests.activeTab).toHaveText(/\/bet/);
  });

  test('shows what is found in a request that passes', async ({ workbench, shell }) => {
    const runs = createRunsScreen(workbench.page);
    const folder = folderOf(workbench, 'findings');
    const data =
      '{"playerId": "p", "externalReferenceId": "{{$uniqueId}}", "freeRoundValidity": "01-01-2020 00:00:00", "numberOfFreeRounds": 1, "betLevel": 0, "gameIds": ["1001"]}';
    await outside.writeFiles(folder, { 'Past.yaml': `operation: freeRounds\nform: single\ndata: |\n  ${data}\n` });
    await shell.goTo('Runs');
    await runs.start(folder);
    await expect(runs.totals).toHaveText(/^1 passed/);
    await expect(runs.main).toContainText('1 of 1 request has findings');
    await expect(runs.rows.first()).toContainText('Finding about the request: freeRoundValidity is in the past in UTC');
    await runs.rows.first().click();
    const findings = runs.details.getByRole('list', { name: 'Findings about the request' }).getByRole('listitem');
    await expect(findings).toHaveText([/freeRoundValidity is in the past.*\/freeRoundValidity/]);
  });

  test('says which check failed, what was expected and what came, and runs only that again', async ({ workbench, shell }) => {
    const runs = createRunsScreen(workbench.page);
    await shell.goTo('Runs');
    await runs.start(await collectionOf(workbench), { Repeat: '2' });
    await expect(runs.totals).toHaveText(/^2 passed\+2 failed.*=4 planned$/);
    await expect(runs.headings).toHaveText([/Iteration 1.*1 passed, 1 failed/, /Iteration 2.*1 passed, 1 failed/]);
    await runs.onlyFailed.click();
    await expect(runs.rows).toHaveCount(2);
    await expect(runs.rows.first()).toContainText(/failed.*B fails.*0.*ms.*Expected: code is 7\. It is 0\./);
    // By the keyboard alone.
    await runs.rows.first().focus();
    await workbench.page.keyboard.press('Enter');
    await expect(runs.checks).toHaveCount(1);
    await expect(runs.checks).toContainText('Failed: code is 7');
    await expect(runs.checks).toContainText(/expected.*7.*actual.*0/);
    await workbench.page.keyboard.press('ArrowDown');
    await expect(runs.details).toContainText('iteration 2');
    await runs.details.getByRole('button', { name: 'Close the checks' }).press('Enter');
    await expect(runs.rows.nth(1)).toBeFocused();

    await runs.calls.click();
    const history = createHistoryScreen(workbench.page);
    await expect(history.count).toHaveText('4 calls found');
    await shell.main.getByRole('button', { name: 'Show all runs' }).click();
    await expect(history.count).toHaveText('4 calls');

    await shell.goTo('Runs');
    await runs.failedAgain.click();
    await expect(runs.list).toHaveCount(2);
    await expect(runs.totals).toHaveText(/^2 failed=2 planned$/);
    await expect(runs.rows).toHaveText([/B fails/, /B fails/]);
    await expect(runs.headings).toHaveText([/Iteration 1/, /Iteration 2/]);
  });

  test('opens a request that failed with its checks and the values that it was sent with', async ({
    workbench,
    shell,
    collections,
    requests,
    response,
  }) => {
    const { page } = workbench;
    const runs = createRunsScreen(page);
    const folder = folderOf(workbench, 'launch');
    await cp('starter-collections/launch', folder, { recursive: true });
    const file = join(folder, 'Fun.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('contains: gameMode=fun', 'contains: gameMode=play'));
    await collections.openDirectory(folder);
    // From the row of the collection, by the keyboard alone.
    await collections.row('launch').focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Variables of launch: 1' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await runs.run.press('Enter');
    await expect(runs.totals).toHaveText(/^2 passed\+1 failed/);
    // Enter shows it, and opens what is shown.
    await runs.rows.filter({ hasText: 'Fun' }).focus();
    await page.keyboard.press('Enter');
    await expect(runs.checks.filter({ hasText: 'Failed: ' })).toHaveCount(1);
    await expect(runs.details.getByRole('button', { name: 'Open request' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(requests.activeTab).toHaveText(/^Fun/);
    await expect(collections.checks).toContainText(/Failed in call \d+: \/data\/launcherURL contains gameMode=play/);
    await expect(collections.checks.getByRole('textbox', { name: 'Check 4, path' })).toBeFocused();
    await expect(response.facts).toContainText('1 of 4 checks failed');
    await expect(response.checks.nth(3)).toContainText('expectedgameMode=play');
    // Nothing was sent by itself, so no earlier response gives the value.
    await expect(shell.main).toContainText(/Variables from the run of call \d+:.*gameId = \d+/);
    await expect(collections.unresolved).toBeHidden();
    await collections.checks.getByRole('textbox', { name: 'Check 4, contains' }).fill('gameMode=fun');
    await page.keyboard.press('ControlOrMeta+S');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(response.facts).toContainText('4 checks passed');
    await expect(collections.checks).not.toContainText('Failed in call');
    await shell.main.getByRole('button', { name: 'Use current values' }).click();
    await expect(collections.unresolved).toContainText('There is no variable gameId yet. Games.yaml sets it');
  });

  test('takes variables and data rows, and is refused with the place of what cannot be read', async ({ workbench, shell }) => {
    const runs = createRunsScreen(workbench.page);
    const folder = await collectionOf(workbench);
    await shell.goTo('Runs');
    await runs.newRun.click();
    await runs.field('Collection folder').fill(folder);
    await runs.dialog.getByRole('radio', { name: 'Pasted' }).click();
    await runs.field('Data rows').fill('wanted\n0\n8\n');
    await runs.dialog.getByRole('button', { name: 'Add a variable' }).click();
    await runs.field('Name of variable 1').fill('9x');
    await expect(runs.dialog.getByRole('alert')).toContainText('begin with a letter');
    await runs.field('Name of variable 1').fill('currency');
    await runs.field('Value of variable 1').fill('USD');
    await runs.run.click();
    await expect(runs.totals).toHaveText(/^3 passed\+1 failed.*=4 planned$/);
    await expect(runs.headings).toHaveText([/Iteration 1, data row 1.*2 passed/, /Iteration 2, data row 2.*1 passed, 1 failed/]);

    await outside.writeFiles(folder, { 'C broken.yaml': 'operation: gameList\ndata: [\n' });
    await runs.start(folder);
    await expect(runs.dialog.getByRole('alert')).toContainText(/C broken\.yaml.*line/);
    await runs.dialog.getByRole('checkbox', { name: /^Report unreadable files/ }).click();
    await runs.run.click();
    await expect(runs.totals).toHaveText(/^1 passed\+1 failed\+1 error=3 planned$/);
  });

  test('says how many requests have no check, and what nothing reads', async ({ workbench, shell }) => {
    const runs = createRunsScreen(workbench.page);
    const folder = folderOf(workbench, 'my-collection');
    const unchecked = `${passes.slice(0, passes.indexOf('expect'))}owner: me\n`;
    await outside.writeFiles(folder, { 'A checked.yaml': passes, 'B unchecked.yaml': unchecked });
    await shell.goTo('Runs');
    await runs.start(folder);
    await expect(runs.totals).toHaveText(/^2 passed=2 planned$/);
    await expect(runs.main).toContainText('1 of 2 requests has no check of its own');
    await expect(runs.head).toHaveText('passed');
    await expect(runs.main).toContainText('B unchecked.yaml, line 4, column 1: owner is not a field of a request file');
    await runs.rows.filter({ hasText: 'B unchecked' }).click();
    await expect(runs.details).toContainText('This request has no checks, so only the default was checked.');
  });

  test('is cancelled by Escape, and every planned request is accounted for', async ({ workbench, shell }) => {
    const runs = createRunsScreen(workbench.page);
    await shell.goTo('Runs');
    await runs.start(await collectionOf(workbench), { Repeat: '20', Delay: '600000' });
    await expect(runs.cancel).toBeVisible();
    await expect(runs.totals).toHaveText(/^1 passed\+39 waiting=40 planned$/);
    expect(await faultsWhile(workbench, 'a run under way')).toEqual([]);
    await workbench.page.keyboard.press('Escape');
    await expect(runs.totals).toHaveText(/^1 passed\+39 skipped=40 planned$/);
    await expect(runs.list.first()).toContainText('cancelled');
    await expect(runs.announced).toHaveText('Run cancelled: 1 passed, 39 skipped.');
    await expect(runs.cancel).toHaveCount(0);
  });
});

test('The runs can be used by everybody in both themes, also at 1024 pixels', async ({ workbench, shell }) => {
  const { page } = workbench;
  const runs = createRunsScreen(page);
  await workbench.resize(1024, 768);
  const { found, look: lookAt } = createLook(workbench);
  const look = async (screen: string) => {
    await lookAt(screen);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), screen).toBe(0);
  };
  await shell.goTo('Runs');
  await expect(runs.empty).toBeVisible();
  await look('no run');
  await runs.start(await collectionOf(workbench), { Repeat: '3' });
  await expect(runs.totals).toHaveText(/^3 passed\+3 failed/);
  await runs.rows.filter({ hasText: 'B fails' }).first().click();
  await expect(runs.checks).toHaveCount(1);
  await look('a report');
  await runs.newRun.click();
  await runs.dialog.getByRole('radio', { name: 'Pasted' }).click();
  await runs.dialog.getByRole('button', { name: 'Add a variable' }).click();
  await look('the dialog');
  expect(found).toEqual([]);
});
