import { recordPast, sandboxOf } from '#testing/past-calls.ts';
import { expect, test } from './fixtures.ts';

test.describe('The history over several days', () => {
  test('is grouped by day and by session, with headings that the keyboard passes over', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const { page, home } = workbench;
    const sessions = [
      { daysAgo: 9, hour: 9, calls: 120 },
      { daysAgo: 1, hour: 9, calls: 3 },
      { daysAgo: 1, hour: 14, calls: 2 },
    ];
    await recordPast(home, sandboxOf(home), sessions, Date.now());
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.headings).toContainText([
      /^Today 1 call$/,
      /^This session, at \d\d:\d\d 1 call$/,
      /^Yesterday 5 calls$/,
      /^Session from 14:00 to 14:01 2 calls$/,
      /^Session from 09:00 to 09:03 3 calls$/,
      // Not all of that day was fetched.
      /^\w+day \d+ \w+ \d{4} 94\+ calls$/,
      /^Session from 09:\d\d to 12:12 94\+ calls$/,
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
    await expect(history.headings.last()).toHaveText(/^Session from 09:00 to 12:12 120 calls$/);
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
    await history.groupBy('Nothing');
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
    // The page stores the grouping a moment later; a reload shows it then.
    await expect
      .poll(async () => {
        await workbench.page.reload();
        await shell.goTo('History');
        await expect(history.rows).toHaveCount(1);
        return history.headings.count();
      })
      .toBe(1);
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
    await expect(history.strip).toContainText('2 ticked');
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
