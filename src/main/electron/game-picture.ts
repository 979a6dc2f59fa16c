import type { WebContents } from 'electron';
import { replyWithin } from '#core/time/within.ts';
import type { GamePicture } from '#core/host/host.ts';
import type { Pictured } from './game-drawing.ts';
import type { Surroundings } from './game-surroundings.ts';

/** Most milliseconds for a picture. Chromium waits forever for a page that draws nothing (electron/electron#36376). */
const picturedMs = 5_000;

/**
 * Takes a picture of a page at its own size, however small it is drawn. `capturePage` copies the drawn pixels; the protocol's command draws the
 * page once more with `scale`, from the same layout, so that the page notices nothing.
 */
export async function takePicture(
  contents: Pick<WebContents, 'debugger' | 'isDestroyed' | 'isCrashed'>,
  surroundings: Pick<Surroundings, 'picture'>,
  { size, scale }: Pictured,
): Promise<GamePicture> {
  if (contents.isDestroyed() || contents.isCrashed()) return { failure: 'gone' };
  try {
    // Developer tools may have detached the debugger.
    if (!contents.debugger.isAttached()) contents.debugger.attach();
    const taken = surroundings.picture({ x: 0, y: 0, ...size, scale });
    taken.catch(() => undefined);
    const png = await replyWithin(picturedMs, taken);
    if (png === null) return { failure: 'late' };
    return png === '' ? { failure: 'refused' } : { png: Buffer.from(png, 'base64') };
  } catch {
    return { failure: contents.isDestroyed() || contents.isCrashed() ? 'gone' : 'refused' };
  }
}
