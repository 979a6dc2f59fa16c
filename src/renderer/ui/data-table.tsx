import { memo, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { classNames } from './class-names.ts';
import {
  indexesToDraw,
  moveRow,
  rowsInSight,
  rowsPerPage,
  scrollToRow,
  sortRows,
  toggleSort,
  type RowRange,
  type SortState,
} from './table-window.ts';
import styles from './data-table.module.css';

/** One column. `text` is what a cell says in plain text (its title, and what sorting compares unless `compare` is given). */
export interface Column<R> {
  readonly id: string;
  readonly title: string;
  /** A grid track: `120px`, `minmax(120px, 1fr)`. */
  readonly width: string;
  readonly align?: 'start' | 'end';
  readonly code?: boolean;
  readonly text: (row: R) => string;
  /** What is drawn; the text where it is absent. */
  readonly cell?: (row: R) => ReactNode;
  readonly sortable?: boolean;
  readonly compare?: (a: R, b: R) => number;
}

/** Equals `--row`; the window is computed from it. */
const rowHeight = 28;
const overscan = 6;
/** How many rows from the end more are fetched. */
const nearEnd = 20;

/**
 * A table of up to hundreds of thousands of rows of 28 px, of which only those in sight are in the page.
 * Arrow keys, Page Up and Down, Home and End move along rows; Enter or a double click opens one.
 */
export function DataTable<R>({
  label,
  columns,
  rows,
  rowKey,
  selectedKey,
  onOpen,
  onOpenByClick = false,
  onEndReached,
  total,
  footer,
}: {
  label: string;
  columns: readonly Column<R>[];
  rows: readonly R[];
  rowKey: (row: R) => string | number;
  selectedKey?: string | number | null;
  onOpen?: ((row: R) => void) | undefined;
  /** One click opens, for lists that lead somewhere. */
  onOpenByClick?: boolean;
  /** The last rows came into sight: fetch more. */
  onEndReached?: (() => void) | undefined;
  /** All rows there are, where only some were fetched. */
  total?: number;
  footer?: ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const focusWanted = useRef<number | null>(null);
  const [sort, setSort] = useState<SortState | null>(null);
  const [active, setActive] = useState(0);
  const [range, setRange] = useState<RowRange>({ start: 0, end: 40 });
  const shown = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  const count = shown.length;
  const current = Math.min(active, Math.max(count - 1, 0));

  const measure = useEffectEvent(() => {
    const box = scroller.current;
    if (box === null) return;
    const next = rowsInSight(box.scrollTop, box.clientHeight, rowHeight, count, overscan);
    // A frame of scrolling within the same rows draws nothing.
    setRange((before) => (before.start === next.start && before.end === next.end ? before : next));
  });

  const open = useEffectEvent((index: number) => {
    const row = shown[index];
    if (row !== undefined) onOpen?.(row);
  });

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const box = scroller.current;
    if (box === null || event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
    if (event.target.closest('button, a, input') !== null) return;
    if (event.key === 'Enter' && onOpen !== undefined) {
      event.preventDefault();
      open(current);
      return;
    }
    const next = moveRow(event.key, current, count, rowsPerPage(box.clientHeight, rowHeight));
    if (next === null) return;
    event.preventDefault();
    focusWanted.current = next;
    setActive(next);
    box.scrollTop = scrollToRow(next, box.scrollTop, box.clientHeight, rowHeight);
    focusRow();
  });

  const onPress = useEffectEvent((event: MouseEvent) => {
    const index = indexOf(event.target);
    if (index === null) return;
    setActive(index);
    if (onOpenByClick === (event.type === 'click')) open(index);
  });

  const onFocus = useEffectEvent((event: FocusEvent) => {
    const index = indexOf(event.target);
    if (index !== null) setActive(index);
  });

  function focusRow() {
    const row = scroller.current?.querySelector<HTMLElement>(`tr[data-index="${focusWanted.current}"]`);
    if (row === undefined || row === null) return;
    focusWanted.current = null;
    row.focus({ preventScroll: true });
  }

  // One listener for all rows instead of one a row, put on natively: the rows are not controls of their own.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const handlers = { scroll: measure, keydown: onKey, click: onPress, dblclick: onPress, focusin: onFocus } as const;
    const add = Object.entries(handlers) as [string, EventListener][];
    for (const [type, listener] of add) box.addEventListener(type, listener, { passive: type === 'scroll' });
    const sized = new ResizeObserver(() => measure());
    sized.observe(box);
    return () => {
      for (const [type, listener] of add) box.removeEventListener(type, listener);
      sized.disconnect();
    };
  }, []);

  useLayoutEffect(() => {
    measure();
  }, [count]);

  // A row that a key moved to is in the page only after this draw.
  useEffect(() => {
    if (focusWanted.current !== null) focusRow();
  });

  useEffect(() => {
    if (count > 0 && range.end >= count - nearEnd) onEndReached?.();
  }, [count, range, onEndReached]);

  const template = columns.map((column) => column.width).join(' ');
  return (
    <div className={styles.frame}>
      <div className={styles.scroller} ref={scroller}>
        <table
          aria-label={label}
          aria-rowcount={(total ?? count) + 1}
          aria-colcount={columns.length}
          className={styles.table}
          style={{ ['--columns' as string]: template }}
        >
          <thead className={styles.head}>
            <tr aria-rowindex={1} className={styles.row}>
              {columns.map((column) => (
                <HeadCell key={column.id} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody className={styles.body} style={{ height: count * rowHeight }}>
            {indexesToDraw(range, current, count).map((index) => {
              const row = shown[index];
              if (row === undefined) return null;
              const key = rowKey(row);
              return (
                <Row
                  key={key}
                  row={row}
                  index={index}
                  columns={columns as readonly Column<unknown>[]}
                  active={index === current}
                  selected={selectedKey !== undefined && selectedKey !== null && selectedKey === key}
                  openable={onOpen !== undefined}
                />
              );
            })}
          </tbody>
        </table>
      </div>
      {footer === undefined ? null : <div className={styles.foot}>{footer}</div>}
    </div>
  );
}

function indexOf(target: EventTarget | null): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-index]') : null;
  return row === null ? null : Number(row.dataset['index']);
}

