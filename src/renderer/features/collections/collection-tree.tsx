import { useMemo, type KeyboardEvent as ReactKeyboardEvent } from 'react';
import {
  Braces,
  ChevronRight,
  Folder,
  FolderOpen,
  GitMergeConflict,
  LibraryBig,
  SquareDot,
  SquarePlus,
  TriangleExclamationPoint,
} from 'lucide-react';
import { useStore } from 'zustand';
import { classNames } from '#renderer/ui/class-names.ts';
import { ContextMenu } from '#renderer/ui/menu.tsx';
import { useItemWindow, type ScrolledBox } from '#renderer/ui/use-item-window.ts';
import type { CollectionsState, CollectionsStore } from './collections-store.ts';
import { RenameField } from './rename-field.tsx';
import { RowButtons } from './row-buttons.tsx';
import { rowMenu, type RowActions } from './row-menu.tsx';
import { createTreeKeys, keyAction } from './tree-keys.ts';
import type { TreeRow } from './tree-rows.ts';
import { useRowDrag } from './use-row-drag.ts';
import { sidebarRow } from '#renderer/ui/sidebar.tsx';
import styles from './collection-tree.module.css';

/** Height in pixels, as that of `.row`. */
const ROW = 26;

interface CollectionTreeProps {
  readonly store: CollectionsStore;
  readonly rows: readonly TreeRow[];
  /** Key of the row of the request that is shown. */
  readonly currentKey: string | null;
  readonly actions: RowActions;
}

/** The open collections as a tree, of which only the rows in sight are drawn. */
export function CollectionTree({ store, rows, currentKey, actions }: CollectionTreeProps) {
  const state = useStore(store);
  const { activeKey, renaming, filter } = state;
  const keys = useMemo(() => createTreeKeys(Date.now), []);
  const { drop, dragging, onDragLeave } = useRowDrag(state);

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
      if (row === undefined || event.type !== 'click' || inField(event.target) || onButton(event.target)) return;
      open(row);
    },
    keepInSight: keyIndex(activeKey),
  });
  const active = rows[drawn.active];

  function open(row: TreeRow): void {
    if (row.expanded !== null) state.toggle(row.key, !row.expanded);
    else if (row.problem === null) actions.onOpen(row);
    else if (row.problem.conflict === true) state.compareVersions(row);
  }

  function move(event: KeyboardEvent, from: number, box: ScrolledBox): number | null {
    if (inField(event.target)) return null;
    const page = Math.max(1, Math.floor(box.height / ROW) - 1);
    return keys.rowFrom(event, from, { rows, page, filtered: filter !== '' });
  }

  /** Gives the focus back to the row from which the field for a name took it. */
  function focusRow(): void {
    scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  function onKeyDown(event: ReactKeyboardEvent): void {
    if (active === undefined || event.defaultPrevented || inField(event.target)) return;
    if (onButton(event.target) && (event.key === 'Enter' || event.key === ' ')) return;
    const act = keyAction(event, active, { ...state, open });
    if (act === null) return;
    event.preventDefault();
    act();
  }

  return (
    <ContextMenu
      items={active === undefined ? [] : rowMenu(active, store, actions)}
      // By then the field for the name has the focus.
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
        onDragLeave={onDragLeave}
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
              data-opens={(row.kind === 'request' && (row.problem === null || row.problem.conflict === true)) || undefined}
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
                row.problem !== null && 'bad',
                drop?.key === row.key && styles[drop.where],
              )}
              style={{ top: index * ROW, paddingInlineStart: 6 + (row.level - 1) * 12 }}
              {...dragging(row)}
            >
              <RowContent row={row} state={state} renaming={renaming === row.key} onFocus={focusRow} />
              {renaming === row.key ? null : (
                <RowButtons row={row} active={index === drawn.active} onRun={actions.onRun} onVariables={state.edit} />
              )}
            </div>
          );
        })}
      </div>
    </ContextMenu>
  );
}

