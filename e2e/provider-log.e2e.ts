import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLook } from './audit.ts';
import { expect, test } from './fixtures.ts';
import type { RequestScreen } from './pages/request.ts';
import { addBareEnvironment } from './own-environment.ts';
import { sendFromOutside } from './provider.ts';

async function sendWrongDigit(requests: RequestScreen): Promise<void> {
  await requests.overrides.open();
  await requests.overrides.hash('Wrong digit');
  await requests.overrides.close();
  await requests.send.click();
}

test.describe("The provider's log", () => {
  test('says why a call got 8: what arrived, what was hashed, and both hashes', async ({
    workbench,
    shell,
    requests,
    response,
    history,
    providerLog,
  }) => {
    await shell.openOperation('getLauncherURL');
    await requests.form.field('exitURL').fill('https://example.com/lobby?x=ü');
    await sendWrongDigit(requests);
    await expect(response.code).toHaveText('8 hash not valid');
    await response.toProviderLog.click();
    await expect(providerLog.marked).toHaveText(/getLauncherURL.*code 8.*The hash is right but for one digit, at byte \d+/);
    await expect(providerLog.details).toContainText('Call 1 of the history');
    await expect(providerLog.controlPage).toBeVisible();
    if (workbench.hostName === 'browser') {
      const opened = workbench.page.context().waitForEvent('page');
      await providerLog.controlPage.click();
      const control = await opened;
      await expect(control.getByRole('heading', { name: 'Built-in provider' })).toBeVisible();
      await control.close();
    }
    // Compares the whole text at once: the editor draws its wrapped lines one after the other.
    await expect
      .poll(() => providerLog.hashInput.text())
      .toMatch(/^<PRIVATE_KEY>\d\d-\d\d-\d{4} [\d:]{8}\{"gameMode".*"exitURL":"https:\/\/example\.com\/lobby\?x=\\u00fc"\}/);
    await expect(providerLog.differences).toHaveCount(0);
    await expect.poll(() => providerLog.body.text()).toContain('"action":"getLauncherURL"');
    const { stdout } = await workbench.cli(['history', 'show', '1', '--json']);
    const sent = (JSON.parse(stdout) as { request: { hash: string } }).request.hash;
    await expect(providerLog.details).toContainText(sent);
    await expect(history.rows).toHaveCount(1);
    // Where the list is narrow, nothing of it is cut: the details say why.
    await workbench.resize(720, 450);
    await expect(providerLog.marked).toHaveText(/getLauncherURL.*code 8$/);
    const cell = providerLog.marked.getByRole('gridcell').last();
    const right = async (locator: typeof cell) => {
      const box = await locator.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    expect(await right(cell)).toBeLessThanOrEqual((await providerLog.details.boundingBox())?.x ?? 0);
    await workbench.resize(1280, 800);
    await providerLog.openCall.click();
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
    await expect(response.code).toHaveText('8 hash not valid');
  });

  test('and the history mark each other, by the keyboard alone', async ({
    workbench,
    shell,
    requests,
    response,
    history,
    providerLog,
  }) => {
    const { page } = workbench;
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.openOperation('getLauncherURL');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await sendFromOutside(workbench, ['{"action":"from outside"}']);
    await shell.goTo('History');
    await providerLog.toggle.click();
    await expect(providerLog.rows).toHaveCount(3);
    await expect(providerLog.count).toHaveText('3 verdicts');
    await expect(providerLog.marked).toHaveText(/getLauncherURL/);
    await history.rows.nth(0).focus();
    await page.keyboard.press('ArrowDown');
    await expect(providerLog.marked).toHaveText(/gameList/);
    await expect(providerLog.details).toContainText('Call 1 of the history');
    await providerLog.rows.nth(0).focus();
    await expect(providerLog.marked).toHaveText(/from outside.*code 9.*platform is missing/);
    await expect(providerLog.details).toContainText('Not joined to a call');
    await expect(providerLog.openCall).toHaveCount(0);
    await page.keyboard.press('ArrowDown');
    await expect(providerLog.marked).toHaveText(/getLauncherURL/);
    await expect(history.strip).toContainText('getLauncherURL');
    // Later calls do not remove the mark.
    await sendFromOutside(workbench, ['{"action":"later"}']);
    await expect(providerLog.rows).toHaveCount(4);
    await expect(providerLog.marked).toHaveText(/getLauncherURL/);
    // A call to another provider has no verdict in the log.
    await addBareEnvironment(workbench, 'dead');
    await workbench.cli(['call', 'playerInfo', '--env', 'dead']);
    await shell.goTo('Requests');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(3);
    await history.rows.nth(0).focus();
    await expect(providerLog.notice).toHaveText('No verdict is chosen');
    await expect(providerLog.panel).toContainText('Call 3 is not in this log');
  });

  test('takes the place of the selected call when asked for, and stays as it was left', async ({
    workbench,
    shell,
    palette,
    history,
    providerLog,
  }) => {
    const { page } = workbench;
    await shell.goTo('History');
    await expect(providerLog.toggle).toHaveAttribute('aria-pressed', 'false');
    await expect(providerLog.panel).toBeHidden();
    await page.keyboard.press('ControlOrMeta+Shift+L');
    await expect(providerLog.notice).toHaveText('Nothing was judged yet');
    await addBareEnvironment(workbench, 'other');
    await workbench.cli(['call', 'playerInfo', '--env', 'other']);
    await shell.goTo('Requests');
    await shell.goTo('History');
    await history.rows.first().click();
    await expect(providerLog.panel).toBeVisible();
    await expect(history.detail.pane).toHaveCount(0);
    await providerLog.toggle.click();
    await expect(history.detail.pane).toHaveAccessibleName('Call 1');
    await providerLog.toggle.click();
    await providerLog.close.click();
    await expect(providerLog.panel).toBeHidden();
    await shell.goTo('Requests');
    await palette.run("provider's log", /provider's log/);
    await expect(providerLog.panel).toBeVisible();
    const width = async () => (await providerLog.panel.boundingBox())?.width ?? 0;
    const before = await width();
    await providerLog.edge.focus();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(width).toBeLessThan(before - 20);
    // Without dragging: by its menu, and back by a double click.
    const moved = await width();
    await providerLog.edge.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move left' }).click();
    await expect.poll(width).toBeGreaterThan(moved + 40);
    await providerLog.edge.dblclick();
    await expect.poll(async () => Math.abs((await width()) - before)).toBeLessThan(4);
    await providerLog.edge.focus();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight');
    let after = 0;
    // Once the last press is drawn, too.
    await expect
      .poll(async () => {
        const last = after;
        after = await width();
        return after === last && after < before - 20;
      })
      .toBe(true);
    const settings = join(workbench.home, 'settings.json');
    const share = async () => /providerLog.*?beside\\":([\d.]+)/.exec(await readFile(settings, 'utf8'))?.[1] ?? '';
    await expect.poll(share).toMatch(/^(?!58$)\d/);
    await page.reload();
    await expect(providerLog.panel).toBeVisible();
    await expect.poll(async () => Math.abs((await width()) - after)).toBeLessThan(4);
    await providerLog.toggle.click();
    await expect(providerLog.panel).toBeHidden();
    const shown = async () => /providerLog.*?shown\\":(\w+)/.exec(await readFile(settings, 'utf8'))?.[1];
    await expect.poll(shown).toBe('false');
    await page.reload();
    await expect(providerLog.toggle).toHaveAttribute('aria-pressed', 'false');
    await providerLog.toggle.click();
    await expect.poll(async () => Math.abs((await width()) - after)).toBeLessThan(4);
  });

  test('keeps the newest thousand and says how many it dropped', async ({ workbench, shell, providerLog }) => {
    test.slow();
    const { page } = workbench;
    await shell.goTo('History');
    await providerLog.toggle.click();
    await expect(providerLog.notice).toHaveText('Nothing was judged yet');
    await sendFromOutside(
      workbench,
      Array.from({ length: 1_012 }, (_, at) => `{"action":"call ${at + 1}"}`),
    );
    await expect(providerLog.count).toHaveText('1,000 verdicts, 12 older dropped');
    await expect(providerLog.rows.first()).toContainText('call 1012');
    await providerLog.rows.first().focus();
    await page.keyboard.press('End');
    await expect(providerLog.marked).toHaveText(/call 13code 9/);
    expect(await providerLog.rows.count()).toBeLessThan(100);
    await page.reload();
    await expect(providerLog.count).toHaveText('1,000 verdicts, 12 older dropped');
  });

  test('can be read and used by everybody in both themes, and below the list where there is no room beside it', async ({
    workbench,
    requests,
    response,
    history,
    providerLog,
  }) => {
    const { page } = workbench;
    const { found, look } = createLook(workbench);
    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'verbatim']);
    await requests.tabs.first().waitFor();
    await sendWrongDigit(requests);
    await expect(response.code).toHaveText('8 hash not valid');
    await response.toProviderLog.click();
    await expect(providerLog.details).toBeVisible();
    await look('beside the history');
    await workbench.resize(1024, 768);
    await expect(providerLog.details).toBeInViewport();
    const [list, log] = [await history.rows.first().boundingBox(), await providerLog.panel.boundingBox()];
    expect(log?.y).toBeGreaterThan(list?.y ?? 0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    await look('below it');
    expect(found).toEqual([]);
  });
});
