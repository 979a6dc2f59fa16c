import type { ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';
import styles from './page-frame.module.css';

/**
 * A screen, or a pane of one: its head keeps its height, its last part takes the rest. With a `label` it is a region of that name,
 * and F6 stops at it by `pane`.
 */
export function PageFrame({
  label,
  pane,
  ref,
  className,
  children,
}: {
  label?: string;
  pane?: string;
  ref?: Ref<HTMLDivElement>;
  className?: string | undefined;
  children: ReactNode;
}) {
  const own = classNames(styles.page, className);
  if (label === undefined) {
    return (
      <div className={own} ref={ref}>
        {children}
      </div>
    );
  }
  return (
    <section className={own} ref={ref} aria-label={label} data-pane={pane}>
      {children}
    </section>
  );
}

/**
 * The title row of a page: its heading with the parts beside it, and the actions at the end. `form` is above a column of fields and
 * keeps its edge, `pane` is the row of a pane.
 */
export function PageHead({
  kind = 'page',
  className,
  actions,
  children,
}: {
  kind?: 'page' | 'form' | 'pane';
  className?: string | undefined;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <header className={classNames(styles.head, kind !== 'page' && styles[kind], className)}>
      {children}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
