import type { BrowserWindow, WebContentsView } from 'electron';
import type { GameViewOptions } from '#core/host/host.ts';
import type { ViewBounds } from '#shared/ipc/index.ts';
import { screenOf } from '#shared/launches/devices.ts';
import type { PageSettings } from '#shared/model/device.ts';
import type { Size } from '#shared/whole-pixels.ts';
import { placeInWindow } from './game-place.ts';
import type { Surroundings } from './game-surroundings.ts';

/** The part of a game's page that a picture shows: all of it. */
export interface Pictured {
  /** In the pixels of the page as it is laid out. */
  readonly size: Size;
  /** In pixels of the picture per pixel of `size`, for a picture of the size that the page sees. */
  readonly scale: number;
}

/**
 * A game's place over the window, and the size that its page sees there. Draws a device at any size, and a page without one with the
 * pixels of its place, zoomed.
 */
export function createDrawing(
  window: Pick<BrowserWindow, 'isDestroyed' | 'webContents'>,
  view: Pick<WebContentsView, 'setBounds' | 'webContents'>,
  surroundings: Pick<Surroundings, 'set' | 'draw'>,
  options: Pick<GameViewOptions, 'bounds' | 'page'>,
) {
  let hole = options.bounds;
  let { page } = options;
  let viewport: Size | null = null;

  function place() {
    const pageZoom = window.isDestroyed() ? 1 : window.webContents.getZoomFactor();
    const placed = placeInWindow(hole, page.device === null ? viewport : null, pageZoom);
    return page.device === null ? placed : { ...placed, zoom: 1 };
  }
  /** Lays the page into its place once more. */
  function lay(): void {
    const { bounds, zoom } = place();
    view.setBounds(bounds);
    view.webContents.setZoomFactor(zoom);
    surroundings.draw(bounds.width);
  }
  view.setBounds(place().bounds);
  return {
    lay,
    setBounds(bounds: ViewBounds): void {
      hole = bounds;
      lay();
    },
    setPage(size: Size, next: PageSettings): void {
      viewport = size;
      page = next;
      lay();
      surroundings.set(page);
    },
    /** Null while it has no size. */
    picture(): Pictured | null {
      const { bounds } = place();
      if (bounds.width === 0 || bounds.height === 0) return null;
      const { device, rotated } = page;
      if (device === null) return zoomed(bounds, viewport ?? bounds);
      return { size: screenOf(device, rotated), scale: 1 / device.pixelRatio };
    },
  };
}

/** Returns the picture of a page that is drawn in `drawn` pixels, zoomed, and sees a size of `viewport`. */
export function zoomed({ width, height }: Size, viewport: Size): Pictured {
  return { size: { width, height }, scale: scaleTo({ width, height }, viewport) };
}

/** Returns the scale at which both sides round to those of the viewport; otherwise that of the width. */
function scaleTo({ width, height }: Size, viewport: Size): number {
  const scale = viewport.width / width;
  const least = Math.max((viewport.width - 0.5) / width, (viewport.height - 0.5) / height);
  const most = Math.min((viewport.width + 0.5) / width, (viewport.height + 0.5) / height);
  if (least >= most) return scale;
  return scale >= least && scale < most ? scale : (least + most) / 2;
}
