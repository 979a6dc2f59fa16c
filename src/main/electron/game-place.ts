import type { ViewBounds } from '#shared/ipc/index.ts';
import { drawnWhole, type Size } from '#shared/whole-pixels.ts';

/** Bounds of a view in its window, in the window's pixels (DIPs), and the zoom of its page. */
export interface GamePlace {
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
