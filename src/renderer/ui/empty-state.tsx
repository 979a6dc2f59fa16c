import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './empty-state.module.css';

/** Fills an empty place: what will appear here, and the first step as an action. `small`: a place below a heading of its own. */
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
  const Title = small ? 'h3' : 'h2';
  return (
    <div className={classNames(styles.state, small && styles.small)}>
      {icon === undefined ? null : (
        <div className={styles.icon} aria-hidden="true">
          {icon}
        </div>
      )}
      <Title className={styles.title}>{title}</Title>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  );
}
