import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';
import { sendData, withProvider } from '../../../../e2e/compared-calls.ts';
import { createComparison } from '../../../../e2e/pages/comparison.ts';
import { addBareEnvironment } from '../../../../e2e/own-environment.ts';

describe('Two calls of the history', () => {
  test('are compared by the keyboard alone, with every digit, and the keyboard goes back to its row', async ({
    workbench,
    shell,
    requests,
    response,
    environments,
    history,
  }) => {
    const screens = { workbench, shell, requests, response, environments };
    const comparison = createComparison(workbench.page);
    const { keyboard } = workbench.page;
    await withProvider(screens, async () => {
      await sendData(screens, '{"roundId":9007199254740993,"logMonth":0}', '0 ok');
      await expect(shell.status).toContainText(/(?<!\d)1 call(?!s)/);
      await sendData(screens, '{"roundId":9007199254740992,"logMonth":0}', '0 ok');
      await expect(shell.status).toContainText(/(?<!\d)2 calls/);
      await shell.goTo('History');
      await expect(history.rows).toHaveCount(2);
      await history.rows.nth(0).focus();
      await keyboard.press('Space');
      await keyboard.press('c');
      await expect(shell.notices).toContainText('Tick exactly two');
      await expect(comparison.screen).toBeHidden();
      await keyboard.press('ArrowDown');
      await keyboard.press('Space');
      await keyboard.press('c');

      await expect(comparison.title).toBeFocused();
      await expect(comparison.title).toHaveText('Comparison of call 1 and call 2');
      await expect(comparison.finding).toHaveText(
        'They differ, apart from the sending time, first in data, at byte 26: 3 (0x33) against 2 (0x32); the value of /roundId was changed.',
      );
      await expect(comparison.segment('Key')).toContainText('Same key');
      // Both may leave within a second.
      await expect(comparison.segment('Time')).toContainText(
        /Correct: each matches the time its call was sent in UTC\.|The same text in both\..*dd-mm-yyyy hh:mm:ss, as documented/,
      );
      await expect(comparison.segment('Data')).toContainText(
        'First difference: byte 26 of data, byte 45 after the key; line 1, column 27',
      );
      await expect(comparison.tab('Hash input')).toHaveAccessibleName('Hash input 1 difference');
      await expect.poll(() => comparison.text(1).text()).toBe('{"roundId":9007199254740993,"logMonth":0}');
      await expect.poll(() => comparison.text(2).text()).toBe('{"roundId":9007199254740992,"logMonth":0}');
      await expect(comparison.marks.first()).toBeVisible();

      await comparison.tab('Hash input').focus();
      await keyboard.press('ArrowRight');
      await expect(comparison.line('data')).toContainText('changed');
      await expect(comparison.line('action')).toContainText('same');
      await keyboard.press('ArrowRight');
      await expect(comparison.line('content-type')).toContainText('application/json');
      await keyboard.press('ArrowRight');
      await expect(comparison.differences).toHaveCount(2);
      await expect(comparison.differences.nth(0)).toHaveText(/same value\/data\/bet1\.01\.00/);
      await expect(comparison.differences.nth(1)).toHaveText(/changed\/data\/roundId90071992547409919007199254740992/);
      await expect(comparison.tab('Response')).toHaveAccessibleName('Response 1 difference');
      await expect.poll(() => comparison.text(2).text()).toContain('"roundId": 9007199254740992');
      await expect.poll(() => comparison.text(1).text()).toContain('"bet": 1.0,');

      await comparison.swap.press('Enter');
      await expect(comparison.title).toHaveText('Comparison of call 2 and call 1');
      await expect(comparison.differences.nth(1)).toHaveText(/90071992547409929007199254740991/);
      await keyboard.press('Escape');
      await expect(comparison.screen).toBeHidden();
      await expect(history.rows.nth(1)).toBeFocused();
      await expect(history.ticked).toContainText('2 ticked');
    });
  });

  test('are compared by a button that says what it takes, a selected one with the last accepted, and lead to each call', async ({
    workbench,
    shell,
    requests,
    response,
    environments,
    history,
    palette,
  }) => {
    const screens = { workbench, shell, requests, response, environments };
    const comparison = createComparison(workbench.page);
    await withProvider(screens, async () => {
      await sendData(screens, '{"roundId":1,"logMonth":0}', '0 ok');
      await requests.overrides.open();
      await requests.overrides.set('time', '2026-11-20 10:15:30');
      await requests.overrides.close();
      await sendData(screens, '{"roundId":1,"logMonth":0}', '0 ok');
      await expect(shell.status).toContainText(/(?<!\d)2 calls/);
      await shell.goTo('History');
      const button = history.strip.getByRole('button', { name: 'Compare' });
      await button.click();
      await expect(comparison.title).toHaveText('Comparison of call 1 and call 2');
      await comparison.back.click();
      await history.rows.nth(0).getByRole('checkbox').click();
      await expect(button).toBeDisabled();
      await history.rows.nth(1).getByRole('checkbox').click();
      await expect(button).toBeEnabled();
      await button.click();
      await expect(comparison.finding).toContainText('They differ first in time: "');
      await expect(comparison.segment('Time')).toContainText("yyyy-mm-dd hh:mm:ss, as in one of the spec's samples");
      await expect(comparison.segment('Data')).toContainText('The same 26 bytes in both.');
      await comparison.card(1).getByRole('button', { name: 'Open call 1' }).click();
      await expect(requests.activeTab).toHaveText(/getGameRound/);
      await shell.goTo('History');
      await expect(comparison.screen).toBeVisible();
      await comparison.back.click();
      await expect(history.rows.first()).toBeVisible();
      await palette.run('compare the two', /Compare the two ticked calls/);
      await expect(comparison.title).toBeVisible();
    });
  });

  test('can be left while the editor still compares their texts', async ({ workbench, shell, history }) => {
    const comparison = createComparison(workbench.page);
    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'verbatim']);
    for (const factor of [7, 9]) {
      const list = Array.from({ length: 12_000 }, (_, at) => factor * at).join(',\n');
      const args = ['call', 'getGameRound', '--env', 'sandbox', '--key-env', 'A_KEY', '--data', `{"roundId":1,"list":[${list}]}`];
      expect((await workbench.cli(args, { env: { A_KEY: 'a-key-of-the-test' } })).code).toBe(3);
    }
    await shell.goTo('History');
    for (const at of [0, 1]) await history.rows.nth(at).getByRole('checkbox').click();
    await history.rows.nth(0).focus();
    for (let round = 0; round < 5; round += 1) {
      await workbench.page.keyboard.press('c');
      await expect(comparison.text(1).frame).toBeVisible();
      await workbench.page.keyboard.press('Escape');
      await expect(comparison.screen).toBeHidden();
      await expect(history.rows.nth(0)).toBeFocused();
    }
    // The thread that compares them does this after what it was left with.
    await workbench.page.keyboard.press('c');
    await expect(comparison.marks.first()).toBeVisible({ timeout: 30_000 });
  });

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
    await expect(comparison.screen.getByRole('heading', { name: 'Neither call has a hash input' })).toBeVisible();
    await comparison.show('Response');
    await expect(comparison.screen.getByRole('heading', { name: 'Neither call got a response' })).toBeVisible();
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
      await expect(first).toHaveText('PHP changes data at byte 27: this call sent \\/\\/a.example, PHP writes //a.example.');
      await expect(response.explanation).toContainText(
        'data differs from that of the last accepted call, 2, at byte 27: / (0x2f) against \\/ (0x5c); the values are the same, only the escaping of slashes differs.',
      );
      // An impossible cause is not proposed.
      await expect(response.explanation).not.toContainText('Set the key');
      await response.explanation.getByRole('button', { name: 'Compare with call 2' }).click();
      await expect(comparison.title).toHaveText('Comparison of call 2 and call 3');
      await expect(comparison.finding).toContainText('the values are the same, only the escaping of slashes differs.');
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
      await expect(response.explanation).toContainText('is expected');
      await expect(response.explanation.getByRole('button', { name: /^Compare/ })).toHaveCount(0);
    });
  });
});

