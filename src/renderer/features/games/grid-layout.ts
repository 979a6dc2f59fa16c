import type { ItemLayout } from '#renderer/ui/table-window.ts';

/** Where tiles stand in a box of a given width; all in pixels but the count. */
export interface GridLayout {
  readonly columns: number;
  readonly tileWidth: number;
}

/** Height of a tile, and the gap between tiles and around them; equal to the style sheet's. */
export const tileHeight = 184;
export const gap = 12;
const narrowest = 156;
const overscanRows = 2;

/** As many columns as fit, with the tiles stretched to fill the row. */
export function layoutFor(width: number): GridLayout {
  const inner = Math.max(width - gap, narrowest + gap);
  const columns = Math.max(1, Math.floor(inner / (narrowest + gap)));
  return { columns, tileWidth: Math.floor(inner / columns) - gap };
}

/** Height of the whole grid. */
export function gridHeight(count: number, { columns }: GridLayout): number {
  return Math.ceil(count / columns) * (tileHeight + gap) + gap;
}

/** Top left corner of a tile. */
export function tilePlace(index: number, { columns, tileWidth }: GridLayout): { x: number; y: number } {
  return {
    x: gap + (index % columns) * (tileWidth + gap),
    y: gap + Math.floor(index / columns) * (tileHeight + gap),
  };
}

/** The same for the window over the tiles. */
export function tileRows({ columns }: GridLayout): ItemLayout {
  return { columns, pitch: tileHeight + gap, lead: gap, overscan: overscanRows };
}

/** Where to scroll so that a whole tile is in sight; where it is already, if it is. */
export function scrollToTile(index: number, scrollTop: number, height: number, layout: GridLayout): number {
  const { y } = tilePlace(index, layout);
  if (y - gap < scrollTop) return y - gap;
  return Math.max(scrollTop, y + tileHeight + gap - height);
}

/** The tile that a key moves to, held at the ends; null where the key does not move. */
export function moveTile(key: string, current: number, count: number, columns: number, rowsPerPage: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  switch (key) {
    case 'ArrowRight':
      return Math.min(current + 1, last);
    case 'ArrowLeft':
      return Math.max(current - 1, 0);
    case 'ArrowDown':
      // Into the last row even where it has no tile right below.
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
