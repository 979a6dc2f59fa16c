import { useId, type ComponentProps, type MouseEvent, type ReactNode } from 'react';
import { announcer } from './announcer.ts';
import { classNames } from './class-names.ts';
import { useAriaKeys, type Keys } from './command-keys.ts';
import { Kbd } from './kbd.tsx';
import styles from './button.module.css';

/**
 * Props of a button: `primary` is the next action, `quiet` has no edge, `keys` or `command` shows its shortcut, `busy` keeps its width and shows
 * that it works. `waits` is the reason why it cannot act yet: it stands before the button, which keeps the keyboard.
 */
export type ButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  Keys & {
    variant?: 'primary' | 'plain' | 'danger' | 'quiet';
    icon?: ReactNode;
    busy?: boolean;
    waits?: string | null | undefined;
    children: ReactNode;
  };

/** A push button, 28 px high. */
export function Button({
  variant = 'plain',
  icon,
  keys,
  command,
  busy = false,
  waits = null,
  className,
  type = 'button',
  disabled,
  onClick,
  children,
  'aria-describedby': describedBy,
  ...rest
}: ButtonProps) {
  const ariaKeys = useAriaKeys({ keys, command });
  const reasonId = useId();
  // A busy one keeps the keyboard, which it would lose if the browser disabled it; so does one whose reason is to be read.
  const acts = busy
    ? { 'aria-busy': true, 'aria-disabled': true, onClick: stop }
    : waits === null
      ? { disabled, onClick }
      : {
          'aria-disabled': true,
          onClick(event: MouseEvent) {
            stop(event);
            announcer.say(waits);
          },
        };
  const button = (
    <button
      type={type}
      aria-keyshortcuts={ariaKeys}
      className={classNames(styles.button, styles[variant], className)}
      {...acts}
      aria-describedby={classNames(describedBy, !busy && waits !== null && reasonId) || undefined}
      // The rule of the focus passes over controls that remove something; quiet ones are marked where they stand.
      data-danger={variant === 'danger' || undefined}
      {...rest}
    >
      {icon}
      <span>{children}</span>
      <Kbd keys={keys} command={command} quiet={variant === 'primary'} />
    </button>
  );
  // The same element whether it waits or not: another one would lose the keyboard.
  return (
    <>
      {busy || waits === null ? null : (
        <span id={reasonId} data-waits className={styles.reason}>
          {waits}
        </span>
      )}
      {button}
    </>
  );
}

/** Holds back a click, and with it the submission of the form. */
function stop(event: MouseEvent): void {
  event.preventDefault();
}
