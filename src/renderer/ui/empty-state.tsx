import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './empty-state.module.css';

/** Fills an empty place: what will appear here, and the first step as an action. */
export function EmptyState({
  icon,
  title,
  action,
  small = false,
  children,
}: {
  icon?: ReactNode;
  title: string;
  action?: ReactNode;
  small?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className={classNames(styles.state, small && styles.small)}>
      {icon === undefined ? null : (
        <div className={styles.icon} aria-hidden="true">
          {icon}
        </div>
      )}
      <h3 className={styles.title}>{title}</h3>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  );
}
