import { describe } from 'vitest';
import { startHttpsServer } from '#testing/https-server.ts';
import { keepCopies } from '../../../../e2e/copies.ts';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { addEnvironment, enterWithKey } from '../../../../e2e/own-environment.ts';

const key = 'a-key-of-the-test';

describe('What was sent', () => {
  test("is what the built-in provider's log received", async ({ workbench, requests, response, shell, providerLog }) => {
    const copied = await keepCopies(workbench.page);
    await requests.overrides.open();
    await requests.overrides.hash('Wrong digit');
    await requests.overrides.close();
    await requests.send.click();
    await expect(response.code).toHaveText('8 hash not valid');
    await expect(response.signed).toHaveText('one digit of the hash is wrong');
    await response.show('Sent');
    await response.sent.copy('body');
    const sent = await copied();
    await response.toProviderLog.click();
    await providerLog.copyBody.click();
    await expect.poll(copied).toBe(sent);
    expect(sent).toContain('"hash":"');
    await expect(shell.main).toBeVisible();
  });

  for (const [why, overrides, fact] of [
    ['time is hashed and left out', ['time'], 'signed and sent differ'],
    ['the hash is left out', ['hash'], 'sent without a hash'],
  ] as const) {
    test(`is not called signed where ${why}`, async ({ requests, response }) => {
      await requests.overrides.open();
      for (const field of overrides) await requests.overrides.leaveOut(field);
      await requests.overrides.close();
      await requests.send.click();
      await expect(response.signed).toHaveText(fact);
      await expect(response.pane).not.toContainText('signed = sent');
    });
  }

  test('is nothing for a call that failed before its first byte, and not known for one without a response', async ({
    workbench,
    shell,
    requests,
    response,
    environments,
  }) => {
    const server = await startHttpsServer((_, answer) => {
      answer.socket?.destroy();
    });
    await addEnvironment(workbench, server, 'own');
    await enterWithKey({ shell, environments }, 'own', key);
    await shell.openOperation('gameList');
    await requests.send.click();
    await expect(response.code).toHaveText('No response');
    const untrue = /signed = sent|as it was sent|exactly as sent/;
    for (const view of ['Perhaps sent', 'Timings'] as const) {
      await response.show(view);
      await expect(response.pane).not.toContainText(untrue);
      await expect(response.pane).not.toContainText('Nothing was sent');
    }
    await response.show('Perhaps sent');
    await expect(response.sent.departure).toContainText('It is not known how much of it arrived');
    await server.close();
    await requests.send.click();
    await expect(response.pane).toContainText('It happened while connecting');
    await expect(response.signed).toHaveText('nothing was sent');
    await response.signed.click();
    await expect(response.sent.departure).toHaveText('Nothing was sent. This is what would have been sent.');
    await expect.poll(() => response.sent.body.text()).toContain('"action":"gameList"');
    await expect(response.pane).not.toContainText(untrue);
    // The command line shows the same.
    const { stdout } = await workbench.cli(['history', 'show', '2']);
    expect(stdout).toContain('Nothing was sent. This is what would have been sent.\n\nPOST https://localhost');
  });
});
