import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useAriaKeys, type Keys } from './command-keys.ts';
import { Kbd } from './kbd.tsx';
import styles from './button.module.css';

/**
 * Props of a button: `primary` is the next action, `quiet` has no edge, `keys` or `command` shows its shortcut, `busy` keeps its width and shows
 * that it works.
 */
export type ButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  Keys & {
    variant?: 'primary' | 'plain' | 'danger' | 'quiet';
    icon?: ReactNode;
    busy?: boolean;
    children: ReactNode;
  };

/** A push button, 28 px high. */
export function Button({
  variant = 'plain',
  icon,
  keys,
  command,
  busy = false,
  className,
  type = 'button',
  disabled,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const ariaKeys = useAriaKeys({ keys, command });
  return (
    <button
      type={type}
      aria-keyshortcuts={ariaKeys}
      className={classNames(styles.button, styles[variant], className)}
      // A busy one keeps the keyboard, which it would lose if the browser disabled it.
      {...(busy ? { 'aria-busy': true, 'aria-disabled': true, onClick: stop } : { disabled, onClick })}
      // The rule of the focus passes over controls that remove something; quiet ones are marked where they stand.
      data-danger={variant === 'danger' || undefined}
      {...rest}
    >
      {icon}
      <span>{children}</span>
      <Kbd keys={keys} command={command} quiet={variant === 'primary'} />
    </button>
  );
}

/** Holds back a click, and with it the submission of the form. */
function stop(event: MouseEvent): void {
  event.preventDefault();
}
