import type { CdpSession } from './cdp.ts';
import type { Visibility } from './visibility.ts';

/** A page that pictures are taken of. */
export interface Pictured {
  readonly visibility: Visibility;
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
