/** The column that a table is sorted by, and its direction. */
export interface SortState {
  readonly column: string;
  readonly direction: 'up' | 'down';
}

/** Indexes from `start` up to, not including, `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the rows in sight of a scrolled box, with `overscan` more at both ends; all in pixels but the counts. */
export function rowsInSight(scrollTop: number, height: number, rowHeight: number, count: number, overscan: number): RowRange {
  const first = Math.floor(scrollTop / rowHeight) - overscan;
  const last = Math.ceil((scrollTop + height) / rowHeight) + overscan;
  const start = Math.min(Math.max(first, 0), count);
  return { start, end: Math.max(Math.min(last, count), start) };
}

/** An element of the page: the key that it keeps, and the item that it draws now. */
interface Slot {
  readonly key: number;
  readonly index: number;
}

/** The items that are drawn: a range, and the item with the keyboard wherever it is. */
export interface ItemWindow extends RowRange {
  /** Least number of items in the range, if there are so many. */
  readonly room: number;
  /** The item with the keyboard. */
  readonly active: number;
  /** The elements in the order of their items. */
  readonly slots: readonly Slot[];
}

/** Draws nothing; the keyboard is on the first item. */
export const emptyWindow: ItemWindow = { start: 0, end: 0, room: 0, active: 0, slots: [] };

/**
 * Returns the next items to draw, in the order of the list. An element keeps its item, and with it the focus, while the item is
 * drawn. In a jump no item stays in sight: the elements stay and take other items, because changing their texts costs a fraction of
 * new elements. Otherwise the few items that come into sight get new elements, because moving elements in the page costs more than
 * making them.
 */
export function nextWindow(before: ItemWindow, range: RowRange, room: number, count: number, wanted: number): ItemWindow {
  const active = Math.max(Math.min(wanted, count - 1), 0);
  const within = Math.min(active, count - 1);
  // At the top nothing beyond the items in sight is needed, unless it is drawn already: this makes the first paint cheapest.
  const least = range.start === 0 ? Math.min(before.end - before.start, room) : room;
  let end = Math.min(Math.max(range.end, range.start + least), count);
  let start = Math.max(Math.min(range.start, end - least), 0);
  // One more replaces the active item, which has an element of its own while it is out of sight.
  if (active >= start && active < end && end - start >= room) {
    if (end < count) end += 1;
    else if (start > 0) start -= 1;
  }
  if (before.start === start && before.end === end && before.active === active && before.room === room) return before;
  const keys = new Map(before.slots.map(({ index, key }) => [index, key]));
  const stays = before.slots.some(({ index }) => index !== within && index >= start && index < end);
  const free = stays ? [] : before.slots.filter(({ index }) => index !== within).map(({ key }) => key);
  let fresh = before.slots.reduce((most, { key }) => Math.max(most, key), -1) + 1;
  const slots: Slot[] = [];
  const draw = (index: number) => slots.push({ index, key: keys.get(index) ?? free.shift() ?? fresh++ });
  if (within >= 0 && within < start) draw(within);
  for (let index = start; index < end; index += 1) draw(index);
  if (within >= end) draw(within);
  return { start, end, room, active, slots };
}

/**
 * Layout of items in a scrolled box: rows of `columns` items, `pitch` pixels from one row to the next, `lead` pixels above the
 * first.
 */
export interface ItemLayout {
  readonly columns: number;
  readonly pitch: number;
  readonly lead: number;
  /** Rows that are drawn beyond those in sight, at both ends. */
  readonly overscan: number;
}

/** The items that are in the page, and those that are in sight. */
export interface ItemsInSight {
  readonly drawn: ItemWindow;
  readonly seen: RowRange;
}

/**
 * Returns the items in sight of a box that is scrolled to `scrollTop` pixels and `height` pixels high; the same object as before if
 * nothing changed.
 */
export function itemsInSight(
  before: ItemsInSight,
  { scrollTop, height }: { readonly scrollTop: number; readonly height: number },
  count: number,
  active: number,
  { columns, pitch, lead, overscan }: ItemLayout,
): ItemsInSight {
  const rows = Math.ceil(count / columns);
  const range = (more: number): RowRange => {
    const { start, end } = rowsInSight(Math.max(scrollTop - lead, 0), height, pitch, rows, more);
    return { start: Math.min(start * columns, count), end: Math.min(end * columns, count) };
  };
  const room = (Math.ceil(height / pitch) + 1 + 2 * overscan) * columns;
  const drawn = nextWindow(before.drawn, range(overscan), room, count, active);
  const seen = range(0);
  const same = before.drawn === drawn && before.seen.start === seen.start && before.seen.end === seen.end;
  return same ? before : { drawn, seen };
}

/** Returns the `scrollTop` at which a whole row is in sight below a header as high as a row; the current one if it already is. */
export function scrollToRow(index: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  const lowest = top + 2 * rowHeight - height;
  return Math.max(scrollTop, lowest);
}

/** Returns the number of whole rows that fit below the header, at least one. */
export function rowsPerPage(height: number, rowHeight: number): number {
  return Math.max(1, Math.floor(height / rowHeight) - 2);
}

/** Returns the row that a key moves to, held at the ends; null if the key does not move. */
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

/** Returns a column's next sorting: up, then down, then the order given. */
export function toggleSort(sort: SortState | null, column: string): SortState | null {
  if (sort?.column !== column) return { column, direction: 'up' };
  return sort.direction === 'up' ? { column, direction: 'down' } : null;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns the rows in the chosen order; equal ones keep their order. */
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
