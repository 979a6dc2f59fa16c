import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Kbd } from './kbd.tsx';
import styles from './button.module.css';

/**
 * Props of a button: `primary` is the next action, `quiet` has no edge, `keys` shows its shortcut, `busy` keeps its width and shows
 * that it works.
 */
export type ButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  variant?: 'primary' | 'plain' | 'danger' | 'quiet';
  icon?: ReactNode;
  keys?: string;
  busy?: boolean;
  children: ReactNode;
};

/** A push button, 28 px high. */
export function Button({
  variant = 'plain',
  icon,
  keys,
  busy = false,
  className,
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button type={type} className={classNames(styles.button, styles[variant], className)} aria-busy={busy || undefined} {...rest}>
      {icon}
      <span>{children}</span>
      {keys === undefined ? null : <Kbd keys={keys} quiet={variant === 'primary'} />}
    </button>
  );
}
