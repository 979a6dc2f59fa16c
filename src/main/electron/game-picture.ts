import type { WebContents } from 'electron';
import { within } from '#core/time/within.ts';
import type { GamePicture } from '#core/host/host.ts';
import type { Pictured } from './game-drawing.ts';

/** Most milliseconds for a picture. Chromium waits forever for a page that draws nothing (electron/electron#36376). */
const picturedMs = 5_000;

/**
 * Takes a picture of a page at its own size, however small it is drawn. `capturePage` copies the drawn pixels; the protocol's command draws the
 * page once more with `scale`, from the same layout, so that the page notices nothing.
 */
export async function takePicture(
  contents: Pick<WebContents, 'debugger' | 'isDestroyed' | 'isCrashed'>,
  { size, scale }: Pictured,
): Promise<GamePicture> {
  if (contents.isDestroyed() || contents.isCrashed()) return { failure: 'gone' };
  const clip = { x: 0, y: 0, ...size, scale };
  try {
    // Developer tools may have detached the debugger.
    if (!contents.debugger.isAttached()) contents.debugger.attach();
    const taken = contents.debugger.sendCommand('Page.captureScreenshot', { format: 'png', clip });
    taken.catch(() => undefined);
    const got = (await within(picturedMs, taken)) as { readonly data: string } | null;
    if (got === null) return { failure: 'late' };
    return got.data === '' ? { failure: 'refused' } : { png: Buffer.from(got.data, 'base64') };
  } catch {
    return { failure: contents.isDestroyed() || contents.isCrashed() ? 'gone' : 'refused' };
  }
}
