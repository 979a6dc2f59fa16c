import { describe } from 'vitest';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createRunsScreen } from '../../../e2e/pages/runs.ts';

/** Number of elements that a list may have in the page, however long it is. */
const mostNodes = 600;

const nodesIn = (part: Locator) => part.evaluate((element) => element.querySelectorAll('*').length);

describe('What is shown costs what is seen', () => {
  test('of two thousand environments, wherever one is chosen', async ({ workbench, shell, environments, palette }) => {
    const { page, home } = workbench;
    const folder = join(home, 'environments');
    const known = (await readdir(folder)).length;
    const settings = { platform: 7, baseUrl: 'https://127.0.0.1:9', partnerId: 5 };
    const many = Array.from({ length: 2_050 }, (_, at) => {
      const one = { id: `many-${at}`, name: `Casino ${at % 50} number ${at}`, ...settings };
      return [`many-${at}.json`, JSON.stringify(one)];
    });
    await outside.writeFiles(folder, Object.fromEntries(many));
    const before = workbench.asked('keys.status');
    await workbench.restart();
    expect(workbench.asked('keys.status') - before).toBeLessThan(10);

    await shell.environment.click();
    const list = page.getByRole('listbox', { name: 'Environments' });
    const option = list.getByRole('option');
    await expect(option.first()).toHaveAttribute('aria-setsize', String(2_050 + known));
    expect(await nodesIn(list)).toBeLessThan(mostNodes);
    await page.keyboard.type('number 2049');
    await expect(option).toHaveCount(1);
    await expect(option).toHaveAttribute('aria-posinset', '1');
    await page.keyboard.press('Enter');
    await expect(list).toBeHidden();
    await expect(shell.environment).toContainText('Casino 49 number 2049');
    await expect(shell.environment).toBeFocused();

    // From where it stands, around the end.
    await page.keyboard.press('Enter');
    const field = page.getByRole('combobox', { name: 'Find in environments' });
    await expect(field).toBeFocused();
    const start = await field.getAttribute('aria-activedescendant');
    await page.keyboard.press('ArrowDown');
    await expect(field).not.toHaveAttribute('aria-activedescendant', start ?? '');
    await expect(page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`)).toBeInViewport();
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();

    await shell.goTo('Environments');
    const entry = environments.list.getByRole('option');
    await expect(entry.first()).toHaveAttribute('aria-setsize', String(2_050 + known));
    expect(await nodesIn(shell.sidebar)).toBeLessThan(mostNodes);
    await shell.sidebar.getByRole('searchbox').fill('number 1234');
    await expect(entry).toHaveCount(1);
    await entry.click();
    await expect(entry).toHaveAttribute('aria-selected', 'true');

    await palette.open();
    await page.keyboard.insertText('number 1777');
    await expect(palette.dialog.getByRole('option', { selected: true })).toContainText('number 1777');
    expect(await nodesIn(palette.dialog)).toBeLessThan(mostNodes);
    await page.keyboard.press('Escape');

    const runs = createRunsScreen(page);
    await shell.goTo('Runs');
    await runs.newRun.click();
    expect(await nodesIn(runs.dialog)).toBeLessThan(mostNodes);
    const choice = runs.dialog.getByRole('combobox', { name: 'Environment' });
    await choice.click();
    await expect(page.getByRole('combobox', { name: 'Find in choices' })).toBeFocused();
    await page.keyboard.type('number 2042');
    await page.keyboard.press('Enter');
    await expect(choice).toContainText('2042');
    await expect(runs.dialog).toBeVisible();
    await page.keyboard.press('Escape');
  });

  test('of a report of 6,000 requests and of a list of runs', async ({ workbench, shell }) => {
    const runs = createRunsScreen(workbench.page);
    const reports = Array.from({ length: 100 }, (_, at) => reportOf(at, at === 99 ? 6_000 : 2));
    await outside.writeFiles(join(workbench.home, 'collection-runs'), Object.fromEntries(reports));
    await shell.goTo('Runs');
    await expect(runs.totals).toContainText('6,000 planned');
    const table = runs.main.getByRole('grid');
    // Each of 3,000 iterations has a line above it, and the table has its heading.
    await expect(table).toHaveAttribute('aria-rowcount', '9001');
    expect(await nodesIn(table)).toBeLessThan(mostNodes);
    expect(await nodesIn(shell.sidebar)).toBeLessThan(mostNodes);
    await runs.rows.first().click();
    await workbench.page.keyboard.press('End');
    await expect(runs.headings.last()).toContainText('Iteration 3,000, data row 3,000');
    await expect(table.locator('tr:focus')).toHaveAttribute('aria-rowindex', '9001');
    await runs.onlyFailed.click();
    // Each failed request has the line of its iteration above it.
    await expect(table).toHaveAttribute('aria-rowcount', '301');
    await runs.list.first().focus();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.press('Enter');
    await expect(runs.totals).toContainText('2 passed');
    await expect(runs.list.last()).toHaveAttribute('aria-posinset', '100');
  });
});

/** Returns the file of a report as a run writes it: two requests for each data row, one of 40 failed. */
function reportOf(run: number, rows: number): [string, string] {
  const startedAt = Date.UTC(2026, 10, 20) + run * 1_000;
  const runId = `${startedAt.toString(36)}00-0000000a`;
  const place = {
    collectionId: 'many',
    collection: `collection ${run}`,
    path: '',
    environmentId: 'sandbox',
    environment: 'sandbox',
  };
  const start = { runId, ...place, startedAt, planned: rows, warnings: [], process: 'gone', repeat: 1, hasData: true };
  const counts = { requests: rows, failed: rows / 40, passed: rows - rows / 40, errored: 0, skipped: 0, cancelled: 0 };
  const none = { checks: 0, checksPassed: 0, checksFailed: 0, unchecked: 0, unrecorded: 0, withFindings: 0 };
  const lines: unknown[] = [{ start }];
  for (let at = 0; at < rows; at += 1) {
    const state = at % 40 === 39 ? 'failed' : 'passed';
    const answer = { callId: at + 1, code: 0, status: 200, durationMs: at % 97 };
    const said = { reason: '', checks: [], unchecked: false, unrecorded: '', findings: [] };
    const request = { path: `request ${at % 2}`, operation: 'gameList', state, ...answer, ...said };
    lines.push({ index: at % 2, request: { iteration: (at >> 1) + 1, row: (at >> 1) + 1, request } });
  }
  lines.push({ end: { state: 'finished', durationMs: 1_000, totals: { ...counts, ...none } } });
  return [`${runId}.jsonl`, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`];
}
