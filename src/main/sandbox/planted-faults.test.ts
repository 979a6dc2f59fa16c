import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { describeWithTool } from '#testing/external-tools.ts';
import { launchTrusting } from '#testing/trusting-browser.ts';
import { games } from './catalogue.ts';
import { plantedGames, slowSessionMs } from './game/planted-faults.ts';
import { startTestSandbox, type TestSandbox } from '#testing/sandbox-client.ts';

const names = [
  'blank',
  'script error',
  '404 picture',
  'wrong language',
  'wrong game',
  'never ready',
  'never answers',
  'exit ignored',
  'wallet called in fun mode',
  'popup',
  'mixed content',
  'private address',
  'framing denied',
  'slow',
  'hangs',
  'logs without end',
] as const;
type Name = (typeof names)[number];

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
beforeEach(() => void (sandbox.verdicts.length = 0));
afterAll(() => sandbox.close());

const idOf = (name: Name) => String(9901 + names.indexOf(name));

async function launch(gameId: string, change: Readonly<Record<string, string>> = {}): Promise<URL> {
  const data = JSON.stringify({
    gameMode: 'fun',
    gameId,
    lang: 'en',
    externalToken: '',
    playerId: 'player-1',
    country: 'DE',
    ip: '203.0.113.9',
    exitURL: 'https://casino.example/',
    ...change,
  });
  const answer = await sandbox.call('getLauncherURL', data);
  expect(answer.json['code']).toBe(0);
  return new URL((answer.json['data'] as { launcherURL: string }).launcherURL);
}

const real = () => ({ gameMode: 'real', externalToken: sandbox.players()[0]?.externalToken ?? '' });

/** The document of a game and what it asks for at the start. */
async function open(gameId: string, change: Readonly<Record<string, string>> = {}) {
  const url = await launch(gameId, change);
  const page = await sandbox.send(`${url.pathname}${url.search}`, '', { method: 'GET' });
  const ownFile = (ending: string) => new RegExp(`/game-assets/planted-[^"]+\\.${ending}`).exec(page.text)?.[0];
  const textOf = async (path: string | undefined) =>
    path === undefined ? '' : (await sandbox.send(path, '', { method: 'GET' })).text;
  return { url, page, script: await textOf(ownFile('js')), style: await textOf(ownFile('css')) };
}

/** The game server's response to the request that a page at this launcher URL makes. */
async function ask(path: string, url: URL, more: Readonly<Record<string, unknown>> = {}) {
  return (await sandbox.send(path, JSON.stringify({ ...Object.fromEntries(url.searchParams), ...more }))).json;
}

