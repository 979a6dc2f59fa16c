import { useEffect, useRef, type DragEventHandler, type KeyboardEvent, type ReactElement } from 'react';
import { Plus, X } from 'lucide-react';
import type { CommandId } from '#shared/commands.ts';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { ContextMenu, type MenuItem } from './menu.tsx';
import { nextIndex } from './roving.ts';
import styles from './tab-strip.module.css';

export interface StripTab {
  readonly id: string;
  readonly name: string;
  /** Tells it from others of its name, and is drawn behind it; absent for nothing. */
  readonly detail?: string;
  /** Everything there is to say of it, for its tooltip; its name if that is all. */
  readonly whole?: string;
  /** True while it waits for a response. */
  readonly busy: boolean;
  /** Meaning of the dot beside the name: `word` for a screen reader, `title` for the mouse; null for no dot. */
  readonly mark: { readonly word: string; readonly title: string } | null;
}

/**
 * Tabs that are opened and closed. Arrow keys choose; Delete and the middle mouse button close. With `onMove` the user moves a tab
 * by dragging it, or by Alt+Shift and an arrow key.
 */
export function TabStrip<T extends StripTab>({
  label,
  tabs,
  activeId,
  panelId,
  code = false,
  add,
  onSelect,
  onClose,
  onMove,
  menu,
}: {
  label: string;
  tabs: readonly T[];
  activeId: string | null;
  /** ID of the panel that all tabs control; the ID of a tab's element is made of this one and the tab's own. */
  panelId: string;
  /** True if the names are names of the API, drawn as code. */
  code?: boolean;
  add: { readonly label: string; readonly command?: CommandId; readonly run: () => void };
  onSelect: (id: string) => void;
  onClose: (id: string) => void;
  /** `to` is 0-based and may be out of range. */
  onMove?: (id: string, to: number) => void;
  menu?: (tab: T, at: number) => readonly MenuItem[];
}) {
  const list = useRef<HTMLDivElement>(null);
  const dragged = useRef<string | null>(null);

  useEffect(() => {
    // Observing it scrolls at once, too.
    const observer = new ResizeObserver(() => {
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    if (list.current !== null) observer.observe(list.current);
    return () => observer.disconnect();
  }, [activeId, tabs.length]);

  function focusTab(tab: T | undefined) {
    if (tab === undefined) return;
    onSelect(tab.id);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(tabId(panelId, tab.id))}`)?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.id === activeId);
    const tab = tabs[at];
    if (tab === undefined) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      onClose(tab.id);
      focusTab(tabs[at + 1] ?? tabs[at - 1]);
      return;
    }
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (onMove !== undefined && event.altKey && event.shiftKey && step !== 0) {
      event.preventDefault();
      onMove(tab.id, at + step);
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = nextIndex(event.key, at, tabs.length, 'horizontal');
    if (next === null) return;
    event.preventDefault();
    focusTab(tabs[next]);
  }

  function dragging(tab: T, at: number): DragHandlers {
    if (onMove === undefined) return {};
    return {
      draggable: true,
      onDragStart() {
        dragged.current = tab.id;
      },
      onDragOver(event) {
        if (dragged.current !== null) event.preventDefault();
      },
      onDrop() {
        if (dragged.current !== null) onMove(dragged.current, at);
        dragged.current = null;
      },
    };
  }

  function drawn(tab: T, at: number): ReactElement {
    const { id, name, detail = '', whole = name, busy, mark } = tab;
    const selected = id === activeId;
    const words = [busy ? ', waiting' : '', mark === null ? '' : `, ${mark.word}`].join('');
    return (
      <div
        key={id}
        role="presentation"
        className={classNames(styles.tab, selected && styles.on)}
        onAuxClick={(event) => {
          if (event.button === 1) onClose(id);
        }}
        {...dragging(tab, at)}
      >
        <button
          type="button"
          role="tab"
          id={tabId(panelId, id)}
          aria-selected={selected}
          aria-controls={selected ? panelId : undefined}
          tabIndex={selected ? 0 : -1}
          className={classNames(styles.name, code && 'code')}
          title={[whole, mark?.title ?? ''].filter((text) => text !== '').join('\n')}
          onClick={() => onSelect(id)}
          onKeyDown={onKeyDown}
        >
          <span className={styles.text}>{name}</span>
          {/* The space separates the words for a screen reader. */}
          {detail === '' ? null : <span className={styles.detail}> {detail}</span>}
          {busy ? <span className={styles.busy} title="Waiting for a response" /> : null}
          {mark === null ? null : <span className={styles.dot} title={mark.title} data-own-colors />}
          <span className="visually-hidden">{words}</span>
        </button>
        {/* For a screen reader a tab may hold nothing else; there Delete and the palette close it. */}
        <button
          type="button"
          aria-hidden="true"
          tabIndex={-1}
          className={styles.close}
          title={`Close ${detail === '' ? name : `${name} ${detail}`}`}
          onClick={() => onClose(id)}
        >
          <X />
        </button>
      </div>
    );
  }

  return (
    <div className={styles.strip}>
      <div role="tablist" aria-label={label} className={styles.list} ref={list}>
        {tabs.map((tab, at) =>
          menu === undefined ? (
            drawn(tab, at)
          ) : (
            <ContextMenu key={tab.id} items={menu(tab, at)}>
              {drawn(tab, at)}
            </ContextMenu>
          ),
        )}
      </div>
      <IconButton label={add.label} command={add.command} icon={<Plus />} small className={styles.add} onClick={add.run} />
    </div>
  );
}

/** Returns the ID of a tab's element, which labels its panel. */
export function tabId(panelId: string, id: string): string {
  return `${panelId}-${id}`;
}

type DragHandlers = Partial<{
  readonly draggable: boolean;
  readonly onDragStart: DragEventHandler;
  readonly onDragOver: DragEventHandler;
  readonly onDrop: DragEventHandler;
}>;
