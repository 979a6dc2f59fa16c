import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { moveRow } from './table-window.ts';

/** Rows that Page Up and Page Down move over. */
const page = 10;

/**
 * A short list whose rows open something, for a screen reader a listbox: one stop for Tab, and the row that is open is the selected
 * one. Arrow keys, Page Up and Down, Home and End move through it; Enter, Space and a click open. `RowList` is for long lists.
 */
export function OptionList<R>({
  label,
  rows,
  rowKey,
  currentKey,
  rowClass,
  draw,
  onOpen,
}: {
  label: string;
  rows: readonly R[];
  rowKey: (row: R) => string;
  /** The row that is open; null for none. */
  currentKey: string | null;
  rowClass: (row: R) => string | undefined;
  /** Content of a row, inside its button. */
  draw: (row: R) => ReactNode;
  onOpen: (row: R) => void;
}) {
  const [held, setHeld] = useState({ key: currentKey, for: currentKey });
  // Tab leads to the row that is open, until the keys have moved on.
  if (held.for !== currentKey) setHeld({ key: currentKey, for: currentKey });
  const at = Math.max(
    rows.findIndex((row) => rowKey(row) === held.key),
    0,
  );

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = moveRow(event.key, at, rows.length, page);
    if (next === null) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll<HTMLElement>('[role="option"]')[next]?.focus();
  }

  return (
    <div role="listbox" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown}>
      {rows.map((row, index) => {
        const key = rowKey(row);
        return (
          <button
            key={key}
            type="button"
            role="option"
            aria-selected={key === currentKey}
            tabIndex={index === at ? 0 : -1}
            className={rowClass(row)}
            onFocus={() => setHeld({ key, for: currentKey })}
            onClick={() => onOpen(row)}
          >
            {draw(row)}
          </button>
        );
      })}
    </div>
  );
}
