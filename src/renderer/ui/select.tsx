import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { useField } from './field-context.ts';
import styles from './select.module.css';

/**
 * Chooses one of a list. A native select whose popup is drawn from the tokens where the browser can:
 * the ready-made one writes HTML text into the page, which the page's Trusted Types policy refuses.
 */
export function Select<V extends string>({
  options,
  value,
  onChange,
  code = false,
  className,
  id,
  ...rest
}: Omit<ComponentProps<'select'>, 'onChange' | 'value' | 'children'> & {
  options: readonly { readonly value: V; readonly label: string; readonly disabled?: boolean }[];
  value: V;
  onChange: (value: V) => void;
  code?: boolean;
}) {
  const field = useField();
  return (
    <select
      id={id ?? field?.id}
      aria-describedby={field?.describedBy}
      aria-invalid={field?.invalid === true || undefined}
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value as V)}
      className={classNames(styles.select, code && styles.code, className)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
