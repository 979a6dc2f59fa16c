import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { announced } from '../../../../e2e/pages/announced.ts';
import { addBareEnvironment } from '../../../../e2e/own-environment.ts';

describe('Open points', () => {
  test('recording the name of an action makes its operation sendable', async ({
    workbench,
    shell,
    requests,
    response,
    openPoints,
  }) => {
    // The built-in provider's environment has a recorded name from the start.
    await workbench.cli(['env', 'set', 'sandbox', '--answer', 'currencyList.action=']);
    await expect(shell.operation('currencyList')).toContainText('open point');
    await shell.openOperation('currencyList');
    await requests.send.click();
    await expect(requests.refusal).toContainText(/action/);
    await expect(response.failure).toHaveText('No response yet');
    await requests.refusal.getByRole('button', { name: 'Record the action name' }).click();
    await expect(openPoints.point.getByRole('heading', { level: 2 })).toHaveText('Path or action of currencyList');
    await openPoints.recordAction('everyCurrency');
    await expect(openPoints.point).toContainText('answered');
    await expect(openPoints.count).toHaveText(/^2 of /);

    await expect(shell.operation('currencyList')).toHaveCount(0);
    await shell.openOperation('currencyList');
    await expect(shell.operation('currencyList')).toContainText('§8');
    await requests.send.click();
    // The built-in provider accepts the recorded name.
    await expect(response.announced).toContainText('currencyList answered code 0 ok');
    const { stdout } = await workbench.cli(['history', 'show', '1']);
    expect(stdout).toContain('"action":"everyCurrency"');
    expect((await workbench.cli(['env', 'show', 'sandbox', '--json'])).stdout).toContain('everyCurrency');
  });

  test('list everything that the spec does not show, each with its question and what happens meanwhile', async ({
    shell,
    openPoints,
  }) => {
    await shell.goTo('Open points');
    await expect(openPoints.count).toHaveText(/^2 of \d\d answered$/);
    expect(await openPoints.entries.count()).toBeGreaterThan(20);
    await openPoints.search('currency list');
    await openPoints.open('Path or action of currencyList');
    await expect(openPoints.point).toContainText('currencyList');
    await openPoints.search('how far time');
    await openPoints.open('How far time may be off');
    await expect(openPoints.point).toContainText('Question');
    await expect(openPoints.point).toContainText('Until answered');
  });

  test('an answer is checked while it is typed, and recorded fields are the fields of the form', async ({
    workbench,
    shell,
    requests,
    openPoints,
  }) => {
    await shell.goTo('Open points');
    await openPoints.search('how far time');
    await openPoints.open('How far time may be off');
    const record = openPoints.point.getByRole('button', { name: 'Record answer' });
    const amount = openPoints.point.getByRole('textbox', { name: 'How far time may be off' });
    await amount.fill('ten');
    await expect(openPoints.point.locator('[id$="-error"]')).toContainText(
      'is not a number above 0 with a unit (seconds, minutes)',
    );
    await expect(record).toBeDisabled();
    await amount.fill('5');
    await openPoints.point.getByLabel('Unit', { exact: true }).selectOption('minutes');
    await record.click();
    await expect(openPoints.point).toContainText('answered');

    await openPoints.search('Request of /cancel');
    await openPoints.open('Request of /cancel');
    await openPoints.point.getByLabel('Field, row 1').fill('transactionId');
    await openPoints.point.getByRole('button', { name: 'Add field' }).click();
    await openPoints.point.getByLabel('Field, row 2').fill('reason');
    await openPoints.point.getByRole('checkbox', { name: 'Field 2 may be left out' }).click();
    await record.click();
    // Before, the point says what holds until it is answered.
    await expect(openPoints.point).toContainText('Clear answer');
    const { stdout } = await workbench.cli(['env', 'show', 'sandbox', '--json']);
    const { answers } = JSON.parse(stdout) as { answers: Record<string, { value: string }> };
    expect(answers['time.tolerance']?.value).toBe('5 minutes');
    expect(answers['cancel.request']?.value).toBe('{"transactionId": "string", "reason?": "string"}');

    await shell.openOperation('/cancel');
    await expect(requests.form.field('transactionId')).toBeVisible();
    const refused = await workbench.cli(['env', 'set', 'sandbox', '--answer', 'amounts.unit=bananas']);
    expect(refused.stderr).toContain('is not a choice');
  });

  test('are answered once for environments of the same provider', async ({ workbench, shell, environments, openPoints }) => {
    const { page } = workbench;
    await addBareEnvironment(workbench, 'brand-a');
    await addBareEnvironment(workbench, 'brand-b');
    await shell.useEnvironment('brand-b');
    await shell.goTo('Environments');
    await page
      .getByRole('treeitem', { name: /^brand-b/ })
      .or(page.getByRole('option', { name: /^brand-b/ }))
      .click();
    await environments.field('Same provider as').selectOption('brand-a');
    await environments.save.click();
    await expect(announced(page, /^Saved brand-b\./)).toBeAttached();
    await shell.goTo('Open points');
    await openPoints.search('currency list');
    await openPoints.open('Path or action of currencyList');
    await expect(openPoints.point).toContainText('Shared with brand-a (same provider).');
    await openPoints.recordAction('everyCurrency');
    await expect(openPoints.point).toContainText('answered');
    await shell.useEnvironment('brand-a');
    await expect(openPoints.point).toContainText('Shared with brand-b');
    await expect(openPoints.count).toHaveText(/^1 of \d\d answered$/);
    const { stdout } = await workbench.cli(['env', 'show', 'brand-b']);
    expect(stdout).toContain('brand-a, whose answers it shares');
    expect(stdout).toContain('everyCurrency');
  });
});
