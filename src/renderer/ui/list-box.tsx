import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { useField } from './field-context.ts';
import styles from './list-box.module.css';

interface ListOption {
  readonly value: string;
  readonly label: string;
  /** Depth in a tree, from 0. */
  readonly level?: number;
}

type ListBoxProps = Omit<ComponentProps<'select'>, 'onChange' | 'value' | 'children' | 'size'> & {
  options: readonly ListOption[];
  value: string;
  onChange: (value: string) => void;
  /** Called by Enter and a double click. */
  onOpen?: (value: string) => void;
};

/** Rows in sight: a short list is short. */
const leastRows = 3;
const mostRows = 7;

/** Chooses one of a list that stays in sight; a native one, with the keys that a list has. */
export function ListBox({ options, value, onChange, onOpen, className, id, ...rest }: ListBoxProps) {
  const field = useField();
  return (
    <select
      id={id ?? field?.id}
      aria-describedby={field?.describedBy}
      {...rest}
      size={Math.min(mostRows, Math.max(leastRows, options.length))}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || onOpen === undefined || value === '') return;
        event.preventDefault();
        onOpen(value);
      }}
      onDoubleClick={() => {
        if (value !== '') onOpen?.(value);
      }}
      className={classNames(styles.list, className)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} style={{ paddingInlineStart: 9 + (option.level ?? 0) * 16 }}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
