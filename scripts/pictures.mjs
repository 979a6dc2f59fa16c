// The icons, and the pictures of docs/images, taken of the built app in the browser host: `npm run pictures`. Look at them before you commit.
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { chromium } from '@playwright/test';
import { openBrowserHost } from '../e2e/browser-host.ts';
import { launchOptions } from '../e2e/chromium.ts';
import { createCollections } from '../e2e/pages/collections.ts';
import { createComparison } from '../e2e/pages/comparison.ts';
import { createDoctor } from '../e2e/pages/doctor.ts';
import { createEnvironmentsScreen } from '../e2e/pages/environments.ts';
import { createGamesScreen } from '../e2e/pages/games.ts';
import { createGatewayScreen } from '../e2e/pages/gateway.ts';
import { createHistoryScreen } from '../e2e/pages/history.ts';
import { createLauncher, providerOf, spin } from '../e2e/pages/launcher.ts';
import { createOpenPointsScreen } from '../e2e/pages/open-points.ts';
import { createProviderLog } from '../e2e/pages/provider-log.ts';
import { createRequest } from '../e2e/pages/request.ts';
import { createResponse } from '../e2e/pages/response.ts';
import { createRoundsScreen } from '../e2e/pages/rounds.ts';
import { createRunsScreen } from '../e2e/pages/runs.ts';
import { createShell } from '../e2e/pages/shell.ts';
import { createWalletScreen } from '../e2e/pages/wallet.ts';
import { makeSurroundings, runCroupier } from '../e2e/program.ts';
import { readFault } from '../src/shared/provider/faults-on-demand.ts';
import { startConnectProxy } from '../src/testing/connect-proxy.ts';
import { makeCertificate } from '../src/testing/https-server.ts';
import { startTestSandbox, testHash, testKey, testTime } from '../src/testing/sandbox-client.ts';
import { recordPast, sandboxOf } from '../src/testing/past-calls.ts';
import { drawIcons } from './icons.mjs';
import { find, tools } from './provision.mjs';

const folder = path.resolve(import.meta.dirname, '../docs/images');
mkdirSync(folder, { recursive: true });
process.env.CHROMIUM_PATH ??= find(tools[0]) ?? '';
const stagingKey = 'a-key-for-pictures-0123456789abcdef';
/** The days before, for the history. */
const pastSessions = [
  { daysAgo: 12, hour: 10, calls: 140 },
  { daysAgo: 8, hour: 13, calls: 25 },
  { daysAgo: 1, hour: 9, calls: 6 },
  { daysAgo: 1, hour: 15, calls: 3 },
];
/** The pages' text: a picture that none of them shows is not kept. The help takes the one that its theme needs. */
const pages = ['README.md', ...globSync('docs/**/*.md')].map((file) => readFileSync(file, 'utf8')).join('');
const browser = await chromium.launch(launchOptions());
await drawIcons(browser, path.resolve(import.meta.dirname, '../resources'));

/** The control page of the built-in provider, which the workbench does not show. */
async function takeControlPage(scheme) {
  const faults = ['bet=500,2', 'all=delay:800', 'win=cut-after,1'].map(readFault);
  const provider = await startTestSandbox({ platform: 1, partnerId: 42, faults, save: async () => undefined });
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width: 1040, height: 700 },
    ignoreHTTPSErrors: true,
  });
  const page = await context.newPage();
  await page.goto(provider.controlUrl);
  await page.getByRole('cell', { name: '1000 EUR' }).waitFor();
  await keep(page, 'provider-control', scheme, { fullPage: true });
  await context.close();
  await provider.close();
}

