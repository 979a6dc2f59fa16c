import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useField } from './field-context.ts';
import styles from './text-field.module.css';

/** Props of a one-line field; `onText` gets the text alone. */
export type TextFieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'prefix'> & {
  value: string;
  onText: (text: string) => void;
  /** Set in the code face: anything that travels on the wire. */
  code?: boolean;
  /** Parts inside the frame, before and behind the text. */
  prefix?: ReactNode;
  suffix?: ReactNode;
};

/** One line of text. Inside a Field it is named and described by it. */
export function TextField({ value, onText, code = false, prefix, suffix, className, id, ...rest }: TextFieldProps) {
  const field = useField();
  return (
    <div className={classNames(styles.frame, field?.invalid === true && styles.invalid, className)}>
      {prefix}
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        id={id ?? field?.id}
        aria-describedby={field?.describedBy}
        aria-invalid={field?.invalid === true || undefined}
        {...rest}
        value={value}
        onChange={(event) => onText(event.target.value)}
        className={classNames(styles.input, code && styles.code)}
      />
      {suffix === undefined || suffix === null ? null : (
        <span className={styles.suffix} title={typeof suffix === 'string' ? suffix : undefined}>
          {suffix}
        </span>
      )}
    </div>
  );
}
