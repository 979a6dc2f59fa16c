import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, outside } from '#testing/page/playwright.ts';
import { test, type Screens } from '#testing/page/test.ts';
import { isWhole } from '../../../e2e/audit.ts';
import { layoutFaults, spacingFaults } from '../../../e2e/layout-faults.ts';
import { createDoctor } from '../../../e2e/pages/doctor.ts';
import { dropFile } from '../../../e2e/pages/drop-file.ts';
import { createGatewayScreen } from '../../../e2e/pages/gateway.ts';
import { createGamesScreen } from '../../../e2e/pages/games.ts';
import { createLauncher, providerOf } from '../../../e2e/pages/launcher.ts';
import { createRoundsScreen } from '../../../e2e/pages/rounds.ts';
import { createRunsScreen } from '../../../e2e/pages/runs.ts';
import { createWalletScreen } from '../../../e2e/pages/wallet.ts';

/** 1440 x 900 at a zoom of 200 %, 1280 x 2560 at one of 400 %, and last the size in which the walk goes on. */
const sizes = [
  ...(isWhole
    ? ([
        [1440, 900],
        [1024, 768],
      ] as const)
    : []),
  [720, 450],
  [320, 640],
  [1280, 800],
] as const;
const narrow = 1024;
const nothing = () => Promise.resolve();

/** Looks at a screen at every size; `found` has what is wrong there. Only narrow windows need to `show` a part. */
function createWalk(workbench: Screens['workbench']) {
  const { page } = workbench;
  const found: string[] = [];
  return {
    found,
    async look(screen: string, show: () => Promise<void> = nothing, hide: () => Promise<void> = nothing): Promise<void> {
      for (const [width, height] of sizes) {
        await workbench.resize(width, height);
        if (width < narrow) await show();
        found.push(...(await layoutFaults(page)).map((fault) => `${screen}, ${width} x ${height}: ${fault}`));
        if (isWhole ? width > 320 : width === 720)
          found.push(...(await spacingFaults(page)).map((fault) => `${screen}, ${width} x ${height}: ${fault}`));
        if (width < narrow) await hide();
      }
    },
  };
}

test('Requests, collections and runs at every size', async ({ workbench, shell, requests, response, collections, palette }) => {
  const { page } = workbench;
  const { found, look } = createWalk(workbench);
  const runs = createRunsScreen(page);
  const part = (name: string) => async () =>
    page.getByRole('tablist', { name: 'Parts of the request' }).getByRole('tab', { name, exact: true }).click();
  const drawer = async () => shell.openDrawer();
  const close = () => page.keyboard.press('Escape');
  await shell.openOperation('getLauncherURL');
  await requests.form.choose('gameMode', 'real');
  await requests.send.click();
  await expect(response.code).toHaveText('404 Invalid Token');
  await look('request-form', part('Request'));
  await look('hash input', part('Hash input'));
  await look('response 404', part('Response'));
  for (const view of ['Sent', 'Headers', 'Timings'] as const) {
    const tab = response.pane.getByRole('tab', { name: new RegExp(`^${view}`) });
    await tab.click();
    await look(`response ${view}`, part('Response'));
  }
  await requests.openEditor();
  await look('request-data', part('Request'));
  for (const view of ['Envelope', 'Checks'] as const) {
    await requests.show(view);
    await look(`request-${view}`, part('Request'));
  }
  await look(
    'overrides',
    async () => {
      await part('Request')();
      await requests.overrides.open();
    },
    () => requests.overrides.close(),
  );
  await look(
    'two notices',
    async () => {
      await part('Response')();
      await page.keyboard.press('ControlOrMeta+Period');
      await page.keyboard.press('ControlOrMeta+Period');
      await expect(shell.notices.getByText('Copied the response body.')).toHaveCount(2);
    },
    async () => {
      for (let shown = 2; shown > 0; shown -= 1)
        await shell.notices.getByRole('button', { name: 'Close notice' }).first().click();
    },
  );
  await look('operations drawer', drawer);
  await palette.open();
  await look('palette');
  await page.keyboard.insertText('bet');
  await look('palette bet');
  await close();
  await page.keyboard.press('ControlOrMeta+Shift+Slash');
  await expect(shell.dialog).toBeVisible();
  await look('shortcut sheet');
  await close();
  await page.keyboard.press('F1');
  await expect(shell.dialog).toBeVisible();
  await look('manual');
  await close();
  await shell.openOperation('gameList');
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
  await response.show('Table');
  await look('response table', part('Response'));
  await page.keyboard.press('ControlOrMeta+S');
  await expect(shell.dialog).toBeVisible();
  await look('save dialog');
  await close();
  const starters = join(dirname(workbench.home), 'starters');
  await cp('starter-collections', starters, { recursive: true });
  await collections.openDirectory(join(starters, 'launch'));
  await collections.open('Games');
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
  await look('collection tree', drawer);
  await look('checked response', part('Response'));
  await collections.action('Import');
  await expect(shell.dialog).toBeVisible();
  await look('import dialog');
  await close();
  await palette.run('variables', /variables/i);
  await expect(shell.dialog).toBeVisible();
  await look('variables');
  await close();
  await shell.goTo('Runs');
  await runs.newRun.click();
  await look('run dialog');
  await close();
  await runs.start(join(starters, 'wallet-session'));
  await expect(runs.totals).toHaveText(/=6 planned$/);
  await expect(runs.announced).toHaveText('Run finished: 6 passed.');
  await look('run');
  await runs.rows.filter({ hasText: 'Same bet again' }).click();
  await look('run details');
  await look('runs drawer', drawer);
  expect(found).toEqual([]);
});