test('The comparison is readable in both themes, also where there is little room', async ({
  workbench,
  shell,
  requests,
  response,
  environments,
}) => {
  const screens = { workbench, shell, requests, response, environments };
  const { page } = workbench;
  const comparison = createComparison(page);
  const { found, look } = createLook(workbench);
  await withProvider(screens, async () => {
    await sendData(screens, '{"roundId":1,"exit":"https://a.example"}', '0 ok');
    await sendData(screens, '{"roundId":2,"exit":"https:\\/\\/a.example","name":"Zoë"}', '8 hash not valid');
    await expect(response.explanation.getByRole('button', { name: 'Compare with call 1' })).toBeVisible();
    await look('offer');
    await response.explanation.getByRole('button', { name: 'Compare with call 1' }).click();
    for (const width of [1440, 1024, 700]) {
      await workbench.resize(width, 800);
      for (const view of ['Hash input', 'Envelope', 'Headers', 'Response'] as const) {
        await comparison.show(view);
        if (view !== 'Headers') await expect(comparison.text(2).frame).toBeVisible();
        await expect(comparison.tab(view)).toBeInViewport();
        await look(`${view} ${width}`);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(sideways, `${view} ${width}`).toBe(0);
      }
    }
  });
  expect(found).toEqual([]);
});
