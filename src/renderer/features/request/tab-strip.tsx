import { memo, useEffect, useRef, type KeyboardEvent } from 'react';
import { Plus, X } from 'lucide-react';
import { operationByName } from '#shared/provider/index.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { ContextMenu, type MenuItem } from '#renderer/ui/menu.tsx';
import { nextIndex } from '#renderer/ui/roving.ts';
import type { RequestStore, RequestTab } from './request-store.ts';
import styles from '#renderer/ui/tab-strip.module.css';

/** What the strip needs of a tab; typing changes none of it. */
export type TabHead = Pick<RequestTab, 'id' | 'operation' | 'dirty'> & { readonly sending: boolean };

/** The id of the panel that all tabs control. */
export const tabPanelId = 'request-tab-panel';

/** The name of an operation as it stands on a tab: a wallet method is a path. */
export function operationLabel(name: RequestTab['operation']): string {
  return operationByName(name).endpoint === 'wallet' ? `/${name}` : name;
}

/** The open requests. Arrow keys choose, Delete closes, Alt+Shift with an arrow key moves a tab; so does dragging it. */
export const TabStrip = memo(function TabStrip(props: {
  readonly tabs: readonly TabHead[];
  readonly activeId: string | null;
  readonly store: RequestStore;
}) {
  const { tabs, activeId, store } = props;
  const list = useRef<HTMLDivElement>(null);
  const dragged = useRef<string | null>(null);
  const actions = store.getState();

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [activeId, tabs.length]);

  function focusTab(id: string | undefined) {
    if (id === undefined) return;
    actions.selectTab(id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(id)}"]`)?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.id === activeId);
    if (activeId === null || at < 0) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      const next = tabs[at + 1] ?? tabs[at - 1];
      actions.closeTab(activeId);
      focusTab(next?.id);
      return;
    }
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (event.altKey && event.shiftKey && step !== 0) {
      event.preventDefault();
      actions.moveTab(activeId, at + step);
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = nextIndex(event.key, at, tabs.length, 'horizontal');
    if (next === null) return;
    event.preventDefault();
    focusTab(tabs[next]?.id);
  }

  function menu(tab: TabHead, at: number): MenuItem[] {
    return [
      { kind: 'action', id: 'duplicate', label: 'Duplicate', keys: 'Mod+D', onSelect: () => actions.duplicateTab(tab.id) },
      { kind: 'action', id: 'left', label: 'Move left', disabled: at === 0, onSelect: () => actions.moveTab(tab.id, at - 1) },
      {
        kind: 'action',
        id: 'right',
        label: 'Move right',
        disabled: at === tabs.length - 1,
        onSelect: () => actions.moveTab(tab.id, at + 1),
      },
      { kind: 'separator', id: 'line' },
      { kind: 'action', id: 'reopen', label: 'Reopen closed tab', keys: 'Mod+Shift+T', onSelect: () => actions.reopenTab() },
      { kind: 'action', id: 'close', label: 'Close', keys: 'Mod+W', onSelect: () => actions.closeTab(tab.id) },
    ];
  }

  return (
    <div className={styles.strip}>
      <div role="tablist" aria-label="Open requests" className={styles.list} ref={list}>
        {tabs.map((tab, at) => {
          const selected = tab.id === activeId;
          return (
            <ContextMenu key={tab.id} items={menu(tab, at)}>
              <div
                role="presentation"
                className={classNames(styles.tab, selected && styles.on)}
                draggable
                onDragStart={() => {
                  dragged.current = tab.id;
                }}
                onDragOver={(event) => {
                  if (dragged.current !== null) event.preventDefault();
                }}
                onDrop={() => {
                  if (dragged.current !== null) actions.moveTab(dragged.current, at);
                  dragged.current = null;
                }}
                onAuxClick={(event) => {
                  if (event.button === 1) actions.closeTab(tab.id);
                }}
              >
                <button
                  type="button"
                  role="tab"
                  id={`tab-${tab.id}`}
                  data-tab={tab.id}
                  aria-selected={selected}
                  aria-controls={selected ? tabPanelId : undefined}
                  tabIndex={selected ? 0 : -1}
                  className={classNames(styles.name, 'code')}
                  onClick={() => actions.selectTab(tab.id)}
                  onKeyDown={onKeyDown}
                >
                  {operationLabel(tab.operation)}
                  {tab.sending ? <span className={styles.busy} title="Waiting for an answer" /> : null}
                  {tab.dirty ? <span className={styles.dot} title="Changed and not sent" /> : null}
                  <span className="visually-hidden">{`${tab.sending ? ', waiting' : ''}${tab.dirty ? ', changed' : ''}`}</span>
                </button>
                {/* A tab may hold nothing else for a screen reader; Delete and the menu close it there. */}
                <button
                  type="button"
                  aria-hidden="true"
                  tabIndex={-1}
                  className={styles.close}
                  title={`Close ${operationLabel(tab.operation)}`}
                  onClick={() => actions.closeTab(tab.id)}
                >
                  <X />
                </button>
              </div>
            </ContextMenu>
          );
        })}
      </div>
      <IconButton
        label="New request"
        keys="Mod+N"
        icon={<Plus />}
        small
        className={styles.add}
        onClick={() => actions.newTab()}
      />
    </div>
  );
});