function HeadCell<R>({
  column,
  sort,
  onSort,
}: {
  column: Column<R>;
  sort: SortState | null;
  onSort: (sort: SortState | null) => void;
}) {
  const direction = sort?.column === column.id ? sort.direction : null;
  const className = classNames(styles.cell, column.align === 'end' && styles.end);
  if (column.sortable !== true) {
    return (
      <th scope="col" className={className} title={column.title}>
        {column.title}
      </th>
    );
  }
  return (
    <th
      scope="col"
      className={className}
      aria-sort={direction === null ? 'none' : direction === 'up' ? 'ascending' : 'descending'}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(toggleSort(sort, column.id))}>
        <span>{column.title}</span>
        {direction === null ? null : direction === 'up' ? <ArrowUp aria-hidden="true" /> : <ArrowDown aria-hidden="true" />}
      </button>
    </th>
  );
}

interface RowProps {
  readonly row: unknown;
  readonly index: number;
  readonly columns: readonly Column<unknown>[];
  readonly active: boolean;
  readonly selected: boolean;
  readonly openable: boolean;
}

const Row = memo(function Row({ row, index, columns, active, selected, openable }: RowProps) {
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      tabIndex={active ? 0 : -1}
      className={classNames(styles.row, styles.line, selected && styles.selected, openable && styles.openable)}
      style={{ transform: `translateY(${index * rowHeight}px)` }}
      {...(selected ? { 'aria-current': true } : {})}
    >
      {columns.map((column) => {
        const text = column.text(row);
        return (
          <td
            key={column.id}
            title={text}
            className={classNames(styles.cell, column.align === 'end' && styles.end, column.code === true && styles.code)}
          >
            {column.cell === undefined ? text : column.cell(row)}
          </td>
        );
      })}
    </tr>
  );
});
