import { useRef, useState, type DragEvent, type KeyboardEvent as ReactKeyboardEvent } from 'react';
import { Braces, ChevronRight, Folder, FolderOpen, LibraryBig, TriangleExclamationPoint } from 'lucide-react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { ContextMenu } from '#renderer/ui/menu.tsx';
import { useItemWindow, type ScrolledBox } from '#renderer/ui/use-item-window.ts';
import type { CollectionsStore } from './collections-store.ts';
import { RenameField } from './rename-field.tsx';
import { rowMenu, type RowActions } from './row-menu.tsx';
import { dropDestination, type OpenCollection, type TreeRow } from './tree-rows.ts';
import { sidebarRow } from '#renderer/ui/sidebar.tsx';
import styles from './collection-tree.module.css';

/** Pixels; `.row` is as high. */
const ROW = 26;
/** Milliseconds after which typing begins another name. */
const TYPING_PAUSE = 700;

interface CollectionTreeProps {
  readonly store: CollectionsStore;
  readonly rows: readonly TreeRow[];
  readonly collections: readonly OpenCollection[];
  /** The row of the request that is shown. */
  readonly currentKey: string | null;
  readonly actions: RowActions;
  readonly now: () => number;
}

/** The open collections as a tree, of which only the rows in sight are drawn. */
export function CollectionTree({ store, rows, collections, currentKey, actions, now }: CollectionTreeProps) {
  const { activeKey, renaming, filter } = useStore(store);
  const state = store.getState();
  const dragged = useRef<TreeRow | null>(null);
  const [drop, setDrop] = useState<{ key: string; where: 'before' | 'into' | 'after' } | null>(null);
  const typed = useRef({ text: '', at: 0 });

  const keyIndex = (key: string | null) => rows.findIndex((row) => row.key === key);
  const { scroller, drawn } = useItemWindow({
    items: rows,
    keyOf: (row) => row.key,
    activeKey,
    layout: () => ({ columns: 1, pitch: ROW, lead: 0, overscan: 6 }),
    move,
    scrollTo: scrollToRow,
    onActive: (index) => state.setActive(rows[index]?.key ?? null),
    onPress: (index, event) => {
      const row = rows[index];
      if (row === undefined || event.type !== 'click' || inField(event.target)) return;
      open(row);
    },
    keepInSight: keyIndex(activeKey),
  });
  const active = rows[drawn.active];

  function open(row: TreeRow): void {
    if (row.expanded !== null) state.toggle(row.key, !row.expanded);
    else if (row.problem === null) actions.onOpen(row);
  }

  function move(event: KeyboardEvent, from: number, box: ScrolledBox): number | null {
    if (inField(event.target) || event.altKey || event.ctrlKey || event.metaKey) return null;
    const row = rows[from];
    const last = rows.length - 1;
    const page = Math.max(1, Math.floor(box.height / ROW) - 1);
    if (event.key.length > 1) typed.current = { text: '', at: 0 };
    switch (event.key) {
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
        if (row === undefined || (row.expanded === true && filter === '')) return null;
        const parent = rows.findLastIndex((other, index) => index < from && other.level < row.level);
        return parent < 0 ? null : parent;
      }
      default:
        return byTyping(event.key, from);
    }
  }

  /** The next row whose name begins with what is being typed. */
  function byTyping(key: string, from: number): number | null {
    if (key.length !== 1 || (key === ' ' && typed.current.text === '')) return null;
    const at = now();
    const written = (at - typed.current.at < TYPING_PAUSE ? typed.current.text : '') + key.toLowerCase();
    typed.current = { text: written, at };
    // One letter, however often, goes on to the next of that letter; a longer beginning may stay where it is.
    const isOneLetter = new Set(written).size === 1;
    const text = isOneLetter ? written.charAt(0) : written;
    const start = isOneLetter ? from + 1 : from;
    for (let step = 0; step < rows.length; step += 1) {
      const index = (start + step) % rows.length;
      if (rows[index]?.name.toLowerCase().startsWith(text) === true) return index;
    }
    return null;
  }

  function onKeyDown(event: ReactKeyboardEvent): void {
    if (active === undefined || event.defaultPrevented || inField(event.target)) return;
    const act = keyAction(event, active);
    if (act === null) return;
    event.preventDefault();
    act();
  }

  function keyAction(event: ReactKeyboardEvent, row: TreeRow): (() => void) | null {
    const { key, code, altKey, ctrlKey, metaKey } = event;
    if (altKey) {
      // By its place: with Alt, the key itself may be another letter.
      if (code === 'KeyM' && row.kind !== 'collection') return () => state.startMoving(row);
      const step = ({ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'out', ArrowRight: 'in' } as const)[key];
      return step === undefined || row.kind === 'collection' ? null : () => startWork(state.step(row, step));
    }
    if (ctrlKey || metaKey) return null;
    switch (key) {
      case 'Enter':
      case ' ':
        return () => open(row);
      case 'ArrowRight':
        return row.expanded === false ? () => state.toggle(row.key, true) : null;
      case 'ArrowLeft':
        return row.expanded === true ? () => state.toggle(row.key, false) : null;
      case 'F2':
        return row.kind === 'collection' ? null : () => state.startRename(row.key);
      case 'Delete':
        return row.kind === 'collection' ? () => startWork(state.forget(row.collectionId)) : () => startWork(state.remove(row));
      default:
        return null;
    }
  }

  function destination(event: DragEvent, row: TreeRow) {
    const from = dragged.current;
    if (from === null) return null;
    const found = collections.find(({ collection }) => collection.id === row.collectionId);
    if (found?.tree.state !== 'ready') return null;
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const path = from.collectionId === row.collectionId ? from.path : null;
    return dropDestination(found.tree.nodes, path, row, (event.clientY - top) / height);
  }

  const dragging = (row: TreeRow) => ({
    draggable: row.kind !== 'collection' && renaming !== row.key,
    onDragStart(event: DragEvent) {
      dragged.current = row;
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', row.name);
    },
    onDragOver(event: DragEvent) {
      const to = destination(event, row);
      if (to === null) return setDrop(null);
      event.preventDefault();
      if (drop?.key !== row.key || drop.where !== to.where) setDrop({ key: row.key, where: to.where });
    },
    onDrop(event: DragEvent) {
      const to = destination(event, row);
      const from = dragged.current;
      event.preventDefault();
      setDrop(null);
      if (to === null || from === null) return;
      const { folder, before } = to;
      if (from.collectionId === row.collectionId) startWork(state.move(from, { folder, before }));
      else startWork(state.transfer(from, { collectionId: row.collectionId, folder, before }));
    },
    onDragEnd() {
      dragged.current = null;
      setDrop(null);
    },
  });

  return (
    <ContextMenu
      items={active === undefined ? [] : rowMenu(active, store, actions)}
      // The name's field has the focus by then.
      onCloseAutoFocus={(event) => {
        if (store.getState().renaming !== null) event.preventDefault();
      }}
    >
      <div
        ref={scroller}
        role="tree"
        tabIndex={-1}
        aria-label="Collections"
        className={styles.tree}
        onKeyDown={onKeyDown}
        onFocus={() => state.setFocused(true)}
        onBlur={() => state.setFocused(false)}
        onDragLeave={() => setDrop(null)}
      >
        <div role="presentation" style={{ height: rows.length * ROW }} />
        {drawn.slots.map(({ key, index }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={key}
              role="treeitem"
              id={`collection-row-${index}`}
              data-item={index}
              data-opens={(row.kind === 'request' && row.problem === null) || undefined}
              aria-level={row.level}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-expanded={row.expanded ?? undefined}
              aria-selected={row.key === currentKey}
              aria-label={label(row)}
              tabIndex={index === drawn.active ? 0 : -1}
              title={title(row)}
              className={classNames(
                sidebarRow(row.key === currentKey, styles.row),
                row.key === currentKey && styles.on,
                row.problem !== null && styles.broken,
                drop?.key === row.key && styles[drop.where],
              )}
              style={{ top: index * ROW, paddingInlineStart: 6 + (row.level - 1) * 12 }}
              {...dragging(row)}
            >
              <ChevronRight
                aria-hidden="true"
                className={classNames(styles.arrow, row.expanded === true && styles.down, row.expanded === null && styles.none)}
              />
              <Icon row={row} />
              {renaming === row.key ? (
                <RenameField
                  name={row.name}
                  onName={async (name) => {
                    if (await state.rename(row, name)) scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
                  }}
                  onCancel={() => {
                    state.startRename(null);
                    scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
                  }}
                />
              ) : (
                <span className={styles.name}>{row.name}</span>
              )}
              {/* The space is between the words that a screen reader and a search find. */}{' '}
              {row.operation === null || row.operation === row.name || renaming === row.key ? null : (
                <span className={styles.operation}>{row.operation}</span>
              )}
            </div>
          );
        })}
      </div>
    </ContextMenu>
  );
}

