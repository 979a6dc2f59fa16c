import type { ReactNode } from 'react';
import { Switch as RadixSwitch } from 'radix-ui';
import { useField } from './field-context.ts';
import styles from './switch.module.css';

/** Turns one thing on or off at once. `children` are the words beside it; inside a Field they may be left out. */
export function Switch({
  checked,
  onChange,
  label,
  disabled = false,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** The accessible name where neither a Field nor words beside it give one. */
  label?: string;
  disabled?: boolean;
  children?: ReactNode;
}) {
  const field = useField();
  const control = (
    <RadixSwitch.Root
      className={styles.track}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
      {...(field === null ? {} : { id: field.id })}
      aria-label={label}
      aria-describedby={field?.describedBy}
    >
      <RadixSwitch.Thumb className={styles.thumb} />
    </RadixSwitch.Root>
  );
  return children === undefined ? (
    <span className={styles.row}>{control}</span>
  ) : (
    <label className={styles.row}>
      {control}
      <span>{children}</span>
    </label>
  );
}
