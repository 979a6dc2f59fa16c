import { RadioGroup } from 'radix-ui';
import { useField } from './field-context.ts';
import styles from './segmented-choice.module.css';

/** Chooses one of a few values (two to four short words), as radio buttons in one frame. `value` null: none chosen. */
export function SegmentedChoice<V extends string>({
  label,
  options,
  value,
  onChange,
  disabled = false,
}: {
  label: string;
  options: readonly { readonly value: V; readonly label: string }[];
  value: V | null;
  onChange: (value: V) => void;
  disabled?: boolean;
}) {
  const field = useField();
  return (
    <RadioGroup.Root
      className={styles.group}
      aria-label={label}
      aria-describedby={field?.describedBy}
      aria-invalid={field?.invalid === true || undefined}
      orientation="horizontal"
      value={value}
      disabled={disabled}
      onValueChange={(next) => onChange(next as V)}
    >
      {options.map((option) => (
        <RadioGroup.Item key={option.value} value={option.value} className={styles.item ?? ''}>
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
