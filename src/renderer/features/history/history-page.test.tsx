import { describe } from 'vitest';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createComparison } from '../../../../e2e/pages/comparison.ts';
import { addBareEnvironment } from '../../../../e2e/own-environment.ts';

describe('The history', () => {
  test('teaches the first step while it is empty', async ({ shell, history, requests }) => {
    await shell.goTo('History');
    await expect(history.empty).toHaveText('No calls yet');
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
    await expect(detail.signed).toHaveText('signed = sent: time');
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
    await history.filter('Response', 'Rejected, code 8');
    await expect(history.rows).toHaveCount(1);
    await expect(history.rows.first()).toContainText('code 8');
    await history.filter('Time', 'Yesterday');
    await expect(history.empty).toHaveText('Nothing found');
    await history.filter('Time', 'Date range');
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

  test('tells whose request the gateway passed, and does with one that fits no operation only what can be done', async ({
    shell,
    history,
  }) => {
    await outside.recordPast([
      { daysAgo: 2, hour: 8, calls: 1 },
      { daysAgo: 1, hour: 8, calls: 2, from: 'backend' },
      { daysAgo: 1, hour: 9, calls: 2, from: 'provider' },
    ]);
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(5);
    await history.filter('Sender', 'From the provider');
    await expect(history.rows).toHaveText([/getLauncherURLProvider/, /Other requestProvider/]);
    await history.filter('Sender', 'From Croupier');
    await expect(history.count).toHaveText('1 call found');
    await history.filter('Sender', 'From my backend');
    await expect(history.rows).toHaveText([/getLauncherURLBackend/, /Other requestBackend/]);
    await history.rows.nth(0).click();
    const { detail, strip } = history;
    await expect(detail.pane).toContainText('call 3, from my backend,');
    await expect(detail.signed).toHaveText('hash as received');
    await detail.show('Sent');
    await expect(detail.pane).toContainText("Croupier didn't compute it.");
    await expect(strip.getByRole('button', { name: 'Edit and re-sign' })).toBeEnabled();
    await history.rows.nth(1).click();
    await expect(detail.pane).toContainText('call 2, from my backend,');
    for (const name of ['Edit and re-sign', 'Repeat exactly']) await expect(strip.getByRole('button', { name })).toBeDisabled();
    await history.rows.nth(1).dblclick();
    await expect(detail.pane).toContainText('call 2, from my backend,');
    await detail.show('Raw');
    await detail.pane.getByRole('radio', { name: 'Request' }).click();
    await expect(detail.pane).toContainText('GET /logo.png HTTP/1.1');
  });

  test('tells calls apart by their subject, and compares two that one filter never shows together', async ({
    workbench,
    shell,
    history,
  }) => {
    const { page } = workbench;
    const comparison = createComparison(page);
    await addBareEnvironment(workbench, 'dead');
    for (const [method, amount, transactionId] of [
      ['bet', 99_999, 'a-80'],
      ['bet', 1.5, 'a-81'],
      ['win', 1.5, 'a-82'],
    ] as const) {
      const data = { externalToken: 'tok-1', transactionId, amount, currency: 'EUR', playerId: 'player-2', gameId: '1042' };
      await workbench.cli(['call', method, '--env', 'dead', '--data', JSON.stringify(data)]);
    }
    await shell.goTo('History');
    await expect(history.rows).toHaveText([
      /win.*player-2 · game 1042 · 1\.5 EUR · trx a-82/,
      /bet.*player-2 · game 1042 · 1\.5 EUR · trx a-81/,
      /bet.*player-2 · game 1042 · 99999 EUR · trx a-80/,
    ]);
    expect((await history.rows.allTextContents()).join()).not.toContain('tok-1');
    await history.rows.nth(0).getByRole('checkbox').click();
    await history.filter('Operation', '/bet');
    await expect(history.rows).toHaveCount(2);
    await expect(history.ticked).toContainText('1 ticked, 1 not in the list');
    // No row, and so no strip: the tick is still told of.
    await history.search('no such text');
    await expect(history.empty).toHaveText('Nothing found');
    await expect(history.ticked).toContainText('1 ticked');
    await history.search('');
    await history.rows.nth(1).getByRole('checkbox').click();
    await expect(history.ticked).toContainText('2 ticked, 1 not in the list');
    await page.keyboard.press('c');
    await expect(comparison.title).toHaveText('Comparison of call 1 and call 3');
    await expect(comparison.tab('Fields')).toHaveAttribute('aria-selected', 'true');
    await expect(comparison.finding).toContainText('in amount: 99999 against 1.5');
    await expect(comparison.lines).toHaveText([
      /^playerId/,
      /^gameId/,
      /^amount/,
      /^currency/,
      /^externalToken/,
      /^transactionId/,
    ]);
    await page.keyboard.press('Escape');
    await history.ticked.getByRole('button', { name: 'Untick all' }).click();
    await expect(history.ticked).toHaveCount(0);
    await expect(history.rows.nth(1)).toBeFocused();
  });

  test('takes turns with the selected call where the window is too small for both', async ({ workbench, shell, history }) => {
    const { page } = workbench;
    await addBareEnvironment(workbench, 'dead');
    for (const player of ['1', '2']) {
      await workbench.cli(['call', 'bet', '--env', 'dead', '--data', `{"playerId":"${player}"}`]);
    }
    await workbench.resize(720, 450);
    await shell.goTo('History');
    const tab = (name: string) => shell.main.getByRole('tab', { name });
    await expect(tab('Calls')).toHaveAttribute('aria-selected', 'true');
    await history.rows.nth(1).getByRole('gridcell').nth(2).click();
    await expect(tab('Call 1')).toBeFocused();
    await expect(history.detail.pane).toHaveAccessibleName('Call 1');
    await expect(history.rows.nth(1)).toBeHidden();
    expect((await history.detail.pane.boundingBox())?.height).toBeGreaterThan(160);
    await page.keyboard.press('Escape');
    await expect(history.rows.nth(1)).toBeFocused();
    await expect(history.detail.pane).toBeHidden();
    await page.keyboard.press('Home');
    await expect(tab('Call 2')).toBeVisible();
    await tab('Calls').focus();
    await page.keyboard.press('ArrowRight');
    await expect(history.detail.pane).toHaveAccessibleName('Call 2');
    await expect(shell.main.getByRole('button', { name: 'Edit and re-sign' })).toBeInViewport();
    await shell.main.getByRole('tab', { name: 'Calls' }).click();
    await expect(history.rows.first()).toBeInViewport();
    await workbench.resize(320, 640);
    await expect(history.rows.first()).toBeInViewport();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });

  test('says that nothing was found, and shows all again', async ({ shell, requests, response, history }) => {
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await history.search('no such text');
    await expect(history.empty).toHaveText('Nothing found');
    await shell.main.getByRole('button', { name: 'Show all calls' }).click();
    await expect(history.rows).toHaveCount(1);
  });

  test('pins, notes and deletes calls by the keyboard alone, and undoes a deletion', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const { page } = workbench;
    for (const operation of ['gameList', 'getLauncherURL']) {
      await shell.openOperation(operation);
      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
    }
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(2);
    await history.rows.nth(0).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('p');
    const gameList = history.rows.filter({ hasText: 'gameList' });
    await expect(gameList.getByRole('img', { name: 'Pinned' })).toBeVisible();
    await page.keyboard.press('n');
    await expect(history.note).toBeFocused();
    await page.keyboard.type('The one for the provider');
    await page.keyboard.press('Enter');
    await expect(gameList.getByRole('img', { name: 'Note: The one for the provider' })).toBeVisible();
    await expect(gameList).toBeFocused();
    await page.keyboard.press('n');
    await expect(history.note).toBeFocused();
    await page.keyboard.type(' and more');
    await page.keyboard.press('Escape');
    await expect(history.note).toHaveValue('The one for the provider');
    await expect(gameList).toBeFocused();
    await history.pinnedOnly.click();
    await expect(history.count).toHaveText('1 call found');
    await history.pinnedOnly.click();
    await expect(history.rows).toHaveCount(2);

    await history.rows.nth(0).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expect(history.ticked).toContainText('2 ticked');
    await page.keyboard.press('Delete');
    await expect(history.empty).toHaveText('No calls yet');
    await expect(shell.status).toContainText(/(?<!\d)0 calls/);
    await shell.notices.getByRole('button', { name: 'Undo' }).click();
    await expect(history.rows).toHaveCount(2);
    await expect(gameList.getByRole('img', { name: 'Pinned' })).toBeVisible();
    await expect(shell.status).toContainText(/(?<!\d)2 calls/);
  });

  test('has the same in a menu and in the strip below the list', async ({ workbench, shell, requests, response, history }) => {
    for (let sent = 0; sent < 2; sent += 1) {
      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
      await expect(shell.status).toContainText(`${sent + 1} call`);
    }
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(2);
    await history.chooseInMenu(1, /^Pin/);
    await expect(history.rows.nth(1).getByRole('img', { name: 'Pinned' })).toBeVisible();
    await history.chooseInMenu(1, /^Edit note/);
    await expect(history.note).toBeFocused();
    await history.note.fill('first');
    await history.strip.getByRole('button', { name: 'Unpin' }).click();
    await expect(history.rows.nth(1).getByRole('img', { name: 'Pinned' })).toHaveCount(0);
    await expect(history.rows.nth(1).getByRole('img', { name: 'Note: first' })).toBeVisible();
    await history.rows.nth(0).getByRole('checkbox').click();
    await expect(history.ticked).toContainText('1 ticked');
    await history.strip.getByRole('button', { name: 'Delete' }).click();
    await expect(history.rows).toHaveCount(1);
    await expect(shell.notices).toContainText('Deleted 1 call.');
    const { stdout } = await workbench.cli(['history', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ total: 1, calls: [{ id: 1, pinned: false, note: 'first' }] });
  });

  test('says what is kept, which can be limited', async ({ workbench, shell, requests, response, history }) => {
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await history.view.click();
    await expect(history.retention).toHaveText('Keep all calls…');
    await history.retention.click();
    const age = shell.dialog.getByRole('textbox', { name: 'Age' });
    await age.fill('none');
    await expect(shell.dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await age.fill('30');
    await shell.dialog.getByRole('textbox', { name: 'Number' }).fill('10000');
    await expect(shell.dialog).toContainText('These limits remove nothing now: 1 call stays.');
    await shell.dialog.getByRole('button', { name: 'Save' }).click();
    await expect(shell.dialog).toBeHidden();
    await expect(history.rows).toHaveCount(1);
    await workbench.page.reload();
    await shell.goTo('History');
    await history.view.click();
    await expect(history.retention).toHaveText('Keep 30 days, at most 10,000 calls…');
  });

  test('exports the selected call as a file', async ({ workbench, shell, requests, response, history }) => {
    const { page } = workbench;
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(1);
    await history.exportAs('cURL, as sent');
    await expect(shell.notices).toContainText('Exported');
    expect(workbench.saved().at(-1)?.text).toMatch(/curl[^]*serviceApi\.php/);
    await history.rows.first().focus();
    await page.keyboard.press('e');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(shell.notices).toContainText('.har');
  });
});

describe('The history over several days', () => {
  test('is grouped by day and by session, with headings that the keyboard passes over', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const { page } = workbench;
    await outside.recordPast([
      { daysAgo: 9, hour: 9, calls: 120 },
      { daysAgo: 1, hour: 9, calls: 3 },
      { daysAgo: 1, hour: 14, calls: 2 },
    ]);
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.headings).toContainText([
      /^Today\s*$/,
      /^This session, \d\d:\d\d 1 call$/,
      /^Yesterday\s*$/,
      /^Session 14:00–14:01 2 calls$/,
      /^Session 09:00–09:03 3 calls$/,
      // Not all of that day was fetched.
      /^\w+day \d+ \w+ \d{4}\s*$/,
      /^Session 09:\d\d–12:12 94\+ calls$/,
    ]);
    await history.rows.nth(0).focus();
    await page.keyboard.press('ArrowUp');
    await expect(history.rows.nth(0)).toBeFocused();
    for (let step = 1; step < 5; step += 1) {
      await page.keyboard.press('ArrowDown');
      await expect(history.rows.nth(step)).toBeFocused();
    }
    await page.keyboard.press('Home');
    await expect(history.rows.nth(0)).toBeFocused();
    // A click on a heading opens nothing.
    await history.headings.nth(2).click();
    await expect(history.rows.nth(0)).toHaveAttribute('aria-current', 'true');

    // Reading down fetches the rest of the last day.
    await history.rows.nth(0).focus();
    await page.keyboard.press('End');
    await expect(history.rows.nth(0)).not.toBeFocused();
    await page.keyboard.press('Home');
    await expect(history.headings.last()).toHaveText(/^Session 09:00–12:12 120 calls$/);
    await history.search('no such text');
    await history.search('');
    await expect(history.count).toHaveText('126 calls');

    await history.groupBy('Day');
    await expect(history.headings).toContainText([/^Today/, /^Yesterday 5 calls$/, /day \d+ /]);
    await history.filter('Operation', 'getLauncherURL');
    await expect(history.headings).toContainText([/^Yesterday 2 calls$/, /36 calls$/]);
    await history.rows.nth(0).focus();
    await page.keyboard.press('Delete');
    await expect(history.headings).toContainText([/^Yesterday 1 call$/, /36 calls$/]);
    await shell.notices.getByRole('button', { name: 'Undo' }).click();
    await expect(history.headings).toContainText([/^Yesterday 2 calls$/, /36 calls$/]);
    await history.groupBy('None');
    await expect(history.headings).toHaveCount(0);
    await expect(history.rows.nth(0)).toContainText(/\d{4}-\d\d-\d\d 14:01/);
  });

  test('stays grouped as it was chosen', async ({ workbench, shell, requests, response, history }) => {
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.headings).toHaveCount(2);
    await history.groupBy('Day');
    await expect(history.headings).toHaveText([/^Today 1 call$/]);
    await workbench.page.reload();
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(1);
    await expect(history.headings).toHaveCount(1);
  });

  test('takes its keys for all calls that are ticked', async ({ workbench, shell, requests, response, history }) => {
    const { page } = workbench;
    for (let sent = 1; sent <= 3; sent += 1) {
      await requests.send.click();
      await expect(shell.status).toContainText(`${sent} call`);
      await expect(response.code).toHaveText('0 ok');
    }
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(3);
    await history.rows.nth(0).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await expect(history.ticked).toContainText('2 ticked');
    await expect(history.strip.getByRole('button', { name: 'Pin 2 calls' })).toBeVisible();
    await expect(history.strip.getByRole('button', { name: 'Export 2 calls' })).toBeVisible();
    // The keyboard is on the third, which is not ticked.
    await page.keyboard.press('p');
    await expect(history.rows.getByRole('img', { name: 'Pinned' })).toHaveCount(2);
    await expect(history.rows.nth(2).getByRole('img', { name: 'Pinned' })).toHaveCount(0);
    await page.keyboard.press('Delete');
    await expect(history.rows).toHaveCount(1);
    await expect(shell.notices).toContainText('Deleted 2 calls.');
  });
});
