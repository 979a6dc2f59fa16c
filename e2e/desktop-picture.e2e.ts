import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, expect, test } from '@playwright/test';
import { zoomed } from '../src/main/electron/game-drawing.ts';
import { takePicture } from '../src/main/electron/game-picture.ts';
import type { Clip } from '../src/main/electron/game-surroundings.ts';
import { launchOptions } from './chromium.ts';

/** A page with four corners and a line of one pixel, which records the sizes that it gets. */
const page = `data:text/html,<body style="margin:0"><style>
  i { position: fixed; width: 10px; height: 10px; background: rgb(255 0 0) }
  b { position: fixed; left: 0; right: 0; top: 50px; height: 1px; background: rgb(0 0 255) }
</style><i style="left:0;top:0"></i><i style="right:0;bottom:0"></i><b></b><script>
  const heard = [];
  for (const name of ['resize', 'visibilitychange', 'blur']) addEventListener(name, () => heard.push(name), { capture: true });
</script>`;

/** The double imitates a page's zoom. Here it is Chromium's own, as a game's is on Electron. */
for (const zoom of [0.69, 1.5]) {
  test(`a picture of a page that Chromium zooms by ${zoom} has the page's own size, and the page hears nothing of it`, async () => {
    const profile = await mkdtemp(path.join(tmpdir(), 'croupier-picture-'));
    await mkdir(path.join(profile, 'Default'));
    // Chromium keeps zooms as powers of 1.2.
    const preferences = { partition: { default_zoom_level: { x: Math.log(zoom) / Math.log(1.2) } } };
    await writeFile(path.join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
    const context = await chromium.launchPersistentContext(profile, { ...launchOptions(), viewport: null });
    try {
      const [shown] = context.pages();
      if (shown === undefined) throw new Error('Chromium has no page.');
      await shown.goto(page);
      const { width, height, ratio } = await shown.evaluate(() => ({
        width: innerWidth,
        height: innerHeight,
        ratio: devicePixelRatio,
      }));
      expect(ratio).toBeCloseTo(zoom, 5);
      const cdp = await context.newCDPSession(shown);
      const contents = { isDestroyed: () => false, isCrashed: () => false, debugger: { isAttached: () => true } } as never;
      const surroundings = {
        picture: async (clip: Clip) => (await cdp.send('Page.captureScreenshot', { format: 'png', clip })).data,
      };
      const drawn = { x: 0, y: 0, width: Math.round(width * zoom), height: Math.round(height * zoom) };
      const picture = await takePicture(contents, surroundings, zoomed(drawn, { width, height }), 'whole');
      if ('failure' in picture) throw new Error(picture.failure);
      const colours = await shown.evaluate(
        async ([base64, w, h]) => {
          const image = new Image();
          image.src = `data:image/png;base64,${base64}`;
          await image.decode();
          const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
          const pencil = canvas.getContext('2d');
          pencil?.drawImage(image, 0, 0);
          const at = (x: number, y: number) => [...(pencil?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3);
          return {
            size: [image.naturalWidth, image.naturalHeight],
            corners: [at(2, 2), at(w - 3, h - 3)],
            middle: at(w / 2, h / 2),
          };
        },
        [Buffer.from(picture.image).toString('base64'), width, height] as const,
      );
      const red = [255, 0, 0];
      expect(colours).toMatchObject({ size: [width, height], corners: [red, red], middle: [255, 255, 255] });
      expect(await shown.evaluate('heard')).toEqual([]);
    } finally {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}
