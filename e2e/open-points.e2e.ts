import { expect, test } from './fixtures.ts';

test.describe('Open points', () => {
  test('list everything that the spec does not show, each with its question and what happens meanwhile', async ({
    shell,
    openPoints,
  }) => {
    await shell.goTo('Open points');
    await expect(openPoints.count).toHaveText(/^2 of \d\d answered for sandbox$/);
    expect(await openPoints.entries.count()).toBeGreaterThan(20);
    await openPoints.search('currency list');
    await openPoints.open('Path or action name of the currency list');
    await expect(openPoints.point).toContainText('Ask the provider');
    await expect(openPoints.point).toContainText('Meanwhile');
    await expect(openPoints.point).toContainText('currencyList');
  });

  test('recording the name of an action makes its operation sendable', async ({
    workbench,
    shell,
    requests,
    response,
    openPoints,
  }) => {
    // The environment of the built-in provider has a name from the start.
    await workbench.cli(['env', 'set', 'sandbox', '--answer', 'currencyList.action=']);
    await expect(shell.operation('currencyList')).toContainText('open point');
    await shell.openOperation('currencyList');
    await requests.send.click();
    await expect(requests.refusal).toContainText(/action/);
    await expect(response.failure).toHaveText('The answer will be here');
    await requests.refusal.getByRole('button', { name: 'Record the action name' }).click();
    await expect(openPoints.point.getByRole('heading', { level: 2 })).toHaveText('Path or action name of the currency list');
    await openPoints.recordAction('everyCurrency');
    await expect(openPoints.point).toContainText('answered');
    await expect(openPoints.count).toHaveText(/^2 of /);

    await expect(shell.operation('currencyList')).toHaveCount(0);
    await shell.openOperation('currencyList');
    await expect(shell.operation('currencyList')).toContainText('§8');
    await requests.send.click();
    // The built-in provider takes the name that is recorded.
    await expect(response.announced).toContainText('currencyList answered code 0 ok');
    const { stdout } = await workbench.cli(['history', 'show', '1']);
    expect(stdout).toContain('"action":"everyCurrency"');
    expect((await workbench.cli(['env', 'show', 'sandbox', '--json'])).stdout).toContain('everyCurrency');
  });
});