describe('the games with a planted fault', () => {
  test('have fixed IDs and names, which the page of the documentation lists', () => {
    expect(plantedGames.map(({ id, name }) => [id, name])).toEqual(
      names.map((name, index) => [9901 + index, `Planted fault: ${name}`]),
    );
    const page = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
    const rows = page.matchAll(/^- (99\d\d), ([^:]+):/gm);
    expect([...rows].map(([, id, name]) => [Number(id), name])).toEqual(names.map((name, index) => [9901 + index, name]));
  });

  test('are in no list of games, and no free rounds can be granted for them', async () => {
    const list = (await sandbox.call('gameList', undefined, { currency: '"EUR"' })).json['data'] as { slots: { id: number }[] };
    expect(list.slots.map(({ id }) => id)).toEqual(games.map(({ id }) => id));
    expect(games).toHaveLength(60);
    const grant = { playerId: 'player-1', externalReferenceId: 'r', freeRoundValidity: '31-12-2030 23:59:59' };
    await sandbox.call('freeRounds', JSON.stringify({ ...grant, numberOfFreeRounds: 1, betLevel: 0, gameIds: ['9901'] }));
    expect(sandbox.lastWhy()).toContain('not in the game list');
  });

  test.each(names)('%s: opens in both modes at an address of its own', async (name) => {
    for (const change of [{}, real()]) {
      const url = await launch(idOf(name), change);
      expect(url.pathname).toBe(`/game/planted-fault-${name.replaceAll(' ', '-')}-${idOf(name)}`);
      expect(url.searchParams.get('gameId')).toBe(idOf(name));
    }
  });

  test('a game of the catalogue has no trace of any of them', async () => {
    for (const { id, name } of games) {
      const { url, page, script, style } = await open(String(id));
      expect([script, style]).toEqual(['', '']);
      expect(page.text).toContain(`<html lang="en">`);
      expect(page.text).not.toMatch(/<img|class="loading"|planted/);
      expect(page.headers).not.toHaveProperty('x-frame-options');
      expect(page.headers['content-security-policy']).toContain("connect-src 'self';");
      expect(await ask('/game-api/session', url)).toMatchObject({ gameId: id, name, mode: 'fun' });
    }
    const common = (await sandbox.send('/game-assets/game.js', '', { method: 'GET' })).text;
    expect(common).not.toMatch(/window\.open|console\.log|for \(;;\)|setInterval|fetch\('|\/lobby/);
    expect(sandbox.verdicts.filter(({ path }) => path !== '/serviceApi.php')).toEqual([]);
  });

  /** Each page but for its fault is the demo game's. */
  const scripts: readonly (readonly [name: Name, addition: RegExp])[] = [
    ['script error', /setTimeout\(\(\) => \{ throw new Error/],
    ['never ready', /await new Promise\(\(\) => \{\}\)/],
    ['exit ignored', /exitURL = new URL\('\/lobby', location.href\)/],
    ['popup', /window\.open\('\/lobby'\)/],
    ['mixed content', /fetch\('http:\/\/pictures\.example\/reel\.png'\)/],
    ['private address', /fetch\('https:\/\/127\.0\.0\.1:5900\/'\)/],
    ['hangs', /setTimeout\(\(\) => \{ for \(;;\); \}, 2000\)/],
    ['logs without end', /console\.log\('Line '/],
  ];

  test.each(scripts)('%s: the script does it, and is the demo game otherwise', async (name, addition) => {
    const { script } = await open(idOf(name));
    expect(script).toMatch(addition);
    const common = (await sandbox.send('/game-assets/game.js', '', { method: 'GET' })).text;
    const lines = new Set(script.split('\n').map((line) => line.trim()));
    expect(common.split('\n').filter((line) => !lines.has(line.trim()))).toEqual([]);
  });

  test('the policy of a page allows only what its own fault asks for', async () => {
    const allowed = new Map<Name, string>([
      ['mixed content', "'self' http://pictures.example"],
      ['private address', "'self' https://127.0.0.1:5900"],
    ]);
    for (const name of names.filter((one) => one !== 'never answers')) {
      const { page } = await open(idOf(name));
      expect(page.headers['content-security-policy'], name).toContain(`connect-src ${allowed.get(name) ?? "'self'"};`);
      expect(page.headers['x-frame-options'], name).toBe(name === 'framing denied' ? 'DENY' : undefined);
    }
  });

  test('404 picture: the page asks for a file that is not there', async () => {
    const { page } = await open(idOf('404 picture'));
    const source = /<img src="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await sandbox.send(source, '', { method: 'GET' })).status).toBe(404);
  });

  test('blank: the style hides everything, and the session is opened', async () => {
    const { url, style } = await open(idOf('blank'), real());
    expect(style).toContain('visibility: hidden');
    expect(await ask('/game-api/session', url)).toMatchObject({ mode: 'real', gameId: 9901 });
    expect(sandbox.verdicts.at(-1)?.path).toBe('/playerInfo');
  });

  test.each([
    ['en', 'de'],
    ['de', 'en'],
    ['ja', 'en'],
  ])('wrong language: asked for %s, the page is in %s', async (lang, shown) => {
    expect((await open(idOf('wrong language'), { lang })).page.text).toContain(`<html lang="${shown}">`);
    expect((await open(idOf('blank'), { lang })).page.text).toContain(`<html lang="${lang}">`);
  });

  test('wrong game: page, session and wallet name another game of the catalogue', async () => {
    const { url, page } = await open(idOf('wrong game'), real());
    expect(page.text).toContain('<title>Lucky Compass</title>');
    expect(page.text).toContain('<h1>Lucky Compass</h1>');
    expect(await ask('/game-api/session', url)).toMatchObject({ gameId: 1001, name: 'Lucky Compass' });
    await ask('/game-api/spin', url, { betIndex: 0 });
    expect(sandbox.verdicts.findLast(({ path }) => path === '/bet')?.bodyText).toContain('"gameId":"1001"');
  });

  test('wallet called in fun mode: the session and each round ask it for the first player, who keeps the money', async () => {
    const before = sandbox.players()[0];
    const { url } = await open(idOf('wallet called in fun mode'));
    expect(await ask('/game-api/session', url)).toMatchObject({ mode: 'fun', currency: null });
    expect(await ask('/game-api/spin', url, { betIndex: 0 })).toMatchObject({ roundId: null, balance: null });
    const calls = sandbox.verdicts.filter(({ path }) => path !== '/serviceApi.php');
    expect(calls.map(({ path, verdict }) => [path, verdict.code])).toEqual([
      ['/playerInfo', 0],
      ['/playerInfo', 0],
      ['/bet', 0],
      ['/win', 0],
    ]);
    for (const { bodyText } of calls) expect(bodyText).toContain(`"externalToken":"${before?.externalToken ?? '?'}"`);
    for (const { bodyText } of calls.slice(2)) expect(bodyText).toContain('"gameId":"9909"');
    expect(sandbox.players()[0]).toEqual(before);
  });

  test('wallet called in fun mode: real mode is as it should be', async () => {
    const { url } = await open(idOf('wallet called in fun mode'), real());
    await ask('/game-api/session', url);
    await ask('/game-api/spin', url, { betIndex: 0 });
    const calls = sandbox.verdicts.filter(({ path }) => path !== '/serviceApi.php');
    expect(calls.map(({ path }) => path)).toEqual(['/playerInfo', '/playerInfo', '/bet', '/win']);
  });
});

describe('a response that waits', () => {
  // Each of these closes its provider.
  let own: TestSandbox;
  beforeEach(async () => {
    own = await startTestSandbox();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await own.close();
  });

  /** Sends a request. `outcome` is its status or error, undefined before there is one. */
  function send(path: string, body?: string): { outcome(): string | undefined; leave(): void } {
    let outcome: string | undefined;
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { 'content-type': 'application/json' };
    const asked = request(`${own.baseUrl}${path}`, { ca: own.ca, agent: false, method, headers }, (response) => {
      outcome = String(response.statusCode);
      response.resume();
    });
    asked.on('error', (error: NodeJS.ErrnoException) => (outcome = error.code));
    asked.end(body);
    return { outcome: () => outcome, leave: () => asked.destroy() };
  }

  const pathOf = (name: Name) => `/game/${plantedGames.find(({ id }) => String(id) === idOf(name))?.slug ?? ''}`;
  /** Settles when the provider has answered a request that came after the others. */
  const nextAnswered = async () => expect((await own.send('/lobby', '', { method: 'GET' })).status).toBe(200);

  test('never answers: the request ends with the provider, which closes at once', async () => {
    const waiting = send(pathOf('never answers'));
    await nextAnswered();
    expect(waiting.outcome()).toBeUndefined();
    await own.close();
    await expect.poll(waiting.outcome).toBe('ECONNRESET');
  });

  test('never answers: a client may leave', async () => {
    const waiting = send(pathOf('never answers'));
    await nextAnswered();
    waiting.leave();
    await expect.poll(waiting.outcome).toBe('ECONNRESET');
    await nextAnswered();
  });

  const askForSession = () => send('/game-api/session', '{"gameId":"9914","gameMode":"fun","platform":"7","partnerId":"12"}');

  /** Settles when the wait has begun. A poll of Vitest would move the clock. */
  async function started(): Promise<void> {
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  }

  test('slow: the session is answered when its time has come', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const waiting = askForSession();
    await started();
    vi.advanceTimersByTime(slowSessionMs - 1);
    await nextAnswered();
    expect(waiting.outcome()).toBeUndefined();
    vi.advanceTimersByTime(1);
    await expect.poll(waiting.outcome).toBe('200');
  });

  test('slow: the wait ends when the provider closes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const waiting = askForSession();
    await started();
    await own.close();
    await expect.poll(() => vi.getTimerCount()).toBe(0);
    await expect.poll(waiting.outcome).toBe('ECONNRESET');
  });
});

describeWithTool('chromium', 'planted faults in a browser', (executablePath) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchTrusting(executablePath, sandbox.certificate);
  });
  afterAll(() => browser.close());

  /** Opens a game and collects what its page says and does, errors of the console among it. */
  async function play(name: Name, change: Readonly<Record<string, string>> = {}) {
    const { href } = await launch(idOf(name), change);
    const page = await browser.newPage();
    const seen = { errors: [] as string[], console: [] as string[], failed: [] as string[], popups: [] as string[] };
    page.on('pageerror', (error) => seen.errors.push(error.message));
    page.on('console', (message) => seen.console.push(message.text()));
    page.on('requestfailed', (asked) => seen.failed.push(asked.url()));
    page.on('popup', (popup) => seen.popups.push(popup.url()));
    await page.goto(href);
    return { page, seen };
  }

  const quiet = { errors: [], console: [], failed: [], popups: [] };
  const ready = (page: Page) => page.locator('body[data-state="ready"]').waitFor();

  test('wrong game: it plays, under the name of the other', async () => {
    const { page, seen } = await play('wrong game');
    await ready(page);
    expect([await page.title(), await page.innerText('h1')]).toEqual(['Lucky Compass', 'Lucky Compass']);
    expect(seen).toEqual(quiet);
    await page.close();
  });

  test('wallet called in fun mode: the page is as it should be', async () => {
    const { page, seen } = await play('wallet called in fun mode');
    await ready(page);
    expect(await page.innerText('#mode')).toMatch(/fun/i);
    expect(seen).toEqual(quiet);
    await page.close();
  });

  test('blank: one plain colour, nothing else is wrong', async () => {
    const { page, seen } = await play('blank');
    await ready(page);
    expect(await page.innerText('body')).toBe('');
    const picture = await page.screenshot();
    const plain = await browser.newPage();
    await plain.setContent('<body style="margin:0;background:#0c0913">');
    expect(picture.equals(await plain.screenshot())).toBe(true);
    await plain.close();
    expect(seen).toEqual(quiet);
    await page.close();
  });

  test('script error: one uncaught error, and the game plays', async () => {
    const { page, seen } = await play('script error');
    await ready(page);
    await expect.poll(() => seen.errors).toEqual(['Planted fault: script error']);
    await page.click('#spin');
    await page.locator('body[data-spins="1"]').waitFor();
    await page.close();
  });

  test('404 picture: the browser says so once', async () => {
    const { page, seen } = await play('404 picture');
    await ready(page);
    expect(seen.errors).toEqual([]);
    await expect.poll(() => seen.console).toEqual([expect.stringContaining('404')]);
    await page.close();
  });

  test('wrong language: texts and lang are of another one', async () => {
    const { page, seen } = await play('wrong language', { lang: 'fr' });
    await ready(page);
    expect([await page.getAttribute('html', 'lang'), await page.innerText('#spin')]).toEqual(['en', 'Spin']);
    expect(seen).toEqual(quiet);
    await page.close();
  });

  test('never ready: it turns and asks without end, and nothing fails', async () => {
    const { page, seen } = await play('never ready');
    let answered = 0;
    page.on('response', (response) => (answered += response.ok() && response.url().endsWith('/loading.json') ? 1 : 0));
    await expect.poll(() => answered, { timeout: 20_000 }).toBeGreaterThan(3);
    expect(await page.getAttribute('body', 'data-state')).toBe('loading');
    expect(await page.evaluate('document.getAnimations().length')).toBe(1);
    expect(seen).toEqual(quiet);
    await page.close();
  });

  test('exit ignored: exit leads to the lobby of the provider', async () => {
    const { page } = await play('exit ignored');
    await ready(page);
    await page.click('#exit');
    await page.waitForURL(`${sandbox.baseUrl}/lobby`);
    expect(await page.title()).toBe('Lobby');
    await page.close();
  });

  test('popup: a window opens by itself', async () => {
    const { page, seen } = await play('popup');
    await ready(page);
    await expect.poll(() => seen.popups).toEqual([`${sandbox.baseUrl}/lobby`]);
    await page.close();
  });

  test('mixed content: the browser stops it for this reason', async () => {
    const { page, seen } = await play('mixed content');
    await ready(page);
    await expect.poll(() => seen.console.join()).toContain('Mixed Content');
    expect(seen.console.join()).not.toContain('Content Security Policy');
    expect(seen.errors).toEqual([]);
    await page.close();
  });

  test('private address: the page asks for it', async () => {
    const { page, seen } = await play('private address');
    await ready(page);
    await expect.poll(() => seen.failed).toEqual(['https://127.0.0.1:5900/']);
    expect(seen.console.join()).not.toContain('Content Security Policy');
    expect(seen.errors).toEqual([]);
    await page.close();
  });

  test('framing denied: the page opens by itself, and not in a frame', async () => {
    const { page, seen } = await play('framing denied');
    await ready(page);
    expect(seen).toEqual(quiet);
    const address = page.url();
    await page.goto('about:blank');
    await page.setContent(`<iframe src="${address.replaceAll('&', '&amp;')}"></iframe>`);
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    await page.close();
  });

  test('hangs: two seconds later the page no longer runs', async () => {
    const { page } = await play('hangs');
    await ready(page);
    await expect
      .poll(() => Promise.race([page.evaluate('1'), new Promise((resolve) => setTimeout(resolve, 1_000, 'hung'))]), {
        timeout: 20_000,
      })
      .toBe('hung');
    await page.close();
  });

  test('logs without end: numbered lines, none of them an error', async () => {
    const { page, seen } = await play('logs without end');
    await ready(page);
    await expect.poll(() => seen.console.length, { timeout: 20_000 }).toBeGreaterThan(600);
    expect(seen.console.slice(0, 2)).toEqual(['Line 1', 'Line 2']);
    expect(seen.errors).toEqual([]);
    await page.close();
  });
});
