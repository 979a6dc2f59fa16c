import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './pill.module.css';

export type PillTone = 'good' | 'warn' | 'bad' | 'plain' | 'note';

/** A short fact with a tone; the words carry the meaning, the colour repeats it. `size` small fits list rows; `round` is for a verdict on its own. */
export function Pill({
  tone = 'plain',
  size = 'medium',
  round = false,
  icon,
  title,
  children,
}: {
  tone?: PillTone;
  size?: 'small' | 'medium' | 'large';
  round?: boolean;
  icon?: ReactNode;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={classNames(styles.pill, `on-${tone}`, styles[tone], styles[size], round && styles.round)} title={title}>
      {icon}
      {children}
    </span>
  );
}
