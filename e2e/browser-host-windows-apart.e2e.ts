import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { browserHostOf, expect, test, type Workbench } from './fixtures.ts';
import { keptTabs } from './kept-tabs.ts';
import { createRequest } from './pages/request.ts';
import { createShell } from './pages/shell.ts';
import { hostGone } from './troubles.ts';

/** Opens one more tab of the browser, as a person does with a new address. */
async function openTab(workbench: Workbench): Promise<Page> {
  const page = await workbench.page.context().newPage();
  await page.goto(await browserHostOf(workbench).newAddress());
  await expect(createRequest(page).tabs.first()).toBeVisible();
  return page;
}

test.describe('Tabs of the browser', () => {
  test('have their own requests each: neither writes over the other, in a reload or in a kill of everything', async ({
    workbench,
    shell,
    requests,
  }) => {
    workbench.troubles.expect(hostGone);
    const { page, home } = workbench;
    await shell.openOperation('getGameRound');
    await requests.form.field('roundId').fill('111');
    await expect.poll(() => keptTabs(home)).toContain('111');
    const other = await openTab(workbench);
    const second = createRequest(other);
    await expect(second.tabs).toHaveText([/gameList/]);
    await createShell(other).openOperation('/bet');
    await second.form.field('amount').fill('0.22');
    await expect.poll(() => keptTabs(home)).toContain('0.22');
    await requests.form.field('roundId').fill('112');
    await page.reload();
    await other.reload();
    await expect(requests.tabs).toHaveText([/gameList/, /getGameRound/]);
    await expect(requests.form.field('roundId')).toHaveValue('112');
    await expect(second.tabs).toHaveText([/gameList/, /bet/]);
    await expect(second.form.field('amount')).toHaveValue('0.22');

    await browserHostOf(workbench).kill();
    await other.close();
    await browserHostOf(workbench).start();
    // This tab of the browser still knows which requests were its own.
    await expect(requests.tabs).toHaveText([/gameList/, /getGameRound/]);
    await expect(page.getByText('Another window left 2 tabs open, 1 with unsaved changes.')).toBeVisible();
    await page.getByRole('button', { name: 'Open them here' }).click();
    await expect(requests.tabs).toHaveText([/gameList/, /getGameRound/, /gameList/, /bet/]);
    await requests.tabs.nth(3).click();
    await expect(requests.form.field('amount')).toHaveValue('0.22');
    await expect.poll(() => keptTabs(home).split('0.22')).toHaveLength(2);
    await page.reload();
    await expect(requests.tabs).toHaveCount(4);
    await expect(page.getByText('left 2 tabs open')).toHaveCount(0);
  });

  test('that are duplicates begin with requests of their own', async ({ workbench, shell, requests }) => {
    const { page, home } = workbench;
    await shell.openOperation('getGameRound');
    await requests.form.field('roundId').fill('111');
    await expect.poll(() => keptTabs(home)).toContain('111');
    // A browser copies this storage when it duplicates a tab.
    const storage = await page.evaluate(() => Object.entries(sessionStorage) as [string, string][]);
    const other = await page.context().newPage();
    await other.addInitScript((items) => {
      for (const [name, value] of items) sessionStorage.setItem(name, value);
    }, storage);
    await other.goto(new URL('/', browserHostOf(workbench).address()).href);
    await expect(createRequest(other).tabs).toHaveText([/gameList/]);
  });
});

test.describe('Requests that another version of Croupier left open', () => {
  test('stay as they are, and are named', async ({ workbench, requests }) => {
    workbench.troubles.expect(hostGone);
    const { page, home } = workbench;
    const settings = path.join(home, 'settings.json');
    await browserHostOf(workbench).stop();
    const held = JSON.stringify({ workspace: JSON.stringify({ version: 2, groups: [{ tabs: ['a'] }] }) });
    writeFileSync(settings, held);
    await browserHostOf(workbench).start();
    await expect(requests.tabs).toHaveText([/gameList/]);
    await expect(page.getByText("Croupier can't read the open tabs in")).toContainText(settings);
    await page.getByRole('button', { name: 'New request' }).click();
    await expect.poll(() => keptTabs(home)).toContain('gameList');
    expect((JSON.parse(readFileSync(settings, 'utf8')) as { workspace: string }).workspace).toBe(
      (JSON.parse(held) as { workspace: string }).workspace,
    );
  });
});
