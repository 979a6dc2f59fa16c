import { useEffect, useRef, type KeyboardEvent } from 'react';
import { Plus, X } from 'lucide-react';
import { classNames } from '#renderer/ui/class-names.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { nextIndex } from '#renderer/ui/roving.ts';
import type { LauncherStore, LaunchTab } from './launcher-state.ts';
import styles from '#renderer/ui/tab-strip.module.css';

/** The id of the panel that all tabs control. */
export const launchPanelId = 'launch-tab-panel';

/** The open launches. Arrow keys choose, Delete closes the tab with its games. */
export function LaunchTabs({
  store,
  tabs,
  activeId,
  nameOf,
}: {
  store: LauncherStore;
  tabs: readonly LaunchTab[];
  activeId: string | null;
  nameOf: (tab: LaunchTab) => string;
}) {
  const list = useRef<HTMLDivElement>(null);
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
    if (at < 0) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      const next = tabs[at + 1] ?? tabs[at - 1];
      actions.closeTab(tabs[at]?.id);
      focusTab(next?.id);
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = nextIndex(event.key, at, tabs.length, 'horizontal');
    if (next === null) return;
    event.preventDefault();
    focusTab(tabs[next]?.id);
  }

  return (
    <div className={styles.strip}>
      <div className={styles.list} role="tablist" aria-label="Launches" ref={list}>
        {tabs.map((tab) => {
          const selected = tab.id === activeId;
          const name = nameOf(tab);
          const busy = tab.preparing.state === 'sending';
          const open = tab.slots.some(({ shown }) => shown.state === 'view' || shown.state === 'frame');
          return (
            <div key={tab.id} role="presentation" className={classNames(styles.tab, selected && styles.on)}>
              <button
                type="button"
                role="tab"
                id={`launch-tab-${tab.id}`}
                data-tab={tab.id}
                aria-selected={selected}
                aria-controls={selected ? launchPanelId : undefined}
                tabIndex={selected ? 0 : -1}
                className={styles.name}
                title={name}
                onClick={() => actions.selectTab(tab.id)}
                onKeyDown={onKeyDown}
              >
                <span className={styles.text}>{name}</span>
                {busy ? <span className={styles.busy} title="Waiting for an answer" /> : null}
                {open && !busy ? <span className={styles.dot} title="The game is open" /> : null}
                <span className="visually-hidden">{busy ? ', waiting' : open ? ', open' : ''}</span>
              </button>
              {/* A tab may hold nothing else for a screen reader; Delete and the palette close it there. */}
              <button
                type="button"
                aria-hidden="true"
                tabIndex={-1}
                className={styles.close}
                title={`Close ${name}`}
                onClick={() => actions.closeTab(tab.id)}
              >
                <X />
              </button>
            </div>
          );
        })}
      </div>
      <IconButton label="New launch" icon={<Plus />} small className={styles.add} onClick={actions.newTab} />
    </div>
  );
}
