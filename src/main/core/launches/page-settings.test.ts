import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInDevices, ownPage } from '#shared/launches/devices.ts';
import type { PageSettings } from '#shared/model/device.ts';
import { bounds, createLaunchApp, type LaunchApp } from '#testing/launch-app.ts';

let test: LaunchApp;
beforeEach(async () => {
  test = await createLaunchApp('view');
});
afterEach(async () => {
  expect(test.faults).toEqual([]);
  await test.close();
});

const [device = null] = builtInDevices.filter(({ name }) => name === 'iPhone 15');
const viewport = { width: 393, height: 852 };
const embedding = { origin: 'https://casino.example', cookies: 'refused' } as const;

describe('the surroundings of a game', () => {
  it('reach the host, and the record says which they are', async () => {
    const { id } = await test.prepare();
    const page: PageSettings = { ...ownPage, device, lang: 'de-AT', network: 'slow 4G', slowdown: 4 };
    await test.client.call('launches.open', { id, bounds, page, embedding });
    expect(test.shown[0]?.options).toMatchObject({ page, embedding });
    test.shown[0]?.options.onEvent({ type: 'prepared', webgl: 'Mesa', roundTripMs: 566 });
    const [settings] = (await test.entriesOf(id)).filter(({ kind }) => kind === 'settings');
    expect(settings?.title).toBe(
      'Runs on iPhone 15 portrait, 393 x 852, touch, language de-AT, network slow 4G, a round trip took 566 ms, ' +
        'CPU 4 times slower, in a frame on a page of https://casino.example, third-party cookies refused',
    );
    expect(settings?.detail.split('\n')).toEqual([
      `User agent ${device?.userAgent}`,
      'The engine is Chromium, not Safari.',
      "Chromium gives a frame this computer's pixel ratio, screen and orientation, and no safe area.",
      'WebGL Mesa',
    ]);
  });

  it('are noted again when they change, and not when a game is only drawn at another size', async () => {
    const { id } = await test.prepare();
    await test.client.call('launches.open', { id, bounds });
    const set = (page: PageSettings) => test.client.call('launches.setPage', { id, viewport, page });
    expect(await set(ownPage)).toEqual({ done: true });
    await set({ ...ownPage, device });
    await set({ ...ownPage, device });
    await set({ ...ownPage, device, rotated: true });
    const changes = (await test.entriesOf(id)).filter(({ kind }) => kind === 'settings').map(({ title }) => title);
    expect(changes).toEqual([
      expect.stringMatching(/^From now on: iPhone 15 portrait, 393 x 852/),
      expect.stringMatching(/^From now on: iPhone 15 landscape, 852 x 393, .* safe area 0 59 21 59$/),
    ]);
  });

  it.each([
    ['a language', { page: { ...ownPage, lang: 'de_AT_' } }, /not a browser language/],
    ['a time zone', { page: { ...ownPage, timeZone: 'Mars' } }, /not a time zone/],
    ['an origin with a path', { embedding: { ...embedding, origin: 'https://casino.example/lobby' } }, /not an origin/],
    ['an origin without TLS', { embedding: { ...embedding, origin: 'http://casino.example' } }, /not an origin/],
  ])('are refused where %s is none', async (_, how, message) => {
    const { id } = await test.prepare();
    await expect(test.client.call('launches.open', { id, bounds, ...how })).rejects.toThrow(message);
    expect(test.shown).toEqual([]);
  });

  it('of a computer without WebGL leave a game unfinished that asks for it, and say nothing of others', async () => {
    const { id } = await test.prepare();
    await test.client.call('launches.open', { id, bounds });
    const tell = test.shown[0]?.options.onEvent ?? expect.fail('No view');
    tell({ type: 'prepared', webgl: null, roundTripMs: null });
    tell({ type: 'arrived', url: 'https://games.example/', status: 200 });
    const verdict = async () => (await test.get(id)).launch.verdict;
    const webgl = async () => (await verdict()).results.find(({ rule }) => rule === 'webgl');
    expect(await webgl()).toMatchObject({ state: 'not observed' });
    const text = 'Uncaught Error: WebGL is not supported';
    tell({ type: 'console', level: 'error', text, source: '', line: 1 });
    expect(await webgl()).toMatchObject({
      state: 'to check',
      message: "The game asks for WebGL, which isn't available on this computer",
    });
    expect((await verdict()).state).toBe('unfinished');
    tell({ type: 'crash', reason: 'crashed' });
    expect((await verdict()).state).toBe('failed');
  });
});

describe('the devices to choose from', () => {
  const own = { name: 'Lobby terminal', width: 1_080, height: 1_920, touch: true };
  const lists = async () => (await test.client.call('launches.devices', {})).lists;

  it('are those of Croupier, of the home and of each opened collection', async () => {
    expect(await lists()).toEqual([{ from: '', devices: builtInDevices, problem: null }]);
    const directory = join(test.home, 'team');
    await mkdir(directory);
    await test.client.call('collections.open', { directory });
    await writeFile(join(directory, 'devices.json'), `\uFEFF${JSON.stringify({ devices: [own] })}`);
    await writeFile(join(test.home, 'devices.json'), JSON.stringify({ devices: [{ ...own, name: 'Mine', pixelRatio: 2 }] }));
    const [, home, team] = await lists();
    const none = { top: 0, right: 0, bottom: 0, left: 0 };
    const rest = { userAgent: '', insets: { upright: none, onItsSide: none } };
    expect(home).toEqual({ from: 'This computer', devices: [{ ...own, ...rest, name: 'Mine', pixelRatio: 2 }], problem: null });
    expect(team).toEqual({ from: 'team', devices: [{ ...own, ...rest, pixelRatio: 1 }], problem: null });
  });

  it.each([
    ['{"devices": [', /devices\.json, line 1, column \d+: /],
    ['{"devices": [{"name": "A", "width": 1}]}', /devices\.json, devices, number 1, (?:width|height): /],
    ['{"devices": [{"name": "A", "width": 400, "height": 800, "run": "x"}]}', /devices\.json, devices, number 1: .*run/],
  ])('say where a file of them is wrong: %s', async (text, message) => {
    await writeFile(join(test.home, 'devices.json'), text);
    const [, home] = await lists();
    expect(home).toMatchObject({ from: 'This computer', devices: [], problem: expect.stringMatching(message) as unknown });
  });
});