test('History, comparison, doctor, environments, settings at every size', async ({
  workbench,
  shell,
  requests,
  response,
  history,
  environments,
  openPoints,
  providerLog,
}) => {
  const { page } = workbench;
  const { found, look } = createWalk(workbench);
  const doctor = createDoctor(page);
  const drawer = async () => shell.openDrawer();
  const close = () => page.keyboard.press('Escape');
  await shell.openOperation('/bet');
  await requests.form.takeToken(/player-1/);
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
  await requests.send.click();
  await expect(response.announced).toContainText('answered');
  await shell.openOperation('gameList');
  await requests.overrides.open();
  await requests.overrides.hash('Wrong digit');
  await requests.overrides.close();
  await look('request with overrides');
  await requests.send.click();
  await expect(response.code).toHaveText('8 hash not valid');
  await look('response 8');
  await shell.goTo('History');
  await dropFile(shell.main, 'a-brand-of-a-casino-on-staging-support.json', await outside.supportPack(3));
  await expect(page.getByRole('region', { name: 'Support pack' })).toBeVisible();
  await look('a support pack');
  await page.getByRole('button', { name: 'Close pack' }).click();
  await expect(history.rows).toHaveCount(3);
  await look('history');
  await history.rows.nth(0).click();
  await look('history selected');
  await providerLog.toggle.click();
  await expect(providerLog.panel).toBeVisible();
  await look('provider log');
  await providerLog.rows.nth(0).click();
  await look('provider log details');
  await providerLog.close.click();
  await history.view.click();
  await history.retention.click();
  await expect(shell.dialog).toBeVisible();
  await look('retention');
  await close();
  await history.chooseInMenu(1, 'Forget a player…');
  await look('forget player');
  await close();
  await history.rows.nth(1).getByRole('checkbox').check();
  await history.rows.nth(2).getByRole('checkbox').check();
  await look('history ticked');
  await page.getByRole('button', { name: 'Compare' }).first().click();
  for (const view of ['Fields', 'Headers', 'Response']) {
    await page
      .getByRole('region', { name: 'Comparison', exact: true })
      .getByRole('tab', { name: new RegExp(`^${view}`) })
      .click();
    await look(`comparison ${view}`);
  }
  await shell.goTo('Wallet');
  const wallet = createWalletScreen(page);
  await expect(wallet.rows.first()).toBeVisible();
  await look('wallet', nothing, async () => page.getByRole('tab', { name: 'Cases' }).click());
  await wallet.rows.first().click();
  await look('wallet case');
  await shell.goTo('Gateway');
  await look('gateway before it runs');
  const gateway = createGatewayScreen(page);
  await gateway.start.click();
  await expect(gateway.addresses.first()).toBeVisible();
  await outside.sendAsBackend(['{"action":"gameList"}']);
  await gateway.rows.first().click();
  await look('gateway', nothing, async () => {
    const list = page.getByRole('tab', { name: 'Exchanges' });
    if (await list.isVisible()) await list.click();
  });
  await shell.goTo('Doctor');
  await look('doctor empty');
  await doctor.text.fill(
    '{"action":"gameList","platform":1,"partnerId":1,"time":"22-11-2026 10:40:02","data":{"currency":"EUR"},"hash":"' +
      'a'.repeat(64) +
      '"}',
  );
  await expect(doctor.stages.first()).toBeVisible();
  for (const one of ['Request', 'Hash inputs', 'Finding'] as const) await look(`doctor ${one}`, async () => doctor.show(one));
  await shell.goTo('Environments');
  await look('environment');
  await look('environments drawer', drawer);
  await environments.startNew();
  await environments.field('Name').fill('A very long name of an environment of staging');
  await look('new environment');
  await shell.goTo('Open points');
  await openPoints.open("Values of a round record's source");
  await look('open point');
  await look('open points drawer', drawer);
  await shell.goTo('Settings');
  await look('settings');
  expect(found).toEqual([]);
});

test('Games, launcher and rounds at every size', async ({ workbench, shell, requests, response }) => {
  const { page } = workbench;
  const { found, look } = createWalk(workbench);
  const games = createGamesScreen(page);
  const launcher = createLauncher(workbench);
  const rounds = createRoundsScreen(page);
  const drawer = async () => shell.openDrawer();
  await shell.goTo('Games');
  await look('games empty');
  await games.fetch();
  await look('games grid');
  await games.view('Table');
  await look('games table');
  await games.rowById(1007).click();
  await look('game details');
  await games.currency.fill('USD');
  await games.fetch();
  await look('games drawer', drawer);
  await games.compare();
  await look('games comparison');
  await shell.goTo('Launcher');
  await look('launcher empty');
  await launcher.field('gameId').fill('1042');
  await launcher.launch.click();
  await launcher.game(await providerOf(workbench), 'fun');
  await look('launcher game');
  await shell.openOperation('/bet');
  await requests.form.takeToken(/player-1/);
  await requests.send.click();
  await expect(response.body.frame).toContainText('externalTrxId');
  const roundId = /"externalTrxId": "(\d+)"/.exec(await response.body.text())?.[1] ?? '';
  await shell.goTo('Rounds');
  await look('rounds empty');
  await rounds.roundId.fill(roundId);
  await rounds.lookUp.click();
  await expect(rounds.rows).toHaveCount(1);
  await look('round');
  await look('rounds drawer', drawer);
  expect(found).toEqual([]);
});
