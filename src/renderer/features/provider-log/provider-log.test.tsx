import { describe } from 'vitest';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { roomAroundExplanation } from '../../../../e2e/pages/response.ts';

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
    await expect(response.explanation).toContainText('Code 404 stands in');
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
    await expect(providerLog.received).toContainText('They differ from byte 28 of data on');
    await expect(providerLog.received).toContainText('This is why: the received hash is right for data as it was received.');
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
    await expect(providerLog.panel).toContainText('Start the workbench again');
  });
});
