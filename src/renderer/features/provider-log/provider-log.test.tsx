import { describe } from 'vitest';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Handlers } from '#shared/ipc/index.ts';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { addBareEnvironment } from '../../../../e2e/own-environment.ts';
import type { RequestScreen } from '../../../../e2e/pages/request.ts';
import { roomAroundExplanation } from '../../../../e2e/pages/response.ts';
import { createLook } from '../../../../e2e/audit.ts';

async function sendWrongDigit(requests: RequestScreen): Promise<void> {
  await requests.overrides.open();
  await requests.overrides.hash('Wrong digit');
  await requests.overrides.close();
  await requests.send.click();
}

describe("The provider's log", () => {
  test('a bet over the balance is explained by its reason, with the log one press away', async ({
    shell,
    requests,
    response,
    history,
    providerLog,
  }) => {
    await shell.openOperation('/bet');
    await requests.form.takeToken(/^player-1 /);
    await requests.form.field('amount').fill('99999');
    await requests.send.click();
    await expect(response.code).toHaveText('404 Invalid Token');
    const first = response.explanation.getByRole('paragraph').first();
    await expect(first).toHaveText('The balance of 1000 EUR does not cover the bet of 99999.');
    await expect(response.explanation).toContainText('The built-in provider uses code 404 here');
    await expect(response.explanation).not.toContainText('session token');
    // It is directly under the facts, of which the code is the first, and above the tabs; in the history, too.
    for (const part of [response.pane, history.detail.pane]) {
      if (part !== response.pane) {
        await shell.goTo('History');
        await history.rows.first().click();
      }
      await expect(part.getByRole('complementary', { name: 'Explanation' })).toContainText('does not cover the bet');
      const { above, below, fact } = await roomAroundExplanation(part);
      for (const room of [above, below]) {
        expect(room).toBeGreaterThanOrEqual(0);
        expect(room).toBeLessThan(fact);
      }
    }
    await shell.goTo('Requests');
    await response.toProviderLog.click();
    await expect(providerLog.marked).toHaveText(/bet.*code 404.*does not cover the bet/);
  });

  test('stays with the call it was opened for while the history does not have that yet', async ({
    workbench,
    shell,
    requests,
    response,
    history,
    providerLog,
  }) => {
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(1);
    await shell.goTo('Requests');
    const held = Promise.withResolvers<undefined>();
    workbench.instead({
      'calls.list': async (input) => {
        await held.promise;
        const reply = await outside.callApp('calls.list', input);
        if (!reply.ok) throw new Error(reply.error.message);
        return reply.value as Awaited<ReturnType<Handlers['calls.list']>>;
      },
    });
    await sendWrongDigit(requests);
    await expect(response.code).toHaveText('8 hash not valid');
    await response.toProviderLog.click();
    await expect(history.rows.first()).toBeVisible();
    // The focus would be on a row by now.
    for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
    await expect(providerLog.marked).toContainText('code 8');
    held.resolve(undefined);
    await expect(history.rows).toHaveCount(2);
    await expect(history.rows.first()).toBeFocused();
    await expect(providerLog.marked).toContainText('code 8');
  });

  test('marks the first byte at which re-encoded data differs, and says that this is why', async ({
    workbench,
    shell,
    requests,
    response,
    providerLog,
  }) => {
    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'verbatim']);
    await shell.openOperation('getGameRound');
    await expect(requests.hashInput.pane).toContainText('serialization: verbatim');
    const editor = await requests.openEditor();
    await editor.replace('{"roundId":9007199254740993, "logMonth":0}');
    await requests.send.click();
    await expect(response.code).toHaveText('8 hash not valid');
    await response.toProviderLog.click();
    await expect(providerLog.differences).toHaveCount(2);
    await expect(providerLog.differences.first()).toHaveText('"');
    await expect(providerLog.differences.last()).toHaveText('First difference: ·');
    await expect.poll(() => providerLog.hashInput.text()).toContain('{"roundId":9007199254740993,');
    await expect(providerLog.received).toContainText('First difference at byte 28 of data');
    await expect(providerLog.received).toContainText("That's the reason.");
    await expect.poll(() => providerLog.body.text()).toContain('{"roundId":9007199254740993, "logMonth":0}');
  });

  test('says that the provider does not run, and what to do', async ({ workbench, shell, providerLog }) => {
    const folder = join(workbench.home, 'sandbox');
    await rm(folder, { recursive: true });
    await writeFile(folder, 'not a folder');
    await workbench.restart();
    await shell.goTo('History');
    await providerLog.toggle.click();
    await expect(providerLog.notice).toHaveText('The built-in provider is not running');
    await expect(providerLog.panel).toContainText('The built-in provider could not start.');
    await expect(providerLog.panel).toContainText('Restart the workbench');
  });

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
    await expect(providerLog.marked).toHaveText(
      /getLauncherURL.*code 8.*One digit of the hash is wrong: . instead of . at byte \d+/,
    );
    await expect(providerLog.openCall).toHaveText('Open call 1');
    const { value } = (await outside.callApp('sandbox.status', {})) as { value: { controlUrl: string } };
    await expect(providerLog.controlPage).toHaveAttribute('href', value.controlUrl);
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
    await outside.sendFromOutside(['{"action":"from outside"}']);
    await shell.goTo('History');
    await providerLog.toggle.click();
    await expect(providerLog.rows).toHaveCount(3);
    await expect(providerLog.count).toHaveText('3 verdicts');
    await expect(providerLog.marked).toHaveText(/getLauncherURL/);
    await history.rows.nth(0).focus();
    await page.keyboard.press('ArrowDown');
    await expect(providerLog.marked).toHaveText(/gameList/);
    await expect(providerLog.openCall).toHaveText('Open call 1');
    await providerLog.rows.nth(0).focus();
    await expect(providerLog.marked).toHaveText(/from outside.*code 9.*platform is missing/);
    await expect(providerLog.details).toContainText('No matching call');
    await expect(providerLog.openCall).toHaveCount(0);
    await page.keyboard.press('ArrowDown');
    await expect(providerLog.marked).toHaveText(/getLauncherURL/);
    await expect(history.rows.and(page.locator('[aria-current="true"]'))).toContainText('getLauncherURL');
    // Later calls do not remove the mark.
    await outside.sendFromOutside(['{"action":"later"}']);
    await expect(providerLog.rows).toHaveCount(4);
    await expect(providerLog.marked).toHaveText(/getLauncherURL/);
    // A call to another provider has no verdict in the log.
    await addBareEnvironment(workbench, 'dead');
    await workbench.cli(['call', 'playerInfo', '--env', 'dead']);
    await shell.goTo('Requests');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(3);
    await history.rows.nth(0).focus();
    await expect(providerLog.notice).toHaveText('No verdict selected');
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
    await expect(providerLog.notice).toHaveText('No verdicts yet');
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
    await palette.run('provider log', /provider log/);
    await expect(providerLog.panel).toBeVisible();
    const width = async () => (await providerLog.panel.boundingBox())?.width ?? 0;
    const before = await width();
    const narrow = async () => {
      await providerLog.edge.focus();
      for (let presses = 0; presses < 3; presses += 1) {
        const last = await width();
        await page.keyboard.press('ArrowRight');
        await expect.poll(width).toBeLessThan(last - 20);
      }
    };
    await narrow();
    // Without dragging: by its menu, and back by a double click.
    const moved = await width();
    await providerLog.edge.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move left' }).click();
    await expect.poll(width).toBeGreaterThan(moved + 40);
    // By its grip, which reaches over the panes.
    const dragged = await width();
    const edge = await providerLog.edge.boundingBox();
    const [right, middle] = [(edge?.x ?? 0) + 15, (edge?.y ?? 0) + (edge?.height ?? 0) / 2];
    await page.mouse.move(right, middle);
    await page.mouse.down();
    await page.mouse.move(right - 60, middle);
    await page.mouse.up();
    await expect.poll(width).toBeGreaterThan(dragged + 40);
    await providerLog.edge.dblclick();
    await expect.poll(async () => Math.abs((await width()) - before)).toBeLessThan(4);
    await narrow();
    // Once the last press is stored, too.
    const stored = async () =>
      /providerLog.*?beside\\+":([\d.]+)/.exec(JSON.stringify(await outside.callApp('settings.read', {})))?.[1];
    const shown = async () => Number(await providerLog.edge.getAttribute('aria-valuenow'));
    await expect.poll(async () => Math.abs(Number(await stored()) - (await shown()))).toBeLessThan(0.1);
    const after = await width();
    await page.reload();
    await expect(providerLog.panel).toBeVisible();
    await expect.poll(async () => Math.abs((await width()) - after)).toBeLessThan(4);
    await providerLog.toggle.click();
    await expect(providerLog.panel).toBeHidden();
    await page.reload();
    await expect(providerLog.toggle).toHaveAttribute('aria-pressed', 'false');
    await providerLog.toggle.click();
    await expect.poll(async () => Math.abs((await width()) - after)).toBeLessThan(4);
  });

  test('keeps the newest thousand and says how many it dropped', async ({ workbench, shell, providerLog }) => {
    const { page } = workbench;
    await shell.goTo('History');
    await providerLog.toggle.click();
    await expect(providerLog.notice).toHaveText('No verdicts yet');
    await outside.sendFromOutside(Array.from({ length: 1_012 }, (_, at) => `{"action":"call ${at + 1}"}`));
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
