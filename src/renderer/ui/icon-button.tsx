import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useAriaKeys, type Keys } from './command-keys.ts';
import { Tooltip } from './tooltip.tsx';
import styles from './icon-button.module.css';

/** Props of an icon button; `label` is its accessible name and its tooltip. */
export type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> &
  Keys & {
    label: string;
    icon: ReactNode;
    side?: 'top' | 'right' | 'bottom' | 'left';
    /** A smaller square for use inside a row or a tab. */
    small?: boolean;
  };

/** A square button with an icon alone. */
export function IconButton({
  label,
  icon,
  keys,
  command,
  side = 'bottom',
  small = false,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const ariaKeys = useAriaKeys({ keys, command });
  return (
    <Tooltip names content={label} keys={keys} command={command} side={side}>
      <button
        type={type}
        aria-label={label}
        aria-keyshortcuts={ariaKeys}
        className={classNames(styles.button, small && styles.small, className)}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