/** An environment of an office network, and a call that its proxy refuses. */
async function takeOffice(scheme) {
  const surroundings = await makeSurroundings();
  const proxy = await startConnectProxy({ refuses: '403 Forbidden' });
  const authority = path.join(surroundings.folder, 'office.pem');
  writeFileSync(authority, (await makeCertificate({ hosts: ['Office Authority'], selfSigned: true, authority: true })).cert);
  const address = ['--base-url', 'https://provider.example', '--platform', '7', '--partner-id', '11', '--no-production'];
  const network = ['--ca', authority, '--proxy', proxy.address, '--private-host', 'games.corp.example'];
  await runCroupier(surroundings, ['env', 'set', 'Office', ...address, ...network]);
  const host = await openBrowserHost(surroundings, browser, (page) => page.emulateMedia({ colorScheme: scheme }));
  const { page } = host;
  const [shell, environments, request, response] = [
    createShell(page),
    createEnvironmentsScreen(page),
    createRequest(page),
    createResponse(page),
  ];
  try {
    await shell.goTo('Environments');
    await environments.open('Office');
    await environments.key.set(stagingKey);
    await shell.status.getByText('(session only)').waitFor();
    await page.getByLabel(/^Private hosts/).waitFor();
    await page.setViewportSize({ width: 1440, height: 864 });
    await page.getByRole('heading', { name: 'Certificates' }).evaluate((heading) => {
      heading.style.scrollMarginTop = '12px';
      heading.scrollIntoView();
    });
    await keep(page, 'networks', scheme, { animations: 'disabled' });
    await shell.useEnvironment('Office');
    await shell.openOperation('gameList');
    await request.send.click();
    await response.sent.body.frame.waitFor();
    await keep(page, 'proxy-failure', scheme, { animations: 'disabled' });
  } finally {
    await host.close();
    await proxy.close();
    await surroundings.remove();
  }
}

/** The gateway between a backend that escapes slashes and a provider, with the call of a wrong hash. */
async function takeGateway(scheme) {
  const surroundings = await makeSurroundings();
  const provider = await startTestSandbox();
  const authority = path.join(surroundings.folder, 'provider.pem');
  writeFileSync(authority, provider.ca);
  const address = ['--base-url', provider.baseUrl, '--platform', '7', '--partner-id', '12', '--no-production'];
  await runCroupier(surroundings, ['env', 'set', 'Staging', ...address, '--ca', authority]);
  const host = await openBrowserHost(surroundings, browser, (page) => page.emulateMedia({ colorScheme: scheme }));
  const { page } = host;
  const [shell, environments, gateway] = [createShell(page), createEnvironmentsScreen(page), createGatewayScreen(page)];
  try {
    await shell.goTo('Environments');
    await environments.open('Staging');
    await environments.key.set(testKey);
    await shell.useEnvironment('Staging');
    await shell.goTo('Gateway');
    await page.getByLabel("Also the provider's calls to the wallet").click();
    await page.getByLabel("Your wallet's URL").fill(provider.baseUrl);
    await gateway.start.click();
    await gateway.addresses.last().waitFor();
    const [baseUrl = '', walletUrl = '', caFile = ''] = await gateway.addresses.allTextContents();
    const ca = readFileSync(caFile);
    const ask = (url, body) =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'user-agent': 'GuzzleHttp/7' };
        const sent = httpsRequest(url, { method: 'POST', ca, headers, agent: false }, (response) =>
          response.resume().on('end', resolve),
        );
        sent.on('error', reject).end(body);
      });
    const launch = {
      gameMode: 'fun',
      gameId: '1042',
      lang: 'en',
      externalToken: '',
      playerId: 'player-1',
      country: 'DE',
      ip: '203.0.113.9',
      exitURL: 'https://casino.example/lobby',
    };
    const escapes = (text) => text.replaceAll('/', '\\/');
    /** @type {[action: string, data: object | null, hashed?: (text: string) => string, more?: object][]} */
    const requests = [
      ['gameList', null, undefined, { currency: 'EUR' }],
      ['getLauncherURL', { ...launch, exitURL: '' }],
      ['getGameRound', { roundId: 1001, logMonth: 0 }],
      ['getLauncherURL', launch, escapes],
      ['gameList', null, undefined, { currency: 'XXX' }],
      ['getLauncherURL', launch, undefined, { partnerId: 13 }],
      ['getLauncherURL', { ...launch, gameId: '1007', playerId: 'player-2' }, escapes],
    ];
    for (const [action, data, hashed = (text) => text, more = {}] of requests) {
      const text = data === null ? '' : JSON.stringify(data);
      const body = JSON.stringify({ action, platform: 7, partnerId: 12, time: testTime, ...more }).slice(0, -1);
      await ask(`${baseUrl}/serviceApi.php`, `${body}${text && `,"data":${text}`},"hash":"${testHash(hashed(text))}"}`);
    }
    await ask(`${walletUrl}/bet`, '{"token":"an-old-token","transactionId":81,"amount":1.5,"currency":"EUR","gameId":1042}');
    await ask(`${baseUrl}/health`, '');
    await gateway.rows.filter({ hasText: 'Wrong hash' }).nth(1).waitFor();
    await gateway.rows.filter({ hasText: 'Wrong hash' }).first().click();
    await gateway.main.getByText('Fix in PHP').click();
    await gateway.main
      .getByRole('region', { name: /^Call / })
      .getByText('from my backend')
      .first()
      .waitFor();
    await gateway.main.locator('.view-line').last().waitFor();
    await keep(page, 'gateway', scheme, { animations: 'disabled' });
  } finally {
    await host.close();
    await provider.close();
    await surroundings.remove();
  }
}

