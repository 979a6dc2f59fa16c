import type { ItemLayout } from '#renderer/ui/table-window.ts';

/** Layout of tiles in a box of a given width; all in pixels but the count. */
export interface GridLayout {
  readonly columns: number;
  readonly tileWidth: number;
}

/** Height of a tile, and the gap between tiles and around them; equal to the style sheet's. */
export const tileHeight = 168;
export const gap = 12;
const narrowest = 156;
const overscanRows = 2;

/** Returns as many columns as fit, with the tiles stretched to fill the row. */
export function layoutFor(width: number): GridLayout {
  const inner = Math.max(width - gap, narrowest + gap);
  const columns = Math.max(1, Math.floor(inner / (narrowest + gap)));
  return { columns, tileWidth: Math.floor(inner / columns) - gap };
}

/** Returns the height of the whole grid. */
export function gridHeight(count: number, { columns }: GridLayout): number {
  return Math.ceil(count / columns) * (tileHeight + gap) + gap;
}

/** Returns the columns as a grid template; the rest of the width stays free at the end. */
export function gridColumns({ columns, tileWidth }: GridLayout): string {
  return `repeat(${columns}, ${tileWidth}px)`;
}

/**
 * Returns the space of the tiles that are left out between a drawn tile (null before the first) and the next one: the height of the
 * whole rows among them, and the column of the next tile, undefined if it simply follows.
 */
export function gapBefore(
  before: number | null,
  index: number,
  { columns }: GridLayout,
): { readonly height: number; readonly column: number | undefined } {
  const last = before ?? -1;
  const rows = Math.floor(index / columns) - Math.floor(last / columns) - 1;
  return {
    height: rows > 0 ? rows * (tileHeight + gap) - gap : 0,
    column: index === last + 1 ? undefined : (index % columns) + 1,
  };
}

/** Returns the same layout for the window over the tiles. */
export function tileRows({ columns }: GridLayout): ItemLayout {
  return { columns, pitch: tileHeight + gap, lead: gap, overscan: overscanRows };
}

/** Returns the `scrollTop` at which a whole tile is in sight; the current one if it already is. */
export function scrollToTile(index: number, scrollTop: number, height: number, layout: GridLayout): number {
  const y = gap + Math.floor(index / layout.columns) * (tileHeight + gap);
  if (y - gap < scrollTop) return y - gap;
  return Math.max(scrollTop, y + tileHeight + gap - height);
}

/** Returns the tile that a key moves to, held at the ends; null if the key does not move. */
export function moveTile(key: string, current: number, count: number, columns: number, rowsPerPage: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  switch (key) {
    case 'ArrowRight':
      return Math.min(current + 1, last);
    case 'ArrowLeft':
      return Math.max(current - 1, 0);
    case 'ArrowDown':
      // Into the last row, even if it has no tile right below.
      return current + columns <= last ? current + columns : rowOf(current) < rowOf(last) ? last : current;
    case 'ArrowUp':
      return current - columns >= 0 ? current - columns : current;
    case 'PageDown':
      return Math.min(current + columns * rowsPerPage, last);
    case 'PageUp':
      return Math.max(current - columns * rowsPerPage, current % columns);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }

  function rowOf(index: number): number {
    return Math.floor(index / columns);
  }
}
