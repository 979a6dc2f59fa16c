import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './sidebar.module.css';

/**
 * The list column of an area: its title, the parts at the title's end, and below it the list. On a narrow window the shell shows it
 * as a drawer. With `scrolls` the list scrolls by itself, below a title that stays.
 */
export function Sidebar({
  title,
  aside,
  scrolls = false,
  children,
}: {
  title: string;
  aside?: ReactNode;
  scrolls?: boolean;
  children: ReactNode;
}) {
  return (
    <SidebarColumn scrolls={scrolls}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </SidebarColumn>
  );
}

/** The column alone, for an area whose list begins with a search. */
export function SidebarColumn({ scrolls = false, children }: { scrolls?: boolean; children: ReactNode }) {
  return <div className={classNames(styles.column, scrolls && styles.scrolls)}>{children}</div>;
}

/** Returns the classes of a row that opens something; the open one is marked. */
export function sidebarRow(current: boolean, own?: string): string {
  return classNames(styles.row, current && styles.current, own);
}
