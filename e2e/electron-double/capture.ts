import type { CdpSession } from './cdp.ts';
import { createNativeImage } from './native-image.ts';
import type { Visibility } from './visibility.ts';

/** A page that pictures are taken of. `place` is its size on the screen; null if it was never set. */
export interface Pictured {
  readonly visibility: Visibility;
  readonly place: { readonly width: number; readonly height: number } | null;
  cdp(): Promise<CdpSession>;
  getZoomFactor(): number;
}

/** `Page.Viewport` of the protocol. */
interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/**
 * Takes a picture as `WebContents::CapturePage` does: empty without a size, rejected while nothing is drawn, else as large as the
 * page is drawn.
 */
export async function capturePage(page: Pictured): Promise<ReturnType<typeof createNativeImage>> {
  const cdp = await page.cdp();
  const { place } = page;
  if (place !== null && (place.width === 0 || place.height === 0)) return createNativeImage(Buffer.alloc(0));
  if (page.visibility.isHidden()) throw new Error('Current display surface not available for capture');
  const clip = place === null ? {} : { clip: inPage(page, { x: 0, y: 0, ...place, scale: 1 }) };
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'png', ...clip });
  return createNativeImage(Buffer.from(data, 'base64'));
}

/** Runs the protocol's own command for the app. While nothing is drawn it waits, forever if need be. */
export async function captureScreenshot(page: Pictured, values: { readonly clip?: Clip }): Promise<unknown> {
  const cdp = await page.cdp();
  await page.visibility.whenShown();
  const { clip, ...rest } = values;
  return cdp.send('Page.captureScreenshot', { ...rest, ...(clip === undefined ? {} : { clip: inPage(page, clip) }) });
}

/**
 * Converts a clip, which is measured on the screen. There a page of Electron's is zoomed; the double's has more CSS pixels instead.
 */
function inPage(page: Pictured, { x, y, width, height, scale }: Clip): Clip {
  const zoom = page.getZoomFactor();
  return { x: x / zoom, y: y / zoom, width: width / zoom, height: height / zoom, scale: scale * zoom };
}