/** A tested wallet that debits a repeated bet twice, with the case that shows it. */
async function takeWallet(scheme) {
  const surroundings = await makeSurroundings();
  const provider = await startTestSandbox({ walletFault: 'retry-debits-twice' });
  const authority = path.join(surroundings.folder, 'provider.pem');
  writeFileSync(authority, provider.ca);
  const address = ['--base-url', provider.baseUrl, '--platform', '7', '--partner-id', '12', '--no-production'];
  await runCroupier(surroundings, ['env', 'set', 'Staging', ...address, '--ca', authority]);
  const host = await openBrowserHost(surroundings, browser, (page) => page.emulateMedia({ colorScheme: scheme }));
  const { page } = host;
  const [shell, wallet] = [createShell(page), createWalletScreen(page)];
  try {
    await shell.useEnvironment('Staging');
    await shell.goTo('Wallet');
    const [first, second] = provider.players();
    await page.getByLabel('Session token').fill(first?.externalToken ?? '');
    await page.getByLabel("Second player's token").fill(second?.externalToken ?? '');
    await wallet.run.click();
    await wallet.main.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 });
    await wallet.group('Retries').click();
    await wallet.rows.first().click();
    await wallet.details.getByText('Usual cause').waitFor();
    await keep(page, 'wallet', scheme, { animations: 'disabled' });
  } finally {
    await host.close();
    await provider.close();
    await surroundings.remove();
  }
}

async function keep(page, name, scheme, options) {
  if (!pages.includes(`images/${name}-light`) && !pages.includes(`images/${name}-dark`)) return;
  await page.screenshot({ path: path.join(folder, `${name}-${scheme}.png`), ...options });
}

