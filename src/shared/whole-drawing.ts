/** Whole pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The drawing of that width at which a page gets the CSS pixels of `viewport` to the last one; null where that width has none. A view has
 * whole pixels, and Chromium cuts what dividing them by the zoom leaves over, so that most widths lose or add one or two in height.
 */
export function drawnWhole(viewport: Size, width: number): { readonly drawn: Size; readonly scale: number } | null {
  const scale = width / viewport.width;
  const height = Math.ceil(viewport.height * scale);
  return height / scale < viewport.height + 1 ? { drawn: { width, height }, scale } : null;
}
