/** A size in whole pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the drawing of that width at which a page gets exactly the CSS pixels of `viewport`; null if there is none. A view has
 * whole pixels, and Chromium drops the fraction after dividing them by the zoom, so that most widths lose or add a pixel or two in height.
 */
export function drawnWhole(viewport: Size, width: number): { readonly drawn: Size; readonly scale: number } | null {
  const scale = width / viewport.width;
  const height = Math.ceil(viewport.height * scale);
  return height / scale < viewport.height + 1 ? { drawn: { width, height }, scale } : null;
}