function Icon({ row }: { readonly row: TreeRow }) {
  if (row.problem !== null) return <TriangleExclamationPoint aria-hidden="true" className={styles.icon} />;
  if (row.warnings.length > 0)
    return <TriangleExclamationPoint aria-hidden="true" className={classNames(styles.icon, styles.warned)} />;
  if (row.kind === 'collection') return <LibraryBig aria-hidden="true" className={styles.icon} />;
  if (row.kind === 'request') return <Braces aria-hidden="true" className={styles.icon} />;
  return row.expanded === true ? (
    <FolderOpen aria-hidden="true" className={styles.icon} />
  ) : (
    <Folder aria-hidden="true" className={styles.icon} />
  );
}

/** What is shown stands in it as it is shown. */
function label(row: TreeRow): string {
  if (row.problem !== null) return `${row.name}, cannot be read`;
  if (row.warnings.length > 0) return `${row.name}, ${row.kind}, not all of it is read`;
  if (row.kind !== 'request') return `${row.name}, ${row.kind}`;
  return row.operation === null || row.operation === row.name ? `${row.name}, request` : `${row.name} ${row.operation}`;
}

function title(row: TreeRow): string {
  if (row.problem !== null) return `${row.path}: ${row.problem.message}`;
  const path = row.path === '' ? row.name : row.path;
  return [path, ...row.warnings.map(({ message }) => message)].join('\n');
}

function inField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement;
}

function scrollToRow(index: number, { scrollTop, height }: ScrolledBox): number {
  const top = index * ROW;
  return top < scrollTop ? top : Math.max(scrollTop, top + ROW - height);
}
