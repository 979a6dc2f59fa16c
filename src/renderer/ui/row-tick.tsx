import styles from './row-tick.module.css';

/** The box that ticks a row of a table. Space does it from the row: one stop for the keyboard and not two. */
export function RowTick({
  label,
  checked,
  onTick,
}: {
  label: string;
  checked: boolean;
  /** `range`: with all up to it from the row that was ticked last. */
  onTick: (on: boolean, range: boolean) => void;
}) {
  return (
    <input
      type="checkbox"
      className={styles.tick}
      tabIndex={-1}
      aria-label={label}
      checked={checked}
      onChange={(event) => {
        onTick(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey);
        // The keys of the list are those of its rows.
        event.target.closest('tr')?.focus();
      }}
    />
  );
}
