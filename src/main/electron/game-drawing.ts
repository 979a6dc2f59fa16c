import type { BrowserWindow, WebContentsView } from 'electron';
import type { GameViewOptions } from '#core/host/host.ts';
import type { ViewBounds } from '#shared/ipc/index.ts';
import { screenOf } from '#shared/launches/devices.ts';
import type { PageSettings } from '#shared/model/device.ts';
import { type Size, drawnWhole } from '#shared/whole-pixels.ts';
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

/** Bounds of a view in its window, in the window's pixels (DIPs), and the zoom of its page. */
interface GamePlace {
  readonly bounds: ViewBounds;
  readonly zoom: number;
}

/**
 * Returns the bounds of a game in the hole that the workbench's page left for it. The hole is in the page's CSS pixels, which differ from the
 * window's if the page is zoomed by `pageZoom`. `viewport`: the size in CSS pixels that the game sees; null if it is not set.
 */
export function placeInWindow(hole: ViewBounds, viewport: Size | null, pageZoom: number): GamePlace {
  const [x, y] = [Math.round(hole.x * pageZoom), Math.round(hole.y * pageZoom)];
  const width = Math.round((hole.x + hole.width) * pageZoom) - x;
  const height = Math.round((hole.y + hole.height) * pageZoom) - y;
  const bounds = { x, y, width, height };
  if (viewport === null) return { bounds, zoom: pageZoom };
  // Tries a few pixels less for an exact viewport, because the page does not know the window's pixels.
  for (let drawn = width; drawn > width * 0.75; drawn -= 1) {
    const found = drawnWhole(viewport, drawn);
    if (found === null || found.drawn.height > height) continue;
    const [left, top] = [Math.floor((width - drawn) / 2), Math.floor((height - found.drawn.height) / 2)];
    return { bounds: { x: x + left, y: y + top, ...found.drawn }, zoom: justBelow(found.scale) };
  }
  return { bounds, zoom: justBelow(width / viewport.width) };
}

/** Lowers a zoom slightly, because Chromium stores it less exactly, and rounding must lose no pixel. */
function justBelow(scale: number): number {
  return scale === 1 ? 1 : scale * (1 - 1e-6);
}
