import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { createRunsScreen } from './pages/runs.ts';

/** Number of elements that a list may have in the page, however long it is. */
const mostNodes = 600;

const nodesIn = (part: Locator) => part.evaluate((element) => element.querySelectorAll('*').length);

test.describe('What is shown costs what is seen', () => {
  test('of two thousand environments, wherever one is chosen', async ({ workbench, shell, environments, palette }) => {
    const { page, home } = workbench;
    const folder = path.join(home, 'environments');
    const known = readdirSync(folder).length;
    const settings = { platform: 7, baseUrl: 'https://127.0.0.1:9' };
    for (let at = 0; at < 2_050; at += 1) {
      const one = { id: `many-${at}`, name: `Casino ${at % 50} number ${at}`, partnerId: 5, ...settings };
      writeFileSync(path.join(folder, `many-${at}.json`), JSON.stringify(one));
    }
    const asked = () => workbench.traffic.asked('"keys.status"');
    const before = asked();
    await workbench.restart();
    await expect(shell.status).toContainText(/No key|fingerprint/);
    expect(asked() - before).toBeLessThan(10);

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
    const folder = path.join(workbench.home, 'collection-runs');
    mkdirSync(folder, { recursive: true });
    for (let at = 0; at < 100; at += 1) writeReport(folder, at, at === 99 ? 6_000 : 2);
    await shell.goTo('Runs');
    await expect(runs.main.getByText('6,000 requests', { exact: true })).toBeVisible();
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
    await expect(runs.main.getByText('150 requests', { exact: true })).toBeVisible();
    await runs.list.first().focus();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.press('Enter');
    await expect(runs.main.getByText('2 requests', { exact: true })).toBeVisible();
    await expect(runs.list.last()).toHaveAttribute('aria-posinset', '100');
  });
});

test.describe('At rest', () => {
  test.skip(
    ({ hostName }) => hostName !== 'browser',
    'what the page asks for is not seen on the desktop, whose page is the same',
  );

  test('nothing is hashed that is not looked at, or that nobody has touched for ten seconds, and nothing wakes the page', async ({
    workbench,
    shell,
    requests,
  }) => {
    const { page } = workbench;
    // Editors of the first screen are gone before the clock comes: it could not clear the timers that they had set.
    await shell.goTo('Environments');
    await page.clock.install();
    await countTimers(page);
    const digests = () => workbench.traffic.asked('"keys.digest"');
    /**
     * Returns the digests requested and the timers that fired in ten seconds of the page's clock; the line's heartbeat, every other
     * second, follows the machine's.
     */
    const rest = async () => {
      // Not before what was said to a screen reader has left the page, ten seconds later.
      await page.clock.runFor(15_000);
      const [asked, woken] = [digests(), await timersRung(page)];
      await page.clock.runFor(10_000);
      return { digests: digests() - asked, woken: (await timersRung(page)) - woken };
    };
    const now = () => page.evaluate(() => Date.now());
    /** Expects a digest for each second at most, of a page that somebody uses. */
    const expectTicking = async () => {
      const [asked, from] = [digests(), await now()];
      await page.clock.runFor(5_000);
      const seen = digests() - asked;
      expect(seen).toBeGreaterThan(0);
      // It goes on by itself between two of these steps, too.
      expect(seen).toBeLessThanOrEqual(Math.ceil(((await now()) - from) / 1_000));
    };
    // An editor may come while the clock runs: then the page rests after it.
    const expectRest = () => expect.poll(rest).toEqual({ digests: 0, woken: 0 });
    await shell.openOperation('getLauncherURL');
    await requests.hashInput.digest();
    await expectTicking();
    await expectRest();
    await expect(requests.hashInput.pane.getByText(/^Shown for /)).toBeVisible();
    await page.mouse.move(5, 5);
    await expect(requests.hashInput.pane.getByText(/^Shown for /)).toBeHidden();
    await expectTicking();

    await requests.hashInput.pane.getByRole('button', { name: 'Hide the hash input' }).click();
    await expectRest();
    await requests.hashInput.pane.getByRole('button', { name: 'Show the hash input' }).click();
    await requests.hashInput.digest();

    await shell.goTo('Open points');
    await expectRest();
    await shell.goTo('Requests');
    await requests.hashInput.digest();

    await hide(page, true);
    await expectRest();
    await hide(page, false);
    await requests.hashInput.digest();
  });

  test('a long request stands at one moment, which is named, and is hashed again when asked', async ({
    workbench,
    shell,
    requests,
  }) => {
    const { page } = workbench;
    await shell.goTo('Environments');
    await page.clock.install({ time: new Date('2026-11-20T10:15:30Z') });
    await shell.openOperation('getLauncherURL');
    const editor = await requests.openEditor();
    const items = Array.from({ length: 1_100 }, () => `"${'x'.repeat(98)}"`).join(',\n');
    await editor.paste(`{"a":[${items}]}`);
    const held = requests.hashInput.pane.getByText(/^Shown for /);
    await page.clock.runFor(1_000);
    const digest = await requests.hashInput.digest();
    const moment = await held.textContent();
    const before = workbench.traffic.asked('"keys.digest"');
    const digests = () => workbench.traffic.asked('"keys.digest"') - before;
    await page.clock.runFor(20_000);
    await expect(held).toHaveText(moment ?? '');
    expect(digests()).toBe(0);
    await requests.hashInput.pane.getByRole('button', { name: 'Show for now' }).click();
    await page.clock.runFor(1_000);
    await expect(held).not.toHaveText(moment ?? '');
    await expect.poll(() => requests.hashInput.digest()).not.toBe(digest);
    await expect.poll(digests).toBe(1);
  });
});

/** From now on, counts the timer callbacks of the page's clock. */
async function countTimers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counted = { rung: 0 };
    Object.assign(globalThis, { counted });
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const real = window[name].bind(window) as (work: () => void, ...rest: unknown[]) => number;
      window[name] = ((work: () => void, ...rest: unknown[]) =>
        real(
          () => {
            counted.rung += 1;
            work();
          },
          ...rest,
        )) as never;
    }
  });
}

function timersRung(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { counted: { rung: number } }).counted.rung);
}

async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

/** Writes a report as a run does: two requests for each data row, one of 40 failed. */
function writeReport(folder: string, run: number, rows: number): void {
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
  writeFileSync(path.join(folder, `${runId}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}
