import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, type Workbench } from './fixtures.ts';
import { createRunsScreen } from './pages/runs.ts';
import { hostGone } from './troubles.ts';

const passes = 'operation: gameList\ndata: |\n  {"currency": "{{currency}}"}\nexpect:\n  - code: "0"\n';
const fails = passes.replace('"0"', '"{{wanted}}"');

/** Writes a collection of two requests, the second of which expects the code in the variable `wanted`. */
function collectionOf({ home }: Workbench): string {
  const folder = path.join(path.dirname(home), 'my-collection');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'A passes.yaml'), passes);
  writeFileSync(path.join(folder, 'B fails.yaml'), fails);
  writeFileSync(path.join(folder, 'collection.yaml'), 'variables:\n  wanted: "7"\n');
  return folder;
}

test.describe('A run', () => {
  test('of another program on this home is in the list, and is not cancelled from here', async ({ workbench, shell }) => {
    const runs = createRunsScreen(workbench.page);
    const folder = collectionOf(workbench);
    await shell.goTo('Runs');
    await expect(runs.empty).toBeVisible();
    const { code } = await workbench.cli(['run', folder, '--env', 'sandbox']);
    expect(code).toBe(1);
    await shell.goTo('Requests');
    await shell.goTo('Runs');
    await expect(runs.list).toHaveCount(1);
    await expect(runs.totals).toHaveText(/^1 passed\+1 failed.*=2 planned$/);

    const longer = workbench.cli(['run', folder, '--env', 'sandbox', '--delay', '5000']);
    await expect(async () => {
      await shell.goTo('Requests');
      await shell.goTo('Runs');
      await expect(runs.list).toHaveCount(2, { timeout: 500 });
    }).toPass();
    await runs.list.first().click();
    await expect(runs.main).toContainText('running in another program');
    await runs.cancel.click();
    await expect(shell.notices).toContainText('Stop it there.');
    // The page follows it all the same.
    await expect(runs.totals).toHaveText(/^1 passed\+1 failed.*=2 planned$/);
    await expect(runs.cancel).toHaveCount(0);
    await longer;
  });

  test('is exported, says what is not in the history, and is there after a restart; one that ended with the program is said to be interrupted', async ({
    workbench,
    shell,
  }) => {
    const { page } = workbench;
    const runs = createRunsScreen(page);
    await shell.goTo('Runs');
    const folder = collectionOf(workbench);
    await runs.start(folder);
    await expect(runs.totals).toHaveText(/^1 passed\+1 failed/);
    const saved = workbench.desktop === null ? page.waitForEvent('download') : null;
    await runs.exportAs('JUnit XML');
    await expect(shell.notices).toContainText(/Exported run-.*\.xml/);
    if (saved !== null) {
      const text = (await (await (await saved).createReadStream()).toArray()).join('');
      expect(text).toContain('<testsuites');
      expect(text).toContain('B fails');
    }

    // The disk has room for a call but not for its response. All passes.
    const variables = path.join(folder, 'collection.yaml');
    const written = readFileSync(variables, 'utf8');
    writeFileSync(variables, written.replace('7', '0'));
    const history = new DatabaseSync(path.join(workbench.home, 'history.sqlite'));
    history.exec("CREATE TRIGGER full BEFORE INSERT ON call_responses BEGIN SELECT RAISE(ABORT, 'no room'); END");
    await runs.again.click();
    await expect(runs.head).toHaveText('not all recorded');
    await expect(runs.main).toContainText('2 outcomes are not in the history, which shows their calls as sent only.');
    await expect(runs.rows.first()).toContainText(/The outcome of call \d+ could not be written to the history/);
    await expect(runs.list.first()).toContainText('2 passed, 2 not recorded');
    history.exec('DROP TRIGGER full');
    history.close();
    writeFileSync(variables, written);

    workbench.troubles.expect(hostGone);
    await runs.start(folder, { Delay: '600000' });
    await expect(runs.totals).toHaveText(/^1 passed\+(?:.*\+)?1 waiting=2 planned$/);
    await workbench.restart('kill');
    await shell.goTo('Runs');
    await expect(runs.list).toHaveCount(3);
    await expect(runs.list.first()).toContainText('interrupted');
    await expect(runs.totals).toHaveText(/=2 planned$/);
    await runs.list.nth(2).click();
    await expect(runs.totals).toHaveText(/^1 passed\+1 failed=2 planned$/);
    // The original options of the run are no longer known: the dialog asks, filled in from the report.
    await runs.failedAgain.click();
    await expect(runs.dialog).toContainText('Retry failed requests of');
    await runs.field('Collection folder').fill(folder);
    await runs.run.click();
    await expect(runs.totals).toHaveText(/^1 failed=1 planned$/);
  });
});
