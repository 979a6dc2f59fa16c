import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWithTool } from '../../testing/external-tools.ts';
import { launchTrusting } from '#testing/trusting-browser.ts';
import { startTestSandbox, type TestSandbox } from '#testing/sandbox-client.ts';

/** Every draw is a cherry: three of a kind, eight times the bet. */
const cherries = () => 0;
const ready = 'body[data-state="ready"]';

describeWithTool('chromium', 'the demo game in a browser', (executablePath) => {
  let browser: Browser;
  let sandbox: TestSandbox;

  beforeAll(async () => {
    sandbox = await startTestSandbox({ random: cherries });
    browser = await launchTrusting(executablePath, sandbox.certificate);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.close();
  });

  async function launch(change: Readonly<Record<string, string>> = {}): Promise<string> {
    const data = JSON.stringify({
      gameMode: 'real',
      gameId: '1042',
      lang: 'en',
      externalToken: sandbox.players()[0]?.externalToken,
      playerId: 'player-1',
      country: 'DE',
      ip: '203.0.113.9',
      exitURL: '',
      ...change,
    });
    const answer = await sandbox.call('getLauncherURL', data);
    return (answer.json['data'] as { launcherURL: string }).launcherURL;
  }

  /** A page that fails the test on a script error, a refused resource or a violation of its own policy. */
  async function open(
    address: string,
    options: { width?: number; height?: number } = {},
  ): Promise<{ page: Page; faults: string[] }> {
    const page = await browser.newPage({
      viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
      reducedMotion: 'reduce',
    });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    await page.goto(address);
    return { page, faults };
  }

  const data = (page: Page, name: string) => page.getAttribute('body', `data-${name}`);

  test('a spin in real mode goes through the wallet and changes the ledger', async () => {
    const { page, faults } = await open(await launch());
    await page.waitForSelector(ready);
    expect(await data(page, 'mode')).toBe('real');
    expect(await page.textContent('#balance')).toBe('€1,000.00');
    expect(await page.textContent('#bet')).toBe('€0.25');
    await page.click('#more');
    expect(await page.textContent('#bet')).toBe('€0.50');
    const before = sandbox.verdicts.length;
    await page.click('#spin');
    await page.waitForSelector('body[data-spins="1"]');
    expect(sandbox.verdicts.slice(before).map(({ path }) => path)).toEqual(['/playerInfo', '/bet', '/win']);
    expect(await page.textContent('#win')).toBe('€4.00');
    expect(await page.textContent('#balance')).toBe('€1,003.50');
    expect(sandbox.players()[0]?.balance).toBe(1003.5);

    const roundId = await data(page, 'round-id');
    expect(roundId).toBe('9007199254740993');
    const rounds = await sandbox.call('getGameRound', `{"roundId":${String(roundId)},"logMonth":0}`);
    expect(rounds.json['data']).toMatchObject([
      { action: 'bet', bet: 0.5, win: 0, gameId: 1042 },
      { action: 'win', bet: 0, win: 4 },
    ]);
    const replay = await sandbox.call('roundReplayInfo', `{"roundId":${String(roundId)},"logMonth":0}`);
    await page.goto((replay.json['data'] as { replayLink: string }).replayLink);
    expect(await page.locator('.reel use[href="#s0"]').count()).toBe(9);
    expect(await page.textContent('.facts')).toContain('9007199254740993');
    expect(faults).toEqual([]);
    await page.close();
  });

  test('fun mode plays with credits and calls no wallet', async () => {
    const before = sandbox.verdicts.length;
    const address = await launch({ gameMode: 'fun', externalToken: '', lang: 'de' });
    const { page, faults } = await open(address);
    await page.waitForSelector(ready);
    expect(await page.textContent('#spin')).toBe('Drehen');
    expect(await page.textContent('#balance')).toBe('1.000,00 Punkte');
    await page.keyboard.press('Space');
    await page.waitForSelector('body[data-spins="1"]');
    expect(await page.textContent('#balance')).toBe('1.001,75 Punkte');
    expect(sandbox.verdicts.slice(before).map(({ action }) => action)).toEqual(['getLauncherURL']);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('free rounds are played before money, bind to the first launched game and pay as promotional wins', async () => {
    const grant = {
      playerId: 'player-2',
      externalReferenceId: 'game-test',
      freeRoundValidity: '31-12-2030 23:59:59',
      numberOfFreeRounds: 2,
      betLevel: 2,
      gameIds: ['1001', '1042'],
    };
    expect((await sandbox.call('freeRounds', JSON.stringify(grant))).json['code']).toBe(0);
    const player = { playerId: 'player-2', externalToken: sandbox.players()[1]?.externalToken ?? '' };
    const { page, faults } = await open(await launch(player));
    await page.waitForSelector(ready);
    expect(await page.textContent('#free-text')).toBe('2 of 2 free rounds, €1.00 each');
    const before = sandbox.verdicts.length;
    for (const spins of [1, 2, 3]) {
      await page.click('#spin');
      await page.waitForSelector(`body[data-spins="${spins}"]`);
    }
    expect(sandbox.verdicts.slice(before).map(({ path }) => path)).toEqual([
      '/playerInfo',
      '/promoWin',
      '/playerInfo',
      '/promoWin',
      '/playerInfo',
      '/bet',
      '/win',
    ]);
    expect(sandbox.verdicts[before + 1]?.bodyText).toContain('"externalReferenceId":"game-test#1"');
    // Two free rounds of 1.00 that pay eight times, then a paid one of 0.25 that does too.
    expect(sandbox.players()[1]?.balance).toBe(250.5 + 16 + 1.75);
    expect(await page.isHidden('#free')).toBe(true);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('exit goes to exitURL, and says so where there is none', async () => {
    const target = `${sandbox.baseUrl}/thumbs/lucky-compass-1001.svg?left=1&x=ü`;
    const address = new URL(await launch({ gameMode: 'fun', externalToken: '' }));
    address.searchParams.set('exitURL', target);
    const { page, faults } = await open(address.href);
    await page.waitForSelector(ready);
    await page.click('#exit');
    await page.waitForURL(new URL(target).href);

    address.searchParams.set('exitURL', '');
    await page.goto(address.href);
    await page.waitForSelector(ready);
    await page.click('#exit');
    expect(await page.textContent('#notice')).toContain('exitURL is empty');
    address.searchParams.set('exitURL', 'javascript:document.title="broken"');
    await page.goto(address.href);
    await page.waitForSelector(ready);
    await page.click('#exit');
    expect(await page.isVisible('#notice')).toBe(true);
    expect(await page.title()).toBe('Firefly Lagoon');
    expect(faults).toEqual([]);
    await page.close();
  });

  test('a token that is not valid and a foreign platform are said to be so', async () => {
    const { page } = await open(await launch({ externalToken: 'gone' }));
    await page.waitForSelector('body[data-state="problem"][data-problem="token"]');
    expect(await page.textContent('#notice-title')).toBe('The session is not valid');
    await page.goto((await launch()).replace('platform=7', 'platform=8'));
    await page.waitForSelector('body[data-state="problem"][data-problem="platform"]');
    await page.close();
  });

  test('a bet that the balance does not cover changes nothing', async () => {
    const player = sandbox.players()[0];
    const body = { externalToken: player?.externalToken, playerId: 'player-1', gameId: '1042', currency: 'EUR' };
    await sandbox.wallet('bet', { ...body, transactionId: 'drain', amount: player?.balance });
    const { page } = await open(await launch());
    await page.waitForSelector(ready);
    await page.click('#spin');
    await page.waitForSelector('body[data-notice="balance"]');
    await page.click('#notice-close');
    expect(await data(page, 'state')).toBe('ready');
    expect(sandbox.players()[0]?.balance).toBe(0);
    await sandbox.wallet('cancel', { ...body, transactionId: 'drain' });
    await page.close();
  });

  test.each([
    [360, 640],
    [390, 844],
    [844, 390],
    [1280, 800],
    [1920, 1080],
  ])('fits %i by %i without scrolling, in a frame too', async (width, height) => {
    const { page, faults } = await open(await launch({ gameId: '1019' }), { width, height });
    await page.waitForSelector(ready);
    // Text, because this file is typed without a browser's globals.
    const overflow = await page.evaluate<number[]>(
      'const { scrollWidth, scrollHeight } = document.documentElement; [scrollWidth - innerWidth, scrollHeight - innerHeight]',
    );
    expect(Math.max(...overflow)).toBeLessThanOrEqual(0);
    // As the browser host embeds it: from plain http on another site of this machine, in a sandboxed frame.
    const frame = `<iframe sandbox="allow-scripts allow-same-origin allow-forms" width="${width}" height="${height}"
      src="${page.url().replaceAll('&', '&amp;')}"></iframe>`;
    const host = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(frame));
    await once(host.listen(0, '127.0.0.1'), 'listening');
    await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
    await page.frameLocator('iframe').locator(ready).waitFor();
    expect(faults).toEqual([]);
    await page.close();
    host.close();
  });
});
