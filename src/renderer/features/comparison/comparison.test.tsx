import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { sendData, withProvider } from '../../../../e2e/compared-calls.ts';
import { createComparison } from '../../../../e2e/pages/comparison.ts';
import { addBareEnvironment } from '../../../../e2e/own-environment.ts';

describe('Two calls of the history', () => {
  test('say so where neither is signed and neither was answered', async ({ workbench, shell, history }) => {
    const comparison = createComparison(workbench.page);
    await addBareEnvironment(workbench, 'dead');
    for (const player of ['1', '2']) {
      await workbench.cli(['call', 'playerInfo', '--env', 'dead', '--data', `{"playerId":"${player}"}`]);
    }
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(2);
    for (const at of [0, 1]) await history.rows.nth(at).getByRole('checkbox').click();
    await history.strip.getByRole('button', { name: 'Compare' }).click();
    await expect(comparison.line('playerId')).toContainText('changed');
    await comparison.show('Hash input');
    await expect(comparison.screen.getByRole('heading', { name: 'Neither call is signed' })).toBeVisible();
    await comparison.show('Response');
    await expect(comparison.screen.getByRole('heading', { name: 'Neither call was answered' })).toBeVisible();
    await comparison.show('Fields');
    await expect(comparison.line('playerId')).toContainText('changed');
  });
});

describe('After code 8', () => {
  test('the last accepted call is offered with what differs first, and the way back leads to the request', async ({
    workbench,
    shell,
    requests,
    response,
    environments,
    palette,
  }) => {
    const screens = { workbench, shell, requests, response, environments };
    const comparison = createComparison(workbench.page);
    await withProvider(screens, async () => {
      await sendData(screens, '{"roundId":1,"exit":"https:\\/\\/a.example"}', '8 hash not valid');
      await expect(response.explanation).toBeVisible();
      await expect(response.explanation.getByRole('button', { name: /^Compare/ })).toHaveCount(0);
      await sendData(screens, '{"roundId":1,"exit":"https://a.example"}', '0 ok');
      await sendData(screens, '{"roundId":1,"exit":"https:\\/\\/a.example"}', '8 hash not valid');
      const first = response.explanation.getByRole('paragraph').first();
      await expect(first).toHaveText('data changes in PHP at byte 27: this call hashed \\/\\/a.example, PHP prints //a.example.');
      await expect(response.explanation).toContainText(
        'data differs from that of the last accepted call, 2, at byte 27: / (0x2f) against \\/ (0x5c); the values are the same, only the escaping of slashes differs.',
      );
      // An impossible cause is not proposed.
      await expect(response.explanation).not.toContainText('Set the key');
      await response.explanation.getByRole('button', { name: 'Compare with call 2' }).click();
      await expect(comparison.title).toHaveText('Comparison of call 2 and call 3');
      await expect(comparison.segment('Data')).toContainText('The values are the same, only the escaping of slashes differs.');
      await workbench.page.keyboard.press('Escape');
      await expect(response.code).toHaveText('8 hash not valid');
      await palette.run('last accepted', /Compare with the last accepted call/);
      await expect(comparison.title).toHaveText('Comparison of call 2 and call 3');
      await comparison.back.click();

      // A planned fault needs no explanation.
      await requests.overrides.open();
      await requests.overrides.hash('Wrong digit');
      await requests.overrides.close();
      await requests.send.click();
      await expect(response.explanation).toContainText('is what this test should get');
      await expect(response.explanation.getByRole('button', { name: /^Compare/ })).toHaveCount(0);
    });
  });
});
