/** Which column a table is sorted by, and whether it goes up. */
export interface SortState {
  readonly column: string;
  readonly direction: 'up' | 'down';
}

/** Indexes from `start` up to, not including, `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** The rows in sight of a scrolled box, with `overscan` more at both ends; all in pixels but the counts. */
export function rowsInSight(scrollTop: number, height: number, rowHeight: number, count: number, overscan: number): RowRange {
  const first = Math.floor(scrollTop / rowHeight) - overscan;
  const last = Math.ceil((scrollTop + height) / rowHeight) + overscan;
  const start = Math.min(Math.max(first, 0), count);
  return { start, end: Math.max(Math.min(last, count), start) };
}

/** The indexes to draw: those of the range, and the row that holds the focus wherever it is. */
export function indexesToDraw({ start, end }: RowRange, active: number, count: number): number[] {
  const indexes = Array.from({ length: Math.min(end, count) - Math.min(start, count) }, (_, at) => start + at);
  if (active < 0 || active >= count || (active >= start && active < end)) return indexes;
  return active < start ? [active, ...indexes] : [...indexes, active];
}

/** A range that is drawn, and which element of the page draws which of its items. */
export interface ItemWindow extends RowRange {
  /** How many elements there are. */
  readonly slots: number;
  /** The index that the first element draws, or any index that many elements away. */
  readonly turn: number;
}

/**
 * The next items to draw. Once scrolled there are always `slots` of them, so that each one that comes into sight takes the element of
 * one that left. After a jump to others altogether the elements keep their order, because moving them costs as much as making them.
 */
export function nextWindow(before: ItemWindow | null, range: RowRange, slots: number, count: number): ItemWindow {
  const end = range.start === 0 ? range.end : Math.min(Math.max(range.end, range.start + slots), count);
  const start = range.start === 0 ? 0 : Math.max(Math.min(range.start, end - slots), 0);
  const room = Math.max(slots, end - start);
  if (before === null || before.slots !== room) return { start, end, slots: room, turn: 0 };
  if (before.start === start && before.end === end) return before;
  const overlap = start < before.end && before.start < end;
  const turn = overlap ? before.turn : (((start - before.start + before.turn) % room) + room) % room;
  return { start, end, slots: room, turn };
}

/**
 * The element that draws an item. Items that come into sight take the elements of those that left, which suits costly ones (pictures);
 * the item with the focus keeps one of its own, `away`, while it is out of sight.
 */
export function slotOf(index: number, { start, end, slots, turn }: ItemWindow): string {
  if (index < start || index >= end) return 'away';
  return `slot${(((index - turn) % slots) + slots) % slots}`;
}

/** Where to scroll so that a whole row is in sight below a header as high as a row; where it is already, if it is. */
export function scrollToRow(index: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  const lowest = top + 2 * rowHeight - height;
  return Math.max(scrollTop, lowest);
}

/** How many whole rows fit below the header, at least one. */
export function rowsPerPage(height: number, rowHeight: number): number {
  return Math.max(1, Math.floor(height / rowHeight) - 2);
}

/** The row a key moves to, held at the ends; null where the key does not move. */
export function moveRow(key: string, current: number, count: number, page: number): number | null {
  if (count === 0) return null;
  const target = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: count - 1,
  }[key];
  return target === undefined ? null : Math.min(Math.max(target, 0), count - 1);
}

/** A column's next sorting: up, down, as it came. */
export function toggleSort(sort: SortState | null, column: string): SortState | null {
  if (sort?.column !== column) return { column, direction: 'up' };
  return sort.direction === 'up' ? { column, direction: 'down' } : null;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The rows in the chosen order; equal ones keep the order they came in. */
export function sortRows<R>(
  rows: readonly R[],
  columns: readonly {
    readonly id: string;
    readonly text: (row: R) => string;
    readonly compare?: (a: R, b: R) => number;
  }[],
  sort: SortState | null,
): readonly R[] {
  const column = sort === null ? undefined : columns.find((candidate) => candidate.id === sort.column);
  if (sort === null || column === undefined) return rows;
  const compare = column.compare ?? ((a: R, b: R) => collator.compare(column.text(a), column.text(b)));
  const sign = sort.direction === 'up' ? 1 : -1;
  return rows.toSorted((a, b) => sign * compare(a, b));
}
