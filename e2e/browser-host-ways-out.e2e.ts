import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { root } from './program.ts';
import { inFrame } from './ways-out/framed.ts';
import { wayNames } from './ways-out/ways.ts';

/**
 * Tests the page that tries every way out, as a game in a frame of the browser host, in a real Chromium. docs/ways-out.md lists the
 * results. There the app cannot refuse a connection of the game's: the browser decides.
 */

/** Returns the names in the line of the documentation that begins with `start`. */
async function told(start: string): Promise<string[]> {
  const text = (await readFile(path.join(root, 'docs', 'ways-out.md'), 'utf8')).replace(/\n {2}/g, ' ');
  const line = text.split('\n').find((one) => one.startsWith(start)) ?? '';
  const found: string[] = [];
  let rest = line.slice(start.length);
  for (const name of wayNames.toSorted((one, other) => other.length - one.length)) {
    if (!rest.includes(name)) continue;
    rest = rest.replace(name, '');
    found.push(name);
  }
  return wayNames.filter((name) => found.includes(name));
}

test('a game from the internet connects to this computer, and what it sends is held back by Chromium, but for WebRTC', async () => {
  const through = await told('- Sent all the same: ');
  await inFrame('internet', async ({ targets, tryAll }) => {
    await tryAll();
    // They are held back, not unsent: the connections arrive.
    await expect.poll(() => targets.reached().length).toBeGreaterThanOrEqual(56);
    await expect.poll(() => targets.asked()).toEqual(through);
  });
});

test('a game on this computer reaches it by nearly every way there is', async () => {
  const not = await told('- Not sent to this computer by a game on it, either: ');
  await inFrame('here', async ({ targets, tryAll }) => {
    await tryAll();
    await expect.poll(() => targets.asked()).toEqual(wayNames.filter((name) => !not.includes(name)));
  });
});

test('a game opens no window, leaves no frame and has only what a game needs', async () => {
  await inFrame('internet', async ({ page, game }) => {
    const features = await game.evaluate(() => {
      const { featurePolicy } = document as unknown as { featurePolicy: { allowedFeatures(): string[] } };
      return featurePolicy.allowedFeatures();
    });
    expect(features).toEqual(expect.arrayContaining(['autoplay', 'fullscreen', 'screen-wake-lock']));
    for (const name of ['local-network-access', 'local-network', 'loopback-network', 'camera', 'geolocation', 'clipboard-read'])
      expect(features).not.toContain(name);
    const elsewhere = 'https://elsewhere.example/';
    expect(await game.evaluate((url) => [window.open(url), window.open(url, 'name')], elsewhere)).toEqual([null, null]);
    for (const target of ['top', 'parent'] as const) {
      const outcome = game.evaluate(
        ([name, url]) => {
          (Reflect.get(globalThis, name ?? '') as Window).location.href = url ?? '';
        },
        [target, elsewhere],
      );
      await expect(outcome).rejects.toThrow(/SecurityError|sandboxed/);
    }
    // A dialog would stay open, and Playwright would report a download.
    const told: string[] = [];
    page.on('dialog', (dialog) => void (told.push(dialog.type()), dialog.dismiss()));
    page.on('download', (download) => told.push(download.url()));
    await game.evaluate(() => {
      alert('x');
      Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'x' }).click();
    });
    const ours = page.url();
    await game.evaluate((url) => void window.open(url, '_self'), elsewhere);
    await expect
      .poll(() =>
        page
          .frames()
          .map((frame) => frame.url())
          .filter((url) => url.includes('elsewhere')),
      )
      .toEqual([]);
    await expect.poll(() => page.frames().at(-1)?.url()).toMatch(/^chrome-error:/);
    expect(page.url()).toBe(ours);
    expect(told).toEqual([]);
    expect(
      page
        .context()
        .pages()
        .filter((one) => one.url() !== 'about:blank'),
    ).toHaveLength(1);
  });
});
