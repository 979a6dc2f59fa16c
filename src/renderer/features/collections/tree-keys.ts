import { removes } from '#shared/chords.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { CollectionsState } from './collections-store.ts';
import type { TreeRow } from './tree-rows.ts';

/** The members of a key press that the tree reads. */
export type TreeKey = Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey'>;

/** Milliseconds after which typing begins another name. */
const TYPING_PAUSE = 700;

/** Finds the rows that the tree's keys lead to; remembers what is being typed. */
export function createTreeKeys(now: () => number) {
  let typed = { text: '', at: 0 };

  /** Returns the next row whose name begins with the typed text. */
  function byTyping(key: string, from: number, rows: readonly TreeRow[]): number | null {
    if (key.length !== 1 || (key === ' ' && typed.text === '')) return null;
    const at = now();
    const written = (at - typed.at < TYPING_PAUSE ? typed.text : '') + key.toLowerCase();
    typed = { text: written, at };
    // One letter, however often, goes on to the next name with that letter; a longer text may stay where it is.
    const isOneLetter = new Set(written).size === 1;
    const text = isOneLetter ? written.charAt(0) : written;
    const start = isOneLetter ? from + 1 : from;
    for (let step = 0; step < rows.length; step += 1) {
      const index = (start + step) % rows.length;
      if (rows[index]?.name.toLowerCase().startsWith(text) === true) return index;
    }
    return null;
  }

  return {
    /** Returns the row that a key leads to, or null for none. `page` is the number of rows in sight. */
    rowFrom(
      { key, altKey, ctrlKey, metaKey }: TreeKey,
      from: number,
      { rows, page, filtered }: { readonly rows: readonly TreeRow[]; readonly page: number; readonly filtered: boolean },
    ): number | null {
      if (altKey || ctrlKey || metaKey) return null;
      if (key.length > 1) typed = { text: '', at: 0 };
      const row = rows[from];
      const last = rows.length - 1;
      switch (key) {
        case 'ArrowDown':
          return Math.min(from + 1, last);
        case 'ArrowUp':
          return Math.max(from - 1, 0);
        case 'PageDown':
          return Math.min(from + page, last);
        case 'PageUp':
          return Math.max(from - page, 0);
        case 'Home':
          return 0;
        case 'End':
          return last;
        case 'ArrowRight':
          return row?.expanded === true && (rows[from + 1]?.level ?? 0) > row.level ? from + 1 : null;
        case 'ArrowLeft': {
          // An open row is closed first; with a filter none can be closed.
          if (row === undefined || (row.expanded === true && !filtered)) return null;
          const parent = rows.findLastIndex((other, index) => index < from && other.level < row.level);
          return parent < 0 ? null : parent;
        }
        default:
          return byTyping(key, from, rows);
      }
    },
  };
}

/** The store's actions that a key starts. */
type KeyedActions = Pick<CollectionsState, 'startMoving' | 'step' | 'toggle' | 'startRename' | 'forget' | 'remove'>;

/** Returns the action of a key on a row; null for none. Of a read-only collection, no action that changes its files. */
export function keyAction(
  press: TreeKey,
  row: TreeRow,
  actions: KeyedActions & { readonly open: (row: TreeRow) => void },
): (() => void) | null {
  const { key, code, altKey, ctrlKey, metaKey } = press;
  const fixed = row.kind === 'collection' || row.readOnly;
  if (altKey) {
    if (fixed) return null;
    // By the position of the key: with Alt, the character may be another one.
    if (code === 'KeyM') return () => actions.startMoving(row);
    const step = ({ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'out', ArrowRight: 'in' } as const)[key];
    return step === undefined ? null : () => startWork(actions.step(row, step));
  }
  if (removes(press)) {
    if (row.kind === 'collection') return () => startWork(actions.forget(row.collectionId));
    return row.readOnly ? null : () => startWork(actions.remove(row));
  }
  if (ctrlKey || metaKey) return null;
  switch (key) {
    case 'Enter':
    case ' ':
      return () => actions.open(row);
    case 'ArrowRight':
      return row.expanded === false ? () => actions.toggle(row.key, true) : null;
    case 'ArrowLeft':
      return row.expanded === true ? () => actions.toggle(row.key, false) : null;
    case 'F2':
      return fixed ? null : () => actions.startRename(row.key);
    default:
      return null;
  }
}
