import type { WebContents } from 'electron';
import { replyWithin } from '#core/host/within.ts';
import type { GamePicture } from '#core/host/host.ts';
import type { Pictured } from './game-drawing.ts';
import type { Clip, Surroundings } from './game-surroundings.ts';

/** Most milliseconds for a picture. Chromium waits forever for a page that draws nothing (electron/electron#36376). */
const picturedMs = 5_000;

/** Longest side of a small picture in pixels, and the quality of its JPEG. */
const [longestSide, quality] = [640, 70];

/**
 * Takes a picture of a page at its own size, or a small one, however small it is drawn. `capturePage` copies the drawn pixels; the protocol's command draws the
 * page once more with `scale`, from the same layout, so that the page notices nothing.
 */
export async function takePicture(
  contents: Pick<WebContents, 'debugger' | 'isDestroyed' | 'isCrashed'>,
  surroundings: Pick<Surroundings, 'picture'>,
  { size, scale }: Pictured,
  wanted: 'whole' | 'small',
): Promise<GamePicture> {
  if (contents.isDestroyed() || contents.isCrashed()) return { failure: 'gone' };
  try {
    // Developer tools may have detached the debugger.
    if (!contents.debugger.isAttached()) contents.debugger.attach();
    const clip = { x: 0, y: 0, ...size, scale };
    const taken = wanted === 'whole' ? surroundings.picture(clip) : surroundings.picture(scaledTo(longestSide, clip), quality);
    taken.catch(() => undefined);
    const image = await replyWithin(picturedMs, taken);
    if (image === null) return { failure: 'late' };
    return image === '' ? { failure: 'refused' } : { image: Buffer.from(image, 'base64') };
  } catch {
    return { failure: contents.isDestroyed() || contents.isCrashed() ? 'gone' : 'refused' };
  }
}

/** Returns a part of a page whose picture has no longer side than that. */
export function scaledTo(longest: number, clip: Clip): Clip {
  // The pictured screen may have several pixels for one of the page.
  const side = Math.max(1, clip.width * clip.scale, clip.height * clip.scale);
  return { ...clip, scale: clip.scale * Math.min(1, longest / side) };
}
