import { describe } from 'vitest';
import type { Call, GatewayStatus, PassedCall } from '#shared/ipc/index.ts';
import { expect, outside } from '#testing/page/playwright.ts';
import { test, type Screens } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';
import { addBareEnvironment } from '../../../../e2e/own-environment.ts';
import { createGatewayScreen } from '../../../../e2e/pages/gateway.ts';

async function replyOf<T>(name: string, input: unknown): Promise<T> {
  const reply = await outside.callApp(name, input);
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value as T;
}

/** Returns the body of a good gameList, and one whose hash has escaped slashes that its data has not. */
async function bodies({
  shell,
  requests,
  response,
}: Pick<Screens, 'shell' | 'requests' | 'response'>): Promise<readonly [good: string, wrong: string]> {
  await shell.openOperation('gameList');
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
  const { request } = await replyOf<Call>('calls.get', { id: 1 });
  const { platform, partnerId, time } = JSON.parse(request.bodyText) as { platform: number; partnerId: number; time: string };
  const data = { roundId: 7, logMonth: 0, note: 'a/b' };
  const escaped = JSON.stringify(data).replaceAll('/', '\\/');
  const { digest } = await replyOf<{ digest: string }>('keys.digest', { environmentId: 'sandbox', time, data: escaped });
  return [request.bodyText, JSON.stringify({ action: 'getGameRound', platform, partnerId, time, data, hash: digest })];
}

