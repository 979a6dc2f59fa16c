import type { ReactNode } from 'react';
import { moveRow, rowsPerPage, type ItemLayout } from './table-window.ts';
import { useItemWindow } from './use-item-window.ts';
import { sidebarRow } from './sidebar.tsx';
import styles from './row-list.module.css';

/**
 * A list at the side whose rows open something, however long it is: only the rows in sight are drawn. For a screen reader it is a
 * listbox, and the row that is open is the selected one. Arrow keys, Page Up and Down, Home and End move through it; Enter, Space and
 * a click open.
 */
export function RowList<R>({
  label,
  rows,
  rowKey,
  height,
  currentKey,
  draw,
  onOpen,
}: {
  label: string;
  rows: readonly R[];
  rowKey: (row: R) => string;
  /** Of each row, in pixels. */
  height: number;
  /** The row that is open; null for none. */
  currentKey: string | null;
  /** Content of a row, inside its button. */
  draw: (row: R) => ReactNode;
  onOpen: (row: R) => void;
}) {
  const layout: ItemLayout = { columns: 1, pitch: height, lead: 0, overscan: 4 };
  const { scroller, drawn } = useItemWindow({
    items: rows,
    keyOf: rowKey,
    activeKey: currentKey,
    layout: () => layout,
    move(event, from, box) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
      return moveRow(event.key, from, rows.length, rowsPerPage(box.height, height));
    },
    scrollTo(index, { scrollTop, height: seen }) {
      const top = index * height;
      return top < scrollTop ? top : Math.max(scrollTop, top + height - seen);
    },
    onPress(index, event) {
      const row = rows[index];
      // Once only for a double click.
      if (row !== undefined && event.type === 'click') onOpen(row);
    },
  });
  return (
    <div ref={scroller} className={styles.scroller}>
      <div role="listbox" aria-label={label} className={styles.list} style={{ height: rows.length * height }}>
        {drawn.slots.map(({ key, index }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const current = rowKey(row) === currentKey;
          return (
            <div key={key} className={styles.place} style={{ top: index * height, height }}>
              <button
                type="button"
                role="option"
                aria-posinset={index + 1}
                aria-setsize={rows.length}
                data-item={index}
                tabIndex={index === drawn.active ? 0 : -1}
                className={sidebarRow(current, styles.row)}
                aria-selected={current}
              >
                {draw(row)}
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}
