import type { Page } from '@playwright/test';
import { builtInDevices, ownPage } from '#shared/launches/devices.ts';
import type { Embedding, PageSettings } from '#shared/model/device.ts';
import { call, recorded } from './desktop-call.ts';
import { expect } from './fixtures.ts';
import { gameSite, test } from './game-site.ts';

test.use({ shares: 'calls' });
test.describe.configure({ mode: 'default' });

// The specs of what a page can find out about the screen and the browser that it has, on the double and on Electron.

const bounds = { x: 0, y: 60, width: 197, height: 426 };

function deviceOf(name: string) {
  const device = builtInDevices.find((one) => one.name === name);
  if (device === undefined) throw new Error(`There is no ${name}.`);
  return device;
}

/** The surroundings as a page sees them. */
const sightOf = (page: Page) =>
  page.evaluate(() => {
    const probe = document.createElement('div');
    probe.style.cssText = 'position: fixed; padding-top: env(safe-area-inset-top); padding-left: env(safe-area-inset-left)';
    document.body.append(probe);
    const { paddingTop, paddingLeft } = getComputedStyle(probe);
    probe.remove();
    return {
      size: `${innerWidth} x ${innerHeight}`,
      screen: `${screen.width} x ${screen.height}`,
      ratio: devicePixelRatio,
      fingers: navigator.maxTouchPoints,
      coarse: matchMedia('(pointer: coarse)').matches,
      orientation: screen.orientation.type,
      agent: navigator.userAgent,
      languages: navigator.languages.join(),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      date: new Intl.DateTimeFormat().resolvedOptions().locale,
      notch: `${paddingTop} ${paddingLeft}`,
    };
  });

test('a page sees the device that was chosen before its first script: screen, fingers, language, time zone, notch', async ({
  workbench,
  games,
}) => {
  const device = deviceOf('iPhone 15');
  const page: PageSettings = { ...ownPage, device, lang: 'de-AT', timeZone: 'Asia/Tokyo' };
  const id = await games.open('/play', { page, bounds });
  await games.finished(1);
  const game = await games.page('/play');
  expect(await sightOf(game)).toEqual({
    size: '393 x 852',
    screen: '393 x 852',
    ratio: 3,
    fingers: 5,
    coarse: true,
    orientation: 'portrait-primary',
    agent: device.userAgent,
    languages: 'de-AT',
    zone: 'Asia/Tokyo',
    date: 'de-AT',
    notch: '59px 0px',
  });
  // What its server saw, and what its first script saw.
  expect(games.asked('/play')).toMatchObject({
    'user-agent': device.userAgent,
    'accept-language': expect.stringMatching(/^de-AT/),
  });
  expect(await game.evaluate(() => Reflect.get(globalThis, 'first') as string)).toBe('393 3 5 Asia/Tokyo');
  const [settings] = (await recorded(workbench, id)).filter(({ kind }) => kind === 'settings');
  expect(settings?.title).toBe(
    'Runs on iPhone 15 portrait, 393 x 852, pixel ratio 3, touch, safe area 59 0 34 0, language de-AT, time zone Asia/Tokyo, as its own page',
  );
  expect(settings?.detail).toContain('The engine is Chromium, not Safari.');

  await call(workbench, 'launches.setPage', { id, viewport: { width: 852, height: 393 }, page: { ...page, rotated: true } });
  // The size comes first, the rest a moment later.
  const sight = () => expect.poll(() => sightOf(game));
  await sight().toMatchObject({ size: '852 x 393', screen: '852 x 393', orientation: 'landscape-primary', notch: '0px 59px' });
  const { picture } = await call(workbench, 'launches.screenshot', { id });
  const { dataUrl } = await call(workbench, 'launches.picture', { id, number: picture?.number ?? 0 });
  expect(sizeOfPng(dataUrl)).toBe('852 x 393');
  // A desktop of an exact size, whatever room it has.
  const desktop = { ...ownPage, device: deviceOf('Desktop 1920 x 1080') };
  await call(workbench, 'launches.setPage', { id, viewport: { width: 1_920, height: 1_080 }, page: desktop });
  await sight().toMatchObject({ size: '1920 x 1080', ratio: 1, fingers: 0, coarse: false, notch: '0px 0px' });
  await call(workbench, 'launches.setPage', { id, viewport: { width: 197, height: 426 }, page: ownPage });
  await sight().toMatchObject({ size: '197 x 426', agent: expect.not.stringMatching(/iPhone|Electron|Croupier/) });
});

test('frames and workers of a page have its device, too', async ({ games }) => {
  const device = deviceOf('Pixel 8');
  await games.open('/family', { page: { ...ownPage, device, timeZone: 'Asia/Tokyo' }, bounds });
  const game = await games.page('/family');
  const told = () => game.evaluate(() => Reflect.get(globalThis, 'told') as string[]);
  await expect.poll(async () => (await told()).length).toBe(2);
  const agent = await game.evaluate(() => navigator.userAgent);
  expect(agent).toMatch(/Android 14; Pixel 8\).* Chrome\/\d+/);
  expect((await told()).toSorted()).toEqual([`frame ${agent} 5 Asia/Tokyo`, `worker ${agent}`]);
});