describe('The gateway', () => {
  test('starts, shows what passes, and leads to the call', async ({ workbench, shell, requests, response, history }) => {
    const { page } = workbench;
    const gateway = createGatewayScreen(page);
    const { found, look } = createLook(workbench);
    const [good, wrong] = await bodies({ shell, requests, response });
    await shell.goTo('Gateway');
    await expect(gateway.main).toContainText('Watch what your backend sends');
    await look('before it runs');
    await gateway.start.click();
    await expect(gateway.summary).toHaveText('No exchanges yet');
    await expect(gateway.addresses.first()).toContainText('https://localhost:');
    await outside.sendAsBackend([good, wrong, '{"action":"nothing"}']);
    await expect(gateway.rows).toHaveCount(3);
    await expect(gateway.summary).toHaveText('1 of 3 wrong hash, 1 not this API');
    await expect(gateway.rows.filter({ hasText: 'OK' })).toHaveText(/gameList/);
    await gateway.rows.filter({ hasText: 'Wrong hash' }).click();
    const call = (id: number) => gateway.main.getByRole('region', { name: `Call ${id}`, exact: true });
    await expect(call(3)).toContainText('from my backend');
    await expect(call(3)).toContainText('8 hash not valid');
    await gateway.main.getByText('Fix in PHP').click();
    await expect(gateway.main.getByLabel('Fix in PHP')).toContainText('JSON_UNESCAPED_SLASHES');
    await look('while it runs');
    await gateway.rows.filter({ hasText: 'OK' }).click();
    await expect(call(2)).toContainText('0 ok');
    await gateway.actions.getByRole('button', { name: 'Show in history' }).click();
    await expect(history.detail.pane).toHaveAccessibleName('Call 2');
    await shell.goTo('Gateway');
    await gateway.actions.getByRole('button', { name: 'Edit and re-sign' }).click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('Gateway');
    await gateway.actions.getByRole('button', { name: 'Make a check' }).click();
    await expect(page.getByRole('textbox', { name: 'Check 1, code' })).toHaveValue('0');
    await look('a check of an exchange');
    await expect(shell.notices).toContainText(
      'Added 2 checks of the response to call 2. They apply once the request is saved in a collection.',
    );
    expect(found).toEqual([]);
  });

  test('waits while it is paused, and shows what the filters let through', async ({ workbench, shell, requests, response }) => {
    const gateway = createGatewayScreen(workbench.page);
    const [good, wrong] = await bodies({ shell, requests, response });
    await shell.goTo('Gateway');
    await gateway.start.click();
    await expect(gateway.summary).toHaveText('No exchanges yet');
    await outside.sendAsBackend([good]);
    await expect(gateway.rows).toHaveCount(1);
    await gateway.main.getByRole('button', { name: 'Pause' }).click();
    await outside.sendAsBackend([good, wrong]);
    await expect(gateway.main).toContainText('2 new');
    await expect(gateway.rows).toHaveCount(1);
    await gateway.main.getByRole('button', { name: 'Follow' }).click();
    await expect(gateway.rows).toHaveCount(3);
    await gateway.main.getByLabel('Verdict').selectOption('wrongHash');
    await expect(gateway.rows).toHaveCount(1);
    await gateway.main.getByLabel('Verdict').selectOption('any');
    await gateway.main.getByRole('searchbox').fill('nobody');
    await expect(gateway.main).toContainText('No exchanges match these filters.');
    await gateway.main.getByRole('button', { name: 'Show all exchanges' }).click();
    await expect(gateway.rows).toHaveCount(3);
    // Stopped by another page: what passed stays in sight.
    await outside.callApp('gateway.stop', {});
    await expect(gateway.main).toContainText('not running');
    await expect(gateway.rows).toHaveCount(3);
    await gateway.main.getByRole('button', { name: /^Start again/ }).click();
    await expect(gateway.start).toBeVisible();
  });

  test('says what is missing, what it is open to, and which faults are on', async ({ workbench, shell }) => {
    const gateway = createGatewayScreen(workbench.page);
    await shell.goTo('Gateway');
    await gateway.main.getByLabel('Port').fill('70000');
    await gateway.start.click();
    await expect(gateway.main).toContainText('A port is a number up to 65535.');
    await gateway.main.getByLabel('Port').fill('');
    await gateway.main.getByText('Other computers').click();
    await gateway.main.getByLabel('Address').fill('127.0.0.1');
    await gateway.main.getByLabel('Allowed networks').fill('nothing');
    await gateway.start.click();
    await expect(gateway.main.getByRole('alert')).toContainText('nothing is not a network.');
    await gateway.main.getByLabel('Allowed networks').fill('127.0.0.0/8');
    await gateway.start.click();
    await expect(shell.status).toContainText('Gateway open to the network');
    await gateway.main.getByRole('button', { name: 'Faults…' }).click();
    await shell.dialog.getByLabel('Faults', { exact: true }).fill('bet=nonsense');
    await shell.dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(shell.dialog).toContainText('Write it as OPERATION=FAULT');
    await shell.dialog.getByLabel('Faults', { exact: true }).fill('bet=500,2\nall=delay:1');
    await shell.dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(gateway.main).toContainText('Faults on: bet=500 (2 left), all=delay:1');
    await gateway.main.getByRole('button', { name: 'Turn off' }).click();
    await expect(gateway.main).not.toContainText('Faults on');
    const status = await replyOf<GatewayStatus>('gateway.status', {});
    workbench.instead({
      'gateway.status': () => ({
        ...status,
        missing: 2,
        missingWhy: 'The disk is full.',
        openBets: { count: 5, late: 1, calls: [4, 7] },
      }),
    });
    workbench.emit('gateway.changed', {});
    await expect(gateway.main).toContainText('1 bet has had no win or cancel for 10 minutes: call 4.');
    await expect(gateway.main.getByRole('alert')).toHaveText('2 exchanges passed without being recorded: The disk is full.');
  });

  test('scrolls ten thousand exchanges, and forgets a player as the history does', async ({ workbench, shell, history }) => {
    const { page } = workbench;
    const gateway = createGatewayScreen(page);
    await shell.goTo('Gateway');
    await gateway.start.click();
    await expect(gateway.summary).toHaveText('No exchanges yet');
    // Another page forgets one.
    await outside.sendAsBackend(['{"action":"gameList","playerId":"zqxw-7732"}']);
    await expect(gateway.rows).toHaveText(/zqxw-7732/);
    await replyOf('history.forget', { player: 'zqxw-7732', dryRun: false, ticket: 'elsewhere' });
    await expect(gateway.main).toContainText('Nothing passed yet');
    await outside.sendAsBackend(['{"action":"gameList","playerId":"zqxw-7731"}']);
    await expect(gateway.rows).toHaveText(/zqxw-7731/);
    await shell.goTo('History');
    await history.chooseInMenu(0, 'Forget a player…');
    await expect(shell.dialog.getByLabel('Player ID')).toHaveValue('zqxw-7731');
    await page.keyboard.press('Enter');
    await shell.dialog.getByRole('button', { name: 'Forget player' }).click();
    await expect(shell.dialog).toHaveAccessibleName(/^Removed everything/);
    await page.keyboard.press('Escape');
    await shell.goTo('Gateway');
    await expect(gateway.main).toContainText('Nothing passed yet');
    const one: PassedCall = {
      number: 1,
      callId: null,
      from: 'backend',
      operation: 'bet',
      subject: '',
      request: 'POST /serviceApi.php',
      sentAt: 1_780_000_000_000,
      status: 200,
      code: 0,
      message: 'ok',
      verdict: 'rejected',
      why: '',
      searching: false,
      fix: null,
      hashIsRight: true,
      totalMs: 3,
      addedMs: 1,
    };
    const total = 10_000;
    workbench.instead({
      'gateway.log': async ({ before = total + 1, limit }) => ({
        entries: Array.from({ length: Math.min(limit, before - 1) }, (_, at) => ({
          ...one,
          number: before - 1 - at,
          why: `reason ${before - 1 - at}`,
        })),
        total,
        dropped: 0,
      }),
    });
    // One that does not follow the last: all are read again.
    workbench.emit('gateway.passed', { ...one, number: 5 });
    await expect(gateway.rows.first()).toContainText('reason 10000');
    await gateway.rows.first().focus();
    await page.keyboard.press('End');
    await expect(gateway.rows.last()).toContainText('reason 1');
    expect(await gateway.rows.count()).toBeLessThan(100);
    workbench.emit('gateway.passed', { ...one, number: total + 1, why: 'a wrong hash', searching: true });
    workbench.emit('gateway.passed', { ...one, number: total + 2, why: 'the newest' });
    await page.keyboard.press('Home');
    await expect(gateway.rows.nth(1)).toContainText('a wrong hash');
    // It comes again where it was, once its mistake is known.
    workbench.emit('gateway.passed', { ...one, number: total + 1, why: 'the mistake' });
    await expect(gateway.rows.nth(1)).toContainText('the mistake');
    await expect(gateway.rows.first()).toContainText('the newest');
  });

  test('asks before it passes anything to production', async ({ workbench, shell }) => {
    const gateway = createGatewayScreen(workbench.page);
    await addBareEnvironment(workbench, 'Live');
    await workbench.cli(['env', 'set', 'Live', '--production']);
    await shell.goTo('Gateway');
    await gateway.main.getByLabel('Environment').selectOption({ label: 'Live' });
    await gateway.start.click();
    await expect(shell.dialog).toContainText('Pass requests to Live?');
    await shell.dialog.getByRole('button', { name: "Don't pass" }).click();
    await expect(gateway.start).toBeVisible();
    await gateway.start.click();
    await shell.dialog.getByRole('button', { name: 'Pass to Live' }).click();
    await expect(gateway.summary).toHaveText('No exchanges yet');
  });
});
