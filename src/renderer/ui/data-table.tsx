import { Fragment, memo, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { removes } from '#shared/chords.ts';
import { withNames } from '#shared/json/display-order.ts';
import { classNames } from './class-names.ts';
import { HeadingLine, headingsAbove, pastHeadings, withHeadings, type TableHeading } from './table-headings.ts';
import { moveRow, rowsPerPage, scrollToRow, sortRows, toggleSort, type SortState } from './table-window.ts';
import { useItemWindow, type ScrolledBox } from './use-item-window.ts';
import styles from './data-table.module.css';

/**
 * One column. `text` is a cell in plain text: its title while it is pointed at, and the value that sorting compares unless
 * `compare` is given.
 */
export interface Column<R> {
  readonly id: string;
  readonly title: string;
  /** True if the title is for screen readers alone: its cells say what they are. */
  readonly quiet?: boolean;
  /** A grid track: `120px`, `minmax(120px, 1fr)`. */
  readonly width: string;
  readonly align?: 'start' | 'end';
  readonly code?: boolean;
  readonly text: (row: R) => string;
  /** Content of a cell; without it, `text`. */
  readonly cell?: (row: R) => ReactNode;
  readonly sortable?: boolean;
  readonly compare?: (a: R, b: R) => number;
}

/** Distance from the end, in rows, at which more are fetched. */
const nearEnd = 20;

/**
 * A table of up to hundreds of thousands of rows of one height. Only the rows in sight are in the page. Arrow keys, Page Up and Down,
 * Home and End move along the rows and pass over headings; Enter or a double click opens a row. For a screen reader it is a grid if
 * its rows act, else a table.
 */
export function DataTable<R>({
  label,
  columns,
  rows,
  rowKey,
  selectedKey,
  isTicked,
  rowHeight = 28,
  reveal = null,
  activeKey = null,
  behind = false,
  headings = noHeadings,
  onOpen,
  onOpenByClick = false,
  onActive,
  onKey,
  onEndReached,
  total,
  footer,
}: {
  label: string;
  columns: readonly Column<R>[];
  rows: readonly R[];
  rowKey: (row: R) => string | number;
  /** The row whose detail is shown. A table in which a row can be shown says so of each: this one is the selected one. */
  selectedKey?: string | number | null;
  /** Given where rows are chosen together: those are the selected ones then, and the one that is shown is the current one. */
  isTicked?: (row: R) => boolean;
  /** In pixels; the window is computed from it. */
  rowHeight?: number;
  /** A row to bring into sight; a new object does it again. */
  reveal?: { readonly key: string | number } | null;
  /** The row with this key gets the keyboard when this becomes another key, at once or when the row comes into the table. */
  activeKey?: string | number | null;
  /** True while the row of `activeKey` is still to come: until then the focus comes to no row by itself. */
  behind?: boolean;
  /** Headings of the rows in the order given. A table that is sorted has none. */
  headings?: readonly TableHeading[];
  onOpen?: ((row: R) => void) | undefined;
  /** One click opens, for lists that lead somewhere. */
  onOpenByClick?: boolean;
  /** Called when the keyboard, by a key of its own or as the focus comes in, or a press of any button, comes to a row. */
  onActive?: ((row: R, by: 'key' | 'focus') => void) | undefined;
  /** Called with a key without Ctrl, Alt or Meta on a row; returns true if it took the key. */
  onKey?: ((event: KeyboardEvent, row: R) => boolean) | undefined;
  /** Called when the last rows come into sight, to fetch more. */
  onEndReached?: (() => void) | undefined;
  /** Number of all rows, if only some were fetched. */
  total?: number;
  footer?: ReactNode;
}) {
  const [sort, setSort] = useState<SortState | null>(null);
  const shown = useMemo(() => {
    const sorted = sortRows(rows, columns, sort);
    return sorted === rows ? withHeadings(rows, headings) : sorted;
  }, [rows, columns, sort, headings]);
  const count = shown.length;
  const rowAt = (index: number) => {
    const line = shown[index];
    return line instanceof HeadingLine ? undefined : line;
  };
  const open = (index: number) => {
    const row = rowAt(index);
    if (row !== undefined) onOpen?.(row);
  };
  const scrollTo = (index: number, box: Pick<ScrolledBox, 'scrollTop' | 'height'>) => {
    // A row's headings are shown with it.
    const top = (index - headingsAbove(shown, index)) * rowHeight;
    return top < box.scrollTop ? top : scrollToRow(index, box.scrollTop, box.height, rowHeight);
  };
  const { scroller, drawn } = useItemWindow({
    items: shown,
    keyOf: (line) => (line instanceof HeadingLine ? line.key : rowKey(line)),
    isStop: (line) => !(line instanceof HeadingLine),
    activeKey,
    layout: () => ({ columns: 1, pitch: rowHeight, lead: 0, overscan: 4 }),
    move(event, from, box) {
      const isHeld = event.altKey || event.ctrlKey || event.metaKey;
      if ((isHeld && !removes(event)) || !(event.target instanceof Element)) return null;
      if (event.target.closest('button, a, input') !== null) return null;
      if (event.key === 'Enter' && onOpen !== undefined) {
        event.preventDefault();
        open(from);
        return null;
      }
      const row = rowAt(from);
      if (row !== undefined && onKey?.(event, row) === true) {
        event.preventDefault();
        return null;
      }
      const target = moveRow(event.key, from, count, rowsPerPage(box.height, rowHeight));
      return target === null ? null : pastHeadings(shown, target, from);
    },
    scrollTo,
    onActive(index, by) {
      const row = rowAt(index);
      if (row !== undefined) onActive?.(row, by);
    },
    onPress(index, event) {
      if (event.target instanceof Element && event.target.closest('button, a, input') !== null) return;
      if (onOpenByClick === (event.type === 'click')) open(index);
    },
  });

  // The title of a cell exists only while the cell is pointed at: thousands of titles would cost frames while the table scrolls.
  const onPoint = useEffectEvent((event: PointerEvent) => {
    const cell = event.target instanceof Element ? event.target.closest('td') : null;
    const row = rowAt(Number(cell?.closest('tr')?.dataset['item'] ?? -1));
    const column = cell === null ? undefined : columns[cell.cellIndex];
    if (cell === null || column === undefined || row === undefined) return;
    if (event.type === 'pointerover') cell.title = withNames(column.text(row));
    else cell.removeAttribute('title');
  });
  useEffect(() => {
    const box = scroller.current;
    const listener = (event: PointerEvent) => onPoint(event);
    box?.addEventListener('pointerover', listener);
    box?.addEventListener('pointerout', listener);
    return () => {
      box?.removeEventListener('pointerover', listener);
      box?.removeEventListener('pointerout', listener);
    };
  }, [scroller]);

  useEffect(() => {
    if (count > 0 && drawn.end >= count - nearEnd) onEndReached?.();
  }, [count, drawn, onEndReached]);

  const bringIntoSight = useEffectEvent((key: string | number) => {
    const box = scroller.current;
    const index = shown.findIndex((line) => !(line instanceof HeadingLine) && rowKey(line) === key);
    if (box !== null && index >= 0)
      box.scrollTo({ top: scrollTo(index, { scrollTop: box.scrollTop, height: box.clientHeight }) });
  });
  useEffect(() => {
    if (reveal !== null) bringIntoSight(reveal.key);
  }, [reveal]);

  const acts = onOpen !== undefined || onKey !== undefined;
  const template = columns.map((column) => column.width).join(' ');
  return (
    <div className="fill-column" data-loading={behind || undefined}>
      <div className={styles.scroller} ref={scroller}>
        <table
          {...(acts ? { role: 'grid', 'aria-multiselectable': isTicked === undefined ? undefined : true } : {})}
          aria-label={label}
          aria-rowcount={(total ?? rows.length) + count - rows.length + 1}
          aria-colcount={columns.length}
          className={styles.table}
          style={{ ['--columns' as string]: template, ['--row' as string]: `${rowHeight}px` }}
        >
          <thead className={styles.head}>
            <tr aria-rowindex={1} className={styles.row}>
              {columns.map((column) => (
                <HeadCell key={column.id} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody className={styles.body} style={{ height: count * rowHeight }}>
            {drawn.slots.map(({ key: slot, index }, at) => {
              const line = shown[index];
              if (line === undefined) return null;
              const missing = index - (drawn.slots[at - 1]?.index ?? -1) - 1;
              return (
                <Fragment key={slot}>
                  {missing > 0 && <tr aria-hidden="true" className={styles.gap} style={{ height: missing * rowHeight }} />}
                  {line instanceof HeadingLine ? (
                    <HeadingRow {...line.heading} index={index} columns={columns.length} />
                  ) : (
                    <Row
                      row={line}
                      index={index}
                      columns={columns as readonly Column<unknown>[]}
                      active={!behind && index === drawn.active}
                      shown={selectedKey === undefined ? null : selectedKey === rowKey(line)}
                      ticked={isTicked === undefined ? null : isTicked(line)}
                      openable={onOpen !== undefined}
                    />
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
      {footer === undefined ? null : <div className={styles.foot}>{footer}</div>}
    </div>
  );
}

const noHeadings: readonly TableHeading[] = [];

// As high as a row, so that the window is computed as for rows alone.
const HeadingRow = memo(function HeadingRow({
  index,
  columns,
  level,
  title,
  detail,
}: TableHeading & { readonly index: number; readonly columns: number }) {
  return (
    <tr aria-rowindex={index + 2} className={classNames(styles.heading, level === 2 && styles.within)}>
      <th scope="rowgroup" colSpan={columns} className={styles.group}>
        <span className={styles.groupTitle}>{title}</span> <span className="quiet tiny">{detail}</span>
      </th>
    </tr>
  );
});

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
      <th scope="col" className={className} {...(column.quiet === true ? {} : { title: column.title })}>
        {column.quiet === true ? <span className="visually-hidden">{column.title}</span> : column.title}
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
        {direction === null ? null : direction === 'up' ? <ArrowUp /> : <ArrowDown />}
      </button>
    </th>
  );
}

interface RowProps {
  readonly row: unknown;
  readonly index: number;
  readonly columns: readonly Column<unknown>[];
  readonly active: boolean;
  /** Null where no row can be shown, or be ticked. */
  readonly shown: boolean | null;
  readonly ticked: boolean | null;
  readonly openable: boolean;
}

// Placed by the rows above it: a row with a position of its own in its style would be styled again, cells and all, when it moves.
const Row = memo(function Row({ row, index, columns, active, shown, ticked, openable }: RowProps) {
  return (
    <tr
      aria-rowindex={index + 2}
      data-item={index}
      tabIndex={active ? 0 : -1}
      className={classNames(styles.row, styles.line, shown === true && styles.selected, openable && styles.openable)}
      aria-selected={ticked ?? shown ?? undefined}
      aria-current={(ticked !== null && shown === true) || undefined}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          className={classNames(styles.cell, column.align === 'end' && styles.end, column.code === true && 'code')}
        >
          {column.cell === undefined ? column.text(row) : column.cell(row)}
        </td>
      ))}
    </tr>
  );
});
