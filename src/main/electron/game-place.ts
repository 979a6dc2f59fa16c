import type { ViewBounds } from '#shared/ipc/index.ts';
import { drawnWhole, type Size } from '#shared/whole-drawing.ts';

/** Where a view lies in its window, in the window's own pixels (DIPs), and how its page is zoomed there. */
export interface GamePlace {
  readonly bounds: ViewBounds;
  readonly zoom: number;
}

/**
 * Returns the place of a game in the hole that the workbench's page left for it. Bounds come in that page's CSS pixels, which are not the window's
 * while the page is zoomed by `pageZoom`. `viewport`: the CSS pixels that the game is to have; null while nobody has said.
 */
export function placeInWindow(hole: ViewBounds, viewport: Size | null, pageZoom: number): GamePlace {
  const [x, y] = [Math.round(hole.x * pageZoom), Math.round(hole.y * pageZoom)];
  const width = Math.round((hole.x + hole.width) * pageZoom) - x;
  const height = Math.round((hole.y + hole.height) * pageZoom) - y;
  const bounds = { x, y, width, height };
  if (viewport === null) return { bounds, zoom: pageZoom };
  // A few pixels less, where the game has exactly its own then; the page that left the hole could not know the window's.
  for (let drawn = width; drawn > width * 0.75; drawn -= 1) {
    const found = drawnWhole(viewport, drawn);
    if (found === null || found.drawn.height > height) continue;
    const [left, top] = [Math.floor((width - drawn) / 2), Math.floor((height - found.drawn.height) / 2)];
    return { bounds: { x: x + left, y: y + top, ...found.drawn }, zoom: justBelow(found.scale) };
  }
  return { bounds, zoom: justBelow(width / viewport.width) };
}

/** Chromium keeps a zoom less exactly than a number, and must never come out below a whole pixel. */
function justBelow(scale: number): number {
  return scale === 1 ? 1 : scale * (1 - 1e-6);
}
