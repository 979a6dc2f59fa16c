import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { nextIndex } from './roving.ts';
import styles from './segmented.module.css';

/** One view to choose. `badge` is a count or a short word behind the label. */
export interface SegmentedItem<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly badge?: ReactNode;
}

/**
 * The 36 px bar over a pane that chooses between views of one thing; `children` renders the chosen view inside its tab panel. Arrow
 * keys, Home and End move; only the chosen tab is in the tab order.
 */
export function Segmented<V extends string>({
  label,
  items,
  value,
  onChange,
  lead,
  aside,
  panelClassName,
  children,
}: {
  label: string;
  items: readonly SegmentedItem<V>[];
  value: V;
  onChange: (value: V) => void;
  /** A heading before the tabs. */
  lead?: ReactNode;
  /** The right end: a count, a setting, a small button. */
  aside?: ReactNode;
  panelClassName?: string | undefined;
  children?: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    const at = nextIndex(
      event.key,
      items.findIndex((item) => item.value === value),
      items.length,
      'horizontal',
    );
    const target = at === null ? undefined : items[at];
    if (target === undefined) return;
    event.preventDefault();
    onChange(target.value);
    list.current?.querySelector<HTMLButtonElement>(`[data-value="${CSS.escape(target.value)}"]`)?.focus();
  }

  return (
    <>
      <div className={styles.bar}>
        {lead === undefined ? null : <div className={styles.lead}>{lead}</div>}
        <div role="tablist" aria-label={label} className={styles.list} ref={list}>
          {items.map((item) => {
            const selected = item.value === value;
            return (
              <button
                key={item.value}
                type="button"
                role="tab"
                id={`${id}-${item.value}`}
                data-value={item.value}
                aria-selected={selected}
                aria-controls={selected && children !== undefined ? `${id}-panel` : undefined}
                tabIndex={selected ? 0 : -1}
                className={classNames(styles.tab, selected && styles.on)}
                onClick={() => onChange(item.value)}
                onKeyDown={onKeyDown}
              >
                {item.label}
                {/* The space is in the name. */}
                {item.badge === undefined ? null : <span className={styles.badge}> {item.badge}</span>}
              </button>
            );
          })}
        </div>
        {aside === undefined ? null : <div className={styles.aside}>{aside}</div>}
      </div>
      {children === undefined ? null : (
        <div
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${value}`}
          className={classNames('fill-column', panelClassName)}
        >
          {children}
        </div>
      )}
    </>
  );
}