/** A row's arrow, icon and name, or the field for writing the name; `onFocus` gives the row the focus. */
function RowContent({
  row,
  state,
  renaming,
  onFocus,
}: {
  readonly row: TreeRow;
  readonly state: Pick<CollectionsState, 'rename' | 'startRename'>;
  readonly renaming: boolean;
  readonly onFocus: () => void;
}) {
  return (
    <>
      <ChevronRight className={classNames('faint', row.expanded === true && styles.down, row.expanded === null && styles.none)} />
      <Icon row={row} />
      {renaming ? (
        <RenameField
          name={row.name}
          onName={async (name) => {
            if (await state.rename(row, name)) onFocus();
          }}
          onCancel={() => {
            state.startRename(null);
            onFocus();
          }}
        />
      ) : (
        <span className={styles.name}>{row.name}</span>
      )}
      {/* The space separates the words that a screen reader and a search find. */}{' '}
      {row.operation === null || row.operation === row.name || renaming ? null : (
        <span className={styles.operation}>{row.operation}</span>
      )}
      {row.mark === null ? null : <Mark mark={row.mark} />}
    </>
  );
}

const marks = {
  new: { MarkIcon: SquarePlus, tone: 'good' },
  changed: { MarkIcon: SquareDot, tone: 'warn' },
  conflicted: { MarkIcon: GitMergeConflict, tone: 'bad' },
} as const;

/** The mark of a row that differs from the last commit; its words are in the name and the tooltip of the row. */
function Mark({ mark }: { readonly mark: NonNullable<TreeRow['mark']> }) {
  const { MarkIcon, tone } = marks[mark];
  return <MarkIcon aria-hidden="true" className={tone} />;
}

function Icon({ row }: { readonly row: TreeRow }) {
  if (row.problem !== null) return <TriangleExclamationPoint className="bad" />;
  if (row.warnings.length > 0) return <TriangleExclamationPoint className="warn" />;
  if (row.kind === 'collection') return <LibraryBig className="faint" />;
  if (row.kind === 'request') return <Braces className="faint" />;
  const FolderIcon = row.expanded === true ? FolderOpen : Folder;
  return <FolderIcon aria-hidden="true" className="faint" />;
}

/** Returns the name of a row for a screen reader, with everything that the row shows. */
function label(row: TreeRow): string {
  const difference = markWords(row);
  return difference === null ? named(row) : `${named(row)}, ${difference}`;
}

/** Says how a row differs from the last commit; null if it does not, or nobody knows. */
function markWords({ kind, mark, marked }: TreeRow): string | null {
  if (mark === null) return null;
  if (kind === 'request')
    return { new: 'not committed yet', changed: 'changed since the last commit', conflicted: 'in conflict' }[mark];
  const files = marked === 1 ? '1 file differs from the last commit' : `${marked} files differ from the last commit`;
  return mark === 'conflicted' ? `${files}, with a conflict` : files;
}

function named(row: TreeRow): string {
  if (row.problem !== null) return `${row.name}, cannot be read`;
  if (row.warnings.length > 0) return `${row.name}, ${row.kind}, has unknown fields`;
  if (row.kind !== 'request') return `${row.name}, ${row.kind}`;
  return row.operation === null || row.operation === row.name ? `${row.name}, request` : `${row.name} ${row.operation}`;
}

function title(row: TreeRow): string {
  const difference = markWords(row);
  const path = row.path === '' ? row.name : row.path;
  const lines =
    row.problem === null ? [path, ...row.warnings.map(({ message }) => message)] : [`${row.path}: ${row.problem.message}`];
  return [...lines, ...(difference === null ? [] : [`In git: ${difference}`])].join('\n');
}

function inField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement;
}

function onButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button') !== null;
}

function scrollToRow(index: number, { scrollTop, height }: ScrolledBox): number {
  const top = index * ROW;
  return top < scrollTop ? top : Math.max(scrollTop, top + ROW - height);
}
