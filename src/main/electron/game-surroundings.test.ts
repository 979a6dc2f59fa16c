import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { GameViewEvent } from '#core/host/host.ts';
import { builtInDevices, ownPage } from '#shared/launches/devices.ts';
import type { PageSettings } from '#shared/model/device.ts';
import { chromeAgent, createSurroundings } from './game-surroundings.ts';

const clip = { x: 0, y: 0, width: 390, height: 844, scale: 1 };

interface Sent {
  readonly method: string;
  readonly values: object;
  readonly target: string;
}

/** Surroundings over a line on which each picture waits until it is given; a picture that Chromium refuses is null. */
function surrounded(page: PageSettings = ownPage) {
  const sent: Sent[] = [];
  const events: GameViewEvent[] = [];
  const listeners: ((event: object, method: string, values: object, from: string) => void)[] = [];
  const pictures: PromiseWithResolvers<{ readonly data: string }>[] = [];
  const line = {
    on: (_name: string, listener: (typeof listeners)[number]) => void listeners.push(listener),
    sendCommand(method: string, values: object = {}, target = '') {
      sent.push({ method, values, target });
      if (method === 'Runtime.evaluate')
        return Promise.resolve({ result: { value: 'awaitPromise' in values ? 2_003 : { agent: '', webgl: 'Mesa' } } });
      if (method !== 'Page.captureScreenshot') return Promise.resolve({});
      const picture = Promise.withResolvers<{ readonly data: string }>();
      pictures.push(picture);
      return picture.promise;
    },
  };
  const options = {
    url: 'https://g.example/',
    page,
    embedding: null,
    onEvent: (event: GameViewEvent) => void events.push(event),
  };
  const surroundings = createSurroundings(line as never, options);
  const metrics = () => sent.map(({ method }) => method).filter((method) => method.endsWith('DeviceMetricsOverride'));
  const tell = (method: string, values: object) => {
    for (const listener of listeners) listener({}, method, values, '');
  };
  return { surroundings, pictures, metrics, sent, events, tell, line };
}

it('takes pictures of a page one after the other, and goes on after one that failed', async () => {
  const { surroundings, pictures } = surrounded();
  const [first, second] = [surroundings.picture(clip), surroundings.picture(clip)];
  await expect.poll(() => pictures.length).toBe(1);
  pictures[0]?.reject(new Error('Unable to capture screenshot'));
  await expect(first).rejects.toThrow('Unable to capture screenshot');
  await expect.poll(() => pictures.length).toBe(2);
  pictures[1]?.resolve({ data: 'png' });
  expect(await second).toBe('png');
});

it('gives the page the metrics once more that changed while a picture was taken, and only those', async () => {
  const { surroundings, pictures, metrics } = surrounded();
  const first = surroundings.picture(clip);
  await expect.poll(() => pictures.length).toBe(1);
  pictures[0]?.resolve({ data: 'png' });
  await first;
  expect(metrics()).toEqual([]);

  const second = surroundings.picture(clip);
  await expect.poll(() => pictures.length).toBe(2);
  surroundings.set({ ...ownPage, device: builtInDevices[0] ?? null });
  expect(metrics()).toEqual(['Emulation.setDeviceMetricsOverride']);
  pictures[1]?.resolve({ data: 'png' });
  await second;
  expect(metrics()).toEqual(['Emulation.setDeviceMetricsOverride', 'Emulation.setDeviceMetricsOverride']);
});

describe('the network of a page', () => {
  it('is slowed for it and for each target below it, measured before the game, and given back', async () => {
    const { surroundings, sent, tell } = surrounded({ ...ownPage, network: '3G' });
    expect(await surroundings.prepare(() => Promise.resolve())).toEqual({ webgl: 'Mesa', roundTripMs: 2_003 });
    tell('Target.attachedToTarget', { sessionId: 'frame', targetInfo: { type: 'iframe' } });
    tell('Target.attachedToTarget', { sessionId: 'worker', targetInfo: { type: 'worker' } });
    const given = () => sent.filter(({ method }) => method === 'Network.emulateNetworkConditions');
    const slow = { offline: false, latency: 2_000, downloadThroughput: 50_000, uploadThroughput: 50_000 };
    expect(given().map(({ values, target }) => [values, target])).toEqual(
      ['', 'frame', 'worker'].map((target) => [slow, target]),
    );
    surroundings.set(ownPage);
    expect(given().at(-1)?.values).toEqual({ ...slow, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  });

  it('is not measured while it is as fast as it is', async () => {
    const { surroundings } = surrounded();
    expect(await surroundings.prepare(() => Promise.resolve())).toEqual({ webgl: 'Mesa', roundTripMs: null });
  });
});

it('gives the page and its frames language, time zone, touch and processor, and their workers none of these', async () => {
  const { surroundings, sent, tell } = surrounded();
  tell('Target.attachedToTarget', { sessionId: 'frame', targetInfo: { type: 'iframe' } });
  tell('Target.attachedToTarget', { sessionId: 'worker', targetInfo: { type: 'worker' } });
  await expect.poll(() => sent.filter(({ method }) => method === 'Runtime.runIfWaitingForDebugger')).toHaveLength(2);
  const given = async (page: PageSettings) => {
    sent.length = 0;
    surroundings.set(page);
    await new Promise((resolve) => setImmediate(resolve));
    const names = /^Emulation\.set(?:Locale|Timezone|TouchEm|Emit|CPU)/;
    return Object.entries(Object.groupBy(sent, ({ target }) => target)).map(([target, all = []]) => [
      target,
      ...all.filter(({ method }) => names.test(method)).map(({ values }) => values),
    ]);
  };
  const phone = [
    { locale: 'de' },
    { timezoneId: 'Europe/Malta' },
    { enabled: true, maxTouchPoints: 5 },
    { enabled: true, configuration: 'mobile' },
    { rate: 4 },
  ];
  const device = builtInDevices.find(({ touch }) => touch) ?? null;
  expect(await given({ ...ownPage, device, lang: 'de', timeZone: 'Europe/Malta', slowdown: 4 })).toEqual([
    ['', ...phone],
    ['frame', ...phone],
    ['worker'],
  ]);
  const own = [{}, { timezoneId: '' }, { enabled: false }, { enabled: false }, { rate: 1 }];
  expect(await given(ownPage)).toEqual([['', ...own], ['frame', ...own], ['worker']]);
});

it('tells of a game that wants to print', () => {
  const { tell, events } = surrounded();
  tell('Runtime.bindingCalled', { name: 'croupierPrint' });
  tell('Runtime.bindingCalled', { name: 'croupierMessage' });
  expect(events).toEqual([{ type: 'dialog', dialog: 'print', text: '' }]);
});

it('shows a game the user agent of Chrome', () => {
  const system = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)';
  expect(chromeAgent(`${system} Croupier/0.1.0 Chrome/156.0.1.2 Electron/45.4.1 Safari/537.36`)).toBe(
    `${system} Chrome/156.0.1.2 Safari/537.36`,
  );
});

it('holds the debugger: Electron ends when it is collected while it is attached', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { surroundings, line } = (() => {
    const { line: held, ...rest } = surrounded();
    return { ...rest, line: new WeakRef(held) };
  })();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(line.deref()).toBeDefined();
  surroundings.set(ownPage);
});
