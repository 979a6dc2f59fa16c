import { expect, test } from './fixtures.ts';
import { addBareEnvironment } from './own-environment.ts';

test.describe('The history', () => {
  test('teaches the first step while it is empty', async ({ shell, history, requests }) => {
    await shell.goTo('History');
    await expect(history.empty).toHaveText('No calls in the history');
    await shell.main.getByRole('button', { name: 'Open gameList' }).click();
    await expect(requests.activeTab).toHaveText(/gameList/);
  });

  test('holds every call exactly as sent and received, and opens it again', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    await shell.openOperation('getLauncherURL');
    await requests.form.field('exitURL').fill('https://example.com/lobby?x=ü');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.openOperation('gameList');
    await requests.overrides.open();
    await requests.overrides.hash('Wrong digit');
    await requests.overrides.close();
    await requests.send.click();
    await expect(response.code).toHaveText('8 hash not valid');

    await shell.goTo('History');
    await expect(history.rows).toHaveCount(2);
    await expect(history.rows.nth(0)).toContainText(/gameList.*EUR.*code 8.*sandbox/);
    await expect(history.rows.nth(1)).toContainText(/getLauncherURL.*player-1 · game \d+.*0 ok/);
    await history.search('example.com/lobby');
    await expect(history.count).toHaveText('1 call found');
    await history.open(0);
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
    await expect(requests.form.field('exitURL')).toHaveValue('https://example.com/lobby?x=ü');
    await expect(response.code).toHaveText('0 ok');
    const { stdout } = await workbench.cli(['history', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      total: 2,
      calls: [
        { id: 2, operation: 'gameList', code: 8 },
        { id: 1, operation: 'getLauncherURL', code: 0 },
      ],
    });
  });

  test('shows the selected call beside the list by click and arrows, and opens it by Enter', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const { page } = workbench;
    await addBareEnvironment(workbench, 'dead');
    await workbench.cli(['call', 'playerInfo', '--env', 'dead']);
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.openOperation('getLauncherURL');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(3);
    const { detail } = history;
    await history.rows.nth(1).click();
    await expect(detail.pane).toHaveAccessibleName('Call 2');
    await expect(detail.pane).toContainText(/0 ok.*sandbox, call 2, \d\d:\d\d:\d\d/);
    await expect(detail.signed).toHaveText(/^signed = sent: time, bytes \d+ to \d+$/);
    await expect.poll(() => detail.sent.hashInput.text()).toMatch(/^<PRIVATE_KEY>[\d-]{10} [\d:]{8}$/);
    const { stdout } = await workbench.cli(['history', 'show', '2', '--json']);
    const recorded = JSON.parse(stdout) as { request: { hash: string; bodyText: string } };
    await expect(detail.sent.hash).toHaveText(recorded.request.hash);
    await expect.poll(() => detail.sent.body.text()).toBe(recorded.request.bodyText);
    await detail.show('Body');
    await expect(detail.body.frame).toContainText('"slots"');
    // The list is still there, and Escape leads the keyboard back to it.
    await page.keyboard.press('Escape');
    await expect(history.rows.nth(1)).toBeFocused();
    // A grid: what is shown is current, what is ticked is selected.
    await expect(history.rows.nth(1)).toHaveAttribute('aria-current', 'true');
    await expect(history.rows.nth(1)).toHaveAttribute('aria-selected', 'false');
    await page.keyboard.press('Space');
    await expect(history.rows.nth(1)).toHaveAttribute('aria-selected', 'true');
    const grid = page.getByRole('grid', { name: 'Calls' });
    await expect(grid).toHaveAttribute('aria-multiselectable', 'true');
    await expect(grid).toHaveAttribute('aria-rowcount', String(1 + 3 + (await history.headings.count())));
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await expect(detail.pane).toHaveAccessibleName('Call 3');
    await expect(detail.body.frame).toContainText('https://');
    await page.keyboard.press('End');
    await expect(detail.pane).toHaveAccessibleName('Call 1');
    await expect(detail.pane).toContainText('dead, call 1,');
    await expect(detail.pane).toContainText('Nothing was sent. This is what would have been sent.');
    await expect(detail.pane).not.toContainText('signed = sent');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(requests.activeTab).toHaveText(/gameList/);
    await expect(response.facts).toContainText('call 2');
    // Below the list where there is no room beside it.
    await workbench.resize(1024, 900);
    await shell.goTo('History');
    await expect(detail.pane).toBeInViewport();
    const [list, pane] = [await history.rows.first().boundingBox(), await detail.pane.boundingBox()];
    expect(pane?.y).toBeGreaterThan(list?.y ?? 0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });

  test('has the calls that other programs send on the same home', async ({ workbench, shell, history }) => {
    await shell.goTo('History');
    await expect(history.empty).toBeVisible();
    await addBareEnvironment(workbench, 'dead');
    const { code } = await workbench.cli(['call', 'playerInfo', '--env', 'dead']);
    expect(code).toBe(4);
    await shell.goTo('Requests');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(1);
    await expect(history.rows.first()).toContainText(/\/playerInfo.*no connection.*dead/);
  });

  test('is narrowed by operation, environment, answer and time, together with the search', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await requests.overrides.open();
    await requests.overrides.hash('Wrong digit');
    await requests.overrides.close();
    await requests.send.click();
    await expect(response.code).toHaveText('8 hash not valid');
    await addBareEnvironment(workbench, 'dead');
    await workbench.cli(['call', 'playerInfo', '--env', 'dead']);
    await shell.goTo('History');
    await expect(history.count).toHaveText('3 calls');
    await history.filter('Operation', 'gameList');
    await expect(history.count).toHaveText('2 calls found');
    await history.filter('Response', 'Refused, code 8');
    await expect(history.rows).toHaveCount(1);
    await expect(history.rows.first()).toContainText('code 8');
    await history.filter('Time', 'Yesterday');
    await expect(history.empty).toHaveText('Nothing found');
    await history.filter('Time', 'From day to day');
    const today = await workbench.page.evaluate(() => {
      const now = new Date();
      return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    });
    await workbench.page.getByLabel('First day').fill(today);
    await expect(history.rows).toHaveCount(1);
    await workbench.page.getByLabel('Last day').fill('2000-01-01');
    await expect(history.empty).toHaveText('Nothing found');
    await history.filter('Time', 'Today');
    await history.search('hash not valid');
    await expect(history.count).toHaveText('1 call found');
    // The chosen options stay while the page lives.
    await shell.goTo('Requests');
    await shell.goTo('History');
    await expect(history.count).toHaveText('1 call found');
    await history.filter('Environment', 'dead');
    await expect(history.empty).toHaveText('Nothing found');
    await shell.main.getByRole('button', { name: 'Show all calls' }).click();
    await expect(history.rows).toHaveCount(3);
    await history.filter('Response', 'No response');
    await expect(history.rows).toHaveCount(1);
    await expect(history.rows.first()).toContainText('dead');
    await history.pinnedOnly.click();
    await expect(history.empty).toHaveText('Nothing found');
  });

  test('exports the selected call as a file', async ({ workbench, shell, requests, response, history }) => {
    const { page } = workbench;
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(1);
    const saved = workbench.desktop === null ? page.waitForEvent('download') : null;
    await history.exportAs('cURL, as sent');
    await expect(shell.notices).toContainText('Exported');
    if (saved !== null) {
      const text = (await (await (await saved).createReadStream()).toArray()).join('');
      expect(text).toContain('curl');
      expect(text).toContain('serviceApi.php');
    }
    await history.rows.first().focus();
    await page.keyboard.press('e');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(shell.notices).toContainText('.har');
  });
});
