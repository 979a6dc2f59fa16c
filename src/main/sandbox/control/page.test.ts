import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithTool } from '#testing/external-tools.ts';
import { launchTrusting } from '#testing/trusting-browser.ts';
import { startTestSandbox, type TestSandbox } from '#testing/sandbox-client.ts';

describeWithTool('chromium', 'the control page in a browser', (executablePath) => {
  let browser: Browser;
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox();
    browser = await launchTrusting(executablePath, sandbox.certificate);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.close();
  });

  test('adds and removes a fault, resets the state, and breaks no rule of its policy', async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    await page.goto(sandbox.controlUrl);
    await page.getByRole('cell', { name: '1000 EUR' }).waitFor();
    await page.locator('#where').selectOption('bet');
    await page.locator('#what').selectOption('status');
    await page.locator('#value').fill('503');
    await page.getByLabel('Times').fill('2');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByRole('status').getByText('Fault added.').waitFor();
    await page.getByRole('row', { name: 'bet HTTP 503 2' }).waitFor();

    const [player] = sandbox.players();
    const bet = {
      externalToken: player?.externalToken,
      playerId: 'player-1',
      gameId: '1001',
      transactionId: 't',
      amount: 1,
      currency: 'EUR',
    };
    expect((await sandbox.wallet('bet', bet)).status).toBe(503);
    await page.getByRole('row', { name: 'bet HTTP 503 1' }).waitFor();
    await page.getByRole('button', { name: 'Remove: bet, HTTP 503' }).click();
    await page.getByText('No faults. The provider responds as usual.').waitFor();
    expect((await sandbox.wallet('bet', bet)).json).toMatchObject({ balance: 999 });
    await page.getByRole('cell', { name: '999 EUR' }).waitFor();
    await page.getByRole('button', { name: 'Reset state' }).click();
    await page.getByRole('cell', { name: '1000 EUR' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save state' }).isDisabled()).toBe(true);
    expect(faults).toEqual([]);
    await page.close();
  });
});
