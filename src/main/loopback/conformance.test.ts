import { createTestApp } from '#testing/app.ts';
import { runConformance } from '#testing/conformance.ts';
import { openLoopbackPage } from '#testing/loopback-page.ts';
import { createFrames } from './game-frames.ts';

runConformance(
  'browser host',
  async () => {
    const frames = createFrames(() => performance.now());
    const { app, close } = await createTestApp({ sandbox: true, host: { gameFrames: frames } });
    const page = await openLoopbackPage(app, frames);
    return {
      transport: page.transport,
      async close() {
        await page.close();
        await close();
      },
    };
  },
  8,
);
