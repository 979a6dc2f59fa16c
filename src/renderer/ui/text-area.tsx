import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { useField } from './field-context.ts';
import styles from './text-field.module.css';

/** Several lines of text. Inside a Field it is named and described by it. */
export function TextArea({
  value,
  onText,
  code = false,
  className,
  id,
  ...rest
}: Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> & { value: string; onText: (text: string) => void; code?: boolean }) {
  const field = useField();
  return (
    <textarea
      autoComplete="off"
      spellCheck={false}
      rows={3}
      id={id ?? field?.id}
      aria-describedby={field?.describedBy}
      aria-invalid={field?.invalid === true || undefined}
      {...rest}
      value={value}
      onChange={(event) => onText(event.target.value)}
      className={classNames(styles.frame, styles.area, code && styles.code, field?.invalid === true && styles.invalid, className)}
    />
  );
}
