import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';

describe('What the spec says of an operation', () => {
  test('stands at its fields, filled or not, and above them, and stays closed where it was closed', async ({
    workbench,
    shell,
    requests,
  }) => {
    const { panel, row, field } = requests.form;
    await workbench.resize(1440, 900);
    await shell.openOperation('getLauncherURL');
    const about = panel.getByRole('region', { name: 'About this operation' });
    await expect(about).toContainText('§4, since 1.0.0');
    await expect(about).toContainText('never hardcode it');
    for (const text of ['player-1', '']) {
      await field('playerId').fill(text);
      await expect(row('playerId')).toContainText('Unique per platform');
      await expect(row('playerId')).toContainText('required');
    }
    // A hint that repeats the rules above is not shown.
    await expect(about).toContainText('gameId is a string in this request');
    await expect(row('gameId')).not.toContainText('string');
    await expect(row('externalToken')).toContainText('required in real mode');

    await about.getByRole('button', { name: 'About this operation' }).click();
    await expect(about).not.toContainText('never hardcode it');
    await shell.openOperation('freeRounds');
    await expect(about).toContainText('§5, since 1.0.0');
    await expect(about).toContainText('launched first');
    await expect(row('playerId')).toContainText('not stated');
    await expect(panel).toContainText("? Not stated: the spec doesn't say whether the field may be left out.");
    await panel.getByLabel('Form', { exact: true }).selectOption({ label: 'Many players, amount (since 1.1.0)' });
    await expect(about).toContainText('this form since 1.1.0');
    await expect(row('amount')).toContainText('not stated');

    // Read once: it is folded from the next visit on.
    await workbench.restart();
    await expect(about).toContainText('4 rules');
    await expect(about).not.toContainText('launched first');
    await about.getByRole('button', { name: 'About this operation' }).click();
    await expect(about).toContainText('launched first');
    await about.getByRole('button', { name: /^\d+ open points$/ }).click();
    await about.getByRole('button', { name: 'Where betLevel starts counting' }).click();
    await expect(shell.main.getByRole('heading', { level: 2 })).toHaveText('Where betLevel starts counting');
  });

  test('names exactly what is not shown of an open request, each with its own open point', async ({
    workbench,
    shell,
    requests,
    openPoints,
  }) => {
    await workbench.cli(['env', 'set', 'sandbox', '--answer', 'currencyList.action=']);
    const open = {
      '/cancel': [
        ['Request', 'not in the spec', 'Record the request', 'Request of /cancel'],
        ['Response', 'not in the spec', 'Record the response', 'Response of /cancel'],
      ],
      cancelFreeRounds: [
        ['Action name', 'recorded: action cancelFreeRounds', 'See the action name', 'Action name of cancel free rounds'],
        ['Request', 'not in the spec', 'Record the request', 'Request of cancel free rounds'],
        ['Response', 'not in the spec', 'Record the response', 'Response of cancel free rounds'],
      ],
      currencyList: [
        ['Path or action name', 'not in the spec', 'Record the path or action name', 'Path or action of currencyList'],
        ['Request', 'not in the spec', 'Record the request', 'Request of the currency list'],
        ['Response', 'not in the spec', 'Record the response', 'Response of the currency list'],
      ],
    } as const;
    for (const [name, parts] of Object.entries(open)) {
      await shell.openOperation(name);
      const { panel, message } = requests.form;
      await expect(message).toHaveText("The spec doesn't show the fields of this request");
      if (name === '/cancel') await expect(panel).toContainText('Sent as POST {base_url}/cancel.');
      await expect(panel.getByRole('button', { name: /^(Record|See) the / })).toHaveCount(parts.length);
      for (const [part, state, button, point] of parts) {
        await expect(panel.getByRole('listitem').filter({ hasText: new RegExp(`^${part}`) })).toContainText(state);
        await panel.getByRole('button', { name: button, exact: true }).click();
        await expect(openPoints.point.getByRole('heading', { level: 2 })).toHaveText(point);
        await shell.openOperation(name);
      }
    }
  });
});
