import { useId, useMemo, useState, type ComponentProps, type KeyboardEvent } from 'react';
import { classNames } from './class-names.ts';
import { useField } from './field-context.ts';
import { FindMenu } from './find-menu.tsx';
import styles from './select.module.css';

interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
  /** Text that a search looks in as well, if the label is shortened. */
  readonly whole?: string;
  readonly disabled?: boolean;
}

type SelectProps<V extends string> = Omit<ComponentProps<'select'>, 'onChange' | 'value' | 'children'> & {
  options: readonly Option<V>[];
  value: V;
  onChange: (value: V) => void;
  code?: boolean;
  /** As wide as its text, in a row with others. */
  fit?: boolean;
};

/** Number of options from which one is found by typing: a browser draws each option of a select. */
const manyFrom = 50;

/**
 * Chooses one of a list. A short list is a native select, whose popup is drawn from the tokens if the browser can do so. The
 * ready-made component writes HTML text into the page, which the page's Trusted Types policy refuses. Of many options only those in
 * sight are drawn.
 */
export function Select<V extends string>(props: SelectProps<V>) {
  return props.options.length < manyFrom ? <NativeSelect {...props} /> : <FoundSelect {...props} />;
}

function NativeSelect<V extends string>({
  options,
  value,
  onChange,
  code = false,
  fit = false,
  className,
  id,
  ...rest
}: SelectProps<V>) {
  const field = useField();
  return (
    <select
      id={id ?? field?.id}
      aria-describedby={field?.describedBy}
      aria-invalid={field?.invalid === true || undefined}
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value as V)}
      onKeyDown={submitOnEnter}
      className={classNames(styles.select, code && styles.code, fit && styles.fit, className)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** Submits the form, as Enter does in a text field. In the open list it chooses. */
function submitOnEnter(event: KeyboardEvent<HTMLSelectElement>): void {
  if (event.key !== 'Enter' || event.target !== event.currentTarget || event.currentTarget.form === null) return;
  event.preventDefault();
  event.currentTarget.form.requestSubmit();
}

function FoundSelect<V extends string>({
  options,
  value,
  onChange,
  code = false,
  fit = false,
  className,
  id,
  ...rest
}: SelectProps<V>) {
  const field = useField();
  const [open, setOpen] = useState(false);
  const own = useId();
  const choices = useMemo(
    () =>
      options.map((option) => ({
        id: option.value,
        text: option.label,
        whole: option.whole,
        disabled: option.disabled === true,
      })),
    [options],
  );
  return (
    <FindMenu
      label={rest['aria-label'] ?? 'Choices'}
      choices={choices}
      chosen={value}
      open={open}
      onOpenChange={setOpen}
      onChoose={(chosen) => onChange(chosen as V)}
      trigger={
        <button
          type="button"
          role="combobox"
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-label={rest['aria-label']}
          aria-controls={open ? own : undefined}
          id={id ?? field?.id}
          aria-describedby={field?.describedBy}
          aria-invalid={field?.invalid === true || undefined}
          disabled={rest.disabled}
          className={classNames(styles.select, styles.found, code && styles.code, fit && styles.fit, className)}
          onKeyDown={(event) => {
            // These keys open a select.
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
            event.preventDefault();
            setOpen(true);
          }}
        >
          <span className={styles.text}>{choices.find((choice) => choice.id === value)?.text ?? ''}</span>
        </button>
      }
    />
  );
}