test('a slow network makes a game wait, until it is fast again', async ({ workbench, games }) => {
  const id = await games.open('/play', { page: { ...ownPage, network: 'slow 4G' }, bounds });
  await games.finished(1);
  const game = await games.page('/play');
  const ms = () =>
    game.evaluate(async () => {
      const start = performance.now();
      await (await fetch(`/blank?${Math.random()}`)).text();
      return performance.now() - start;
    });
  expect(await ms()).toBeGreaterThan(500);
  const [settings] = (await recorded(workbench, id)).filter(({ kind }) => kind === 'settings');
  expect(settings?.title).toMatch(/network slow 4G, a round trip took (?:5[6-9]|[6-9]\d|1\d\d)\d ms/);
  await call(workbench, 'launches.setPage', { id, viewport: { width: 197, height: 426 }, page: ownPage });
  await expect.poll(ms).toBeLessThan(500);
});

const embedding: Embedding = { origin: 'https://casino.example', cookies: 'allowed' };

test("third-party cookies are the operator's choice", async ({ workbench, games }) => {
  for (const [cookies, kept] of [
    ['allowed', 'c=1'],
    ['refused', ''],
  ] as const) {
    const id = await games.open('/posts', { page: ownPage, bounds, embedding: { ...embedding, cookies } });
    const frame = await games.frame('/posts');
    const set = () => frame.evaluate(() => ((document.cookie = 'c=1; SameSite=None; Secure'), document.cookie));
    expect(await set()).toBe(kept);
    await call(workbench, 'launches.close', { id });
  }
});

test.describe('over the whole Chromium', () => {
  // The shell does not tell of an operator's page that its frame has loaded.
  test.use({ doubleChromium: 'whole' });
  test("a game on an operator's page is judged as a game: its page, its messages, its exit", async ({ workbench, games }) => {
    const device = deviceOf('iPhone 15');
    const id = await games.open('/posts', { page: { ...ownPage, device }, bounds, embedding });
    const titles = () => games.titles(id);
    await expect.poll(titles).toContain('Loaded');
    expect(await titles()).toEqual(
      expect.arrayContaining([
        `Going to ${gameSite}/posts`,
        `${gameSite}/posts answered HTTP 200`,
        `Message from https://${gameSite}`,
      ]),
    );
    const message = (await recorded(workbench, id)).find(({ kind }) => kind === 'message');
    expect(message?.detail).toBe('{"type":"balance","amount":5}');
    const frame = await games.frame('/posts');
    expect(await frame.evaluate(() => [document.referrer, location.ancestorOrigins[0], self === top])).toEqual([
      'https://casino.example/',
      'https://casino.example',
      false,
    ]);
    // Chromium gives the frame of another site no pixel ratio: the record does not say that it has one.
    expect(await frame.evaluate(() => [innerWidth, navigator.maxTouchPoints, navigator.userAgent])).toEqual([
      393,
      5,
      device.userAgent,
    ]);
    expect((await titles()).join()).not.toContain('pixel ratio 3');
    const state = async () => (await call(workbench, 'launches.get', { id })).launch;
    const passed = async () => (await state()).verdict.results.filter((one) => one.state === 'passed').map(({ rule }) => rule);
    await expect
      .poll(passed, { timeout: 20_000 })
      .toEqual(expect.arrayContaining(['document', 'framing', 'hang', 'picture', 'ready', 'script']));
    await frame.evaluate(() => parent.postMessage('exit', '*'));
    await expect.poll(async () => (await state()).exited).toBe(true);
  });

  test("a game that refuses the operator's page says so, and one that names it is shown", async ({ workbench, games }) => {
    const first = async (path: string) => {
      const id = await games.open(path, { page: ownPage, bounds, embedding });
      await expect.poll(async () => (await games.titles(id)).length).toBeGreaterThan(1);
      return id;
    };
    const refused = await first('/only-other');
    await expect.poll(() => games.titles(refused)).toContain('The game refuses to be framed by https://casino.example');
    const { verdict } = (await call(workbench, 'launches.get', { id: refused })).launch;
    expect(verdict.results.find(({ rule }) => rule === 'framing')).toMatchObject({ state: 'failed' });
    await call(workbench, 'launches.close', { id: refused });
    const named = await first('/only-casino');
    await expect.poll(() => games.titles(named)).toContain('Loaded');
  });
});

/** Returns `852 x 393` of a PNG as a `data:` URL. */
function sizeOfPng(dataUrl: string | null): string {
  const bytes = Buffer.from((dataUrl ?? '').split(',')[1] ?? '', 'base64');
  return `${bytes.readUInt32BE(16)} x ${bytes.readUInt32BE(20)}`;
}