for (const scheme of ['light', 'dark']) {
  await takeControlPage(scheme);
  await takeOffice(scheme);
  await takeGateway(scheme);
  await takeWallet(scheme);
  const surroundings = await makeSurroundings();
  const host = await openBrowserHost(surroundings, browser, (page) => page.emulateMedia({ colorScheme: scheme }));
  const { page } = host;
  const [shell, request, response] = [createShell(page), createRequest(page), createResponse(page)];
  const picture = (name) => keep(page, name, scheme, { animations: 'disabled' });
  // The editor colours a text after it has drawn it.
  const coloured = ({ frame }) => frame.locator('[class^="mtk"]:not(.mtk1)').first().waitFor();
  const answered = (code) => response.code.getByText(code).waitFor();
  try {
    await shell.goTo('History');
    await createHistoryScreen(page).empty.waitFor();
    await picture('history-empty');
    await shell.goTo('Requests');
    // Before any call of today, so that the list is in the order of time.
    await recordPast(surroundings.home, sandboxOf(surroundings.home), pastSessions, Date.now());

    await request.send.click();
    await answered('0 ok');
    await response.show('Table');
    await response.table.waitFor();
    await picture('game-list');

    await shell.openOperation('getLauncherURL');
    await request.form.choose('gameMode', 'real');
    await request.form.takeToken(/Zoë/);
    await request.form.field('exitURL').fill('https://casino.example/lobby');
    await request.send.click();
    await answered('0 ok');
    await response.explanation.waitFor();
    await coloured(response.body);
    await picture('request');

    await request.overrides.open();
    await request.overrides.hash('Wrong digit');
    await request.overrides.close();
    await request.send.click();
    await answered('8 hash not valid');
    await coloured(response.body);
    await picture('wrong-hash');
    await response.show('Sent');
    await response.sent.body.frame.waitFor();
    await picture('sent');
    await response.show('Body');

    await request.overrides.open();
    await request.overrides.clear();
    await request.overrides.close();
    await request.form.field('exitURL').fill('https://casino.example/löbby');
    await request.send.click();
    await response.pane.getByText(/^signed = sent/).waitFor();
    await shell.goTo('History');
    const [history, comparison] = [createHistoryScreen(page), createComparison(page)];
    for (const at of [0, 2]) await history.rows.nth(at).getByRole('checkbox').click();
    await history.strip.getByRole('button', { name: 'Compare' }).click();
    await comparison.marks.first().waitFor();
    await picture('comparison');
    await comparison.back.click();
    for (const at of [0, 2]) await history.rows.nth(at).getByRole('checkbox').click();

    // What was typed is sent and hashed: the provider decodes and encodes it, and gets other bytes.
    await runCroupier(surroundings, ['env', 'set', 'sandbox', '--serialization', 'verbatim']);
    await shell.openOperation('getGameRound');
    await request.hashInput.pane.getByText(/\bverbatim$/).waitFor();
    await (await request.openEditor()).replace('{"roundId": 9007199254740993, "logMonth": 0}');
    await request.send.click();
    await answered('8 hash not valid');
    await response.toProviderLog.click();
    const log = createProviderLog(page);
    await log.received.waitFor();
    await log.body.frame.waitFor();
    await picture('provider-log');
    await log.close.click();
    await runCroupier(surroundings, ['env', 'set', 'sandbox', '--serialization', 'php']);

    const games = createGamesScreen(page);
    await shell.goTo('Games');
    // The list that the call of gameList above left; the same list is not kept twice.
    await games.snapshots.first().waitFor();
    await games.tileById(1007).click();
    await games.idInDetails.waitFor();
    // A tile has no image before its picture has come.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('main [data-item]')]
        .filter((tile) => tile.getBoundingClientRect().top < innerHeight)
        .every((tile) => tile.querySelector('img')?.complete),
    );
    await picture('games-grid');
    await games.view('Table');
    await picture('games-table');
    changeOldestList(surroundings.home);
    await games.fetch();
    await games.compare();
    await games.changes.first().waitFor();
    await picture('games-compare');
    await games.comparison.getByRole('button', { name: 'Close', exact: true }).click();

    const workbench = { page, desktop: null, cli: (args) => runCroupier(surroundings, args) };
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    await launcher.mode('real');
    await launcher.takeToken(/Zoë/);
    await launcher.field('gameId').fill('1042');
    await launcher.field('exitURL').fill('https://casino.example/lobby');
    await launcher.launch.click();
    const { roundId } = await spin(await launcher.game(await providerOf(workbench), 'real'));
    await launcher.entries.filter({ hasText: '/win' }).first().waitFor();
    await picture('launcher');

    const rounds = createRoundsScreen(page);
    await shell.goTo('Rounds');
    await rounds.roundId.fill(roundId);
    await rounds.lookUp.click();
    await rounds.checks.first().waitFor();
    await picture('rounds');

    const runs = createRunsScreen(page);
    await shell.goTo('Runs');
    await runs.start(path.resolve(import.meta.dirname, '../starter-collections/wallet-session'));
    await runs.totals.getByText('6 passed').waitFor();
    await runs.start(changedCollection(surroundings.folder), { Repeat: '3' });
    await runs.totals.getByText('3 failed').waitFor();
    await runs.rows.filter({ hasText: 'failed' }).first().click();
    await runs.checks.first().waitFor();
    await picture('runs');

    const collections = createCollections(page);
    await shell.goTo('Requests');
    await collections.show();
    await collections.starters.first().waitFor();
    await picture('collections-empty');
    await collections.openDirectory(path.resolve(import.meta.dirname, '../starter-collections/free-rounds'));
    await collections.open('free-rounds', 'One player');
    await collections.values.first().waitFor();
    await createRequest(page).send.click();
    await createResponse(page).show('Checks');
    await picture('collections');

    for (const area of ['History', 'Open points', 'Environments']) {
      await shell.goTo(area);
      if (area === 'History') {
        // The list comes back where it was left.
        await history.rows.first().press('Home');
        await history.rows.filter({ hasText: 'freeRounds' }).first().click();
        await history.detail.sent.body.frame.waitFor();
      } else if (area === 'Open points') {
        const openPoints = createOpenPointsScreen(page);
        await openPoints.open('Non-ASCII text in the hash');
        await openPoints.point.getByText('Non-ASCII text in the hash').first().waitFor();
      } else await shell.main.getByRole('textbox').first().waitFor();
      await picture(area.toLowerCase().replace(' ', '-'));
    }

    // Last: it leaves the built-in provider's environment.
    await addStaging(surroundings, shell, createEnvironmentsScreen(page));
    const doctor = createDoctor(page);
    await shell.goTo('Doctor');
    await doctor.text.fill(rejectedLine());
    await doctor.hashed.frame.waitFor();
    await picture('doctor');
  } finally {
    await host.close();
    await surroundings.remove();
  }
}
await browser.close();

