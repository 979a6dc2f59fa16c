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

/** An element of the page, by the key that it keeps, and the item it draws now. */
interface Slot {
  readonly key: number;
  readonly index: number;
}

/** The items that are drawn: a range, and the one with the keyboard wherever it is. */
export interface ItemWindow extends RowRange {
  /** How many items the range has at least, where there are as many. */
  readonly room: number;
  /** The item with the keyboard. */
  readonly active: number;
  /** The elements in the order of their items. */
  readonly slots: readonly Slot[];
}

/** Nothing drawn, the keyboard on the first item. */
export const emptyWindow: ItemWindow = { start: 0, end: 0, room: 0, active: 0, slots: [] };

/**
 * The next items to draw, in the order of the list. An element keeps its item, and with it the focus, as long as that is drawn. In a
 * jump, where nothing stays in sight, the elements stay and take other items: to change their texts costs a fraction of what new
 * elements cost. Otherwise the few that come into sight are new, since moving elements in the page costs more than making them.
 */
export function nextWindow(before: ItemWindow, range: RowRange, room: number, count: number, wanted: number): ItemWindow {
  const active = Math.max(Math.min(wanted, count - 1), 0);
  const within = Math.min(active, count - 1);
  // At the top there need not be more than is in sight, unless there is already: the first paint is the cheapest.
  const least = range.start === 0 ? Math.min(before.end - before.start, room) : room;
  let end = Math.min(Math.max(range.end, range.start + least), count);
  let start = Math.max(Math.min(range.start, end - least), 0);
  // One more in place of the active item, which has an element of its own while it is out of sight.
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

/** How items stand in a scrolled box: rows of as many columns, `pitch` pixels from one row to the next, `lead` above the first. */
export interface ItemLayout {
  readonly columns: number;
  readonly pitch: number;
  readonly lead: number;
  /** Rows that are drawn beyond those in sight, at both ends. */
  readonly overscan: number;
}

/** The items that are in the page, and those that are really in sight. */
export interface ItemsInSight {
  readonly drawn: ItemWindow;
  readonly seen: RowRange;
}

/** What is in sight of a box scrolled to `scrollTop` pixels and `height` high; the same object as before where nothing changed. */
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
