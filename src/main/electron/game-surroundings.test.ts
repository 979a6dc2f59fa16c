import { expect, it } from 'vitest';
import { builtInDevices, ownPage } from '#shared/launches/devices.ts';
import { createSurroundings } from './game-surroundings.ts';

const clip = { x: 0, y: 0, width: 390, height: 844, scale: 1 };

/** Surroundings over a line on which each picture waits until it is given; a picture that Chromium refuses is null. */
function surrounded() {
  const sent: string[] = [];
  const pictures: PromiseWithResolvers<{ readonly data: string }>[] = [];
  const line = {
    on: () => undefined,
    sendCommand(method: string) {
      sent.push(method);
      if (method !== 'Page.captureScreenshot') return Promise.resolve({});
      const picture = Promise.withResolvers<{ readonly data: string }>();
      pictures.push(picture);
      return picture.promise;
    },
  };
  const session = { enableNetworkEmulation: () => undefined, disableNetworkEmulation: () => undefined };
  const options = { url: 'https://g.example/', page: ownPage, embedding: null, onEvent: () => undefined };
  const surroundings = createSurroundings(line as never, session as never, options);
  const metrics = () => sent.filter((method) => method.endsWith('DeviceMetricsOverride'));
  return { surroundings, pictures, metrics };
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