/** An environment with the key that made the hash of `rejectedLine`. */
async function addStaging(surroundings, shell, environments) {
  const address = ['--base-url', 'https://provider.example', '--platform', '7', '--partner-id', '11'];
  await runCroupier(surroundings, ['env', 'set', 'Staging', ...address, '--no-production']);
  await shell.goTo('Environments');
  await environments.open('Staging');
  await environments.key.set(stagingKey);
  await shell.useEnvironment('Staging');
}

/** A line of a log with a request whose backend hashed escaped slashes and sent bare ones. */
function rejectedLine() {
  const time = '22-11-2026 10:40:02';
  const data = '{"gameMode":"real","gameId":"1042","lang":"en","exitURL":"https://casino.example/lobby"}';
  const hash = createHash('sha256')
    .update(stagingKey + time + data.replaceAll('/', '\\/'))
    .digest('hex');
  const body = `{"action":"getLauncherURL","platform":7,"partnerId":11,"time":"${time}","data":${data},"hash":"${hash}"}`;
  return JSON.stringify({ level: 'info', ts: '2026-11-22T10:40:02.118Z', msg: 'provider request', body, res: '{"code":8}' });
}

/** A starter collection of which one check is wrong. */
function changedCollection(folder) {
  const copy = path.join(folder, 'wallet-session');
  cpSync(path.resolve(import.meta.dirname, '../starter-collections/wallet-session'), copy, { recursive: true });
  const win = path.join(copy, 'Win.yaml');
  writeFileSync(win, readFileSync(win, 'utf8').replace('change: "{{payout}}"', 'change: "4.25"'));
  return copy;
}

/** The built-in provider's games never change: what was fetched first is made older, so that there is something to compare. */
function changeOldestList(home) {
  const history = new DatabaseSync(path.join(home, 'history.sqlite'), { timeout: 5_000 });
  const change = (set, at) => history.exec(`UPDATE catalogue_games SET ${set} WHERE position = ${at}`);
  change("game_id = '990', name = 'Copper Harvest'", 3);
  change("name = 'Velvet Comet Deluxe'", 6);
  change(`bets = '["0.10","0.20","0.50"]'`, 11);
  change("status = '0'", 20);
  // The last one: a list with a gap counts as one that is being dropped.
  history.exec('DELETE FROM catalogue_games WHERE position = (SELECT max(position) FROM catalogue_games)');
  history.exec('UPDATE catalogue_snapshots SET games = games - 1');
  history.close();
}
