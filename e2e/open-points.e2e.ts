import { expect, test } from './fixtures.ts';

test.describe('Open points', () => {
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
    await expect(response.failure).toHaveText('The response will be here');
    await requests.refusal.getByRole('button', { name: 'Record the action name' }).click();
    await expect(openPoints.point.getByRole('heading', { level: 2 })).toHaveText('Path or action name of the currency list');
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
});
