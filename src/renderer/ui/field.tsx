import { useId, useMemo, type ReactNode } from 'react';
import { CircleExclamationPoint, TriangleExclamationPoint } from 'lucide-react';
import { announcer } from './announcer.ts';
import { classNames } from './class-names.ts';
import { FieldContext } from './field-context.ts';
import styles from './field.module.css';

/**
 * A label with its control, and help under it: `hint` (always), `warning` (does not block), `error` (must be corrected). The
 * control inside (TextField, TextArea, Select, SegmentedChoice, Switch) takes its IDs from here by itself.
 */
export function Field({
  label,
  note,
  hint,
  warning,
  error,
  layout = 'row',
  group = false,
  code = false,
  children,
}: {
  label: ReactNode;
  /** Small words under the label: a limit, a type. */
  note?: ReactNode;
  hint?: ReactNode;
  warning?: ReactNode;
  error?: ReactNode;
  layout?: 'row' | 'stack';
  /** True if there are several controls inside: the label then names the group. */
  group?: boolean;
  /** True if the label is a name on the wire. */
  code?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const shown = { hint: present(hint), warning: present(warning), error: present(error) };
  const describedBy = (['hint', 'warning', 'error'] as const)
    .filter((kind) => shown[kind])
    .map((kind) => `${id}-${kind}`)
    .join(' ');
  const invalid = shown.error;
  const context = useMemo(() => {
    // A group is described as a whole; its controls share its error, as nobody knows whose it is.
    if (group) return invalid ? { id: undefined, describedBy: `${id}-error`, invalid } : null;
    return { id, describedBy: describedBy === '' ? undefined : describedBy, invalid };
  }, [id, describedBy, invalid, group]);
  const labelText = (
    <>
      <span className={code ? 'code' : undefined}>{label}</span>
      {present(note) ? <span className={styles.note}>{note}</span> : null}
    </>
  );
  return (
    <div
      className={classNames(styles.field, layout === 'stack' && styles.stack)}
      {...(group ? { role: 'group', 'aria-labelledby': `${id}-label`, 'aria-describedby': describedBy || undefined } : {})}
    >
      {group ? (
        <div className={styles.label} id={`${id}-label`}>
          {labelText}
        </div>
      ) : (
        <label className={styles.label} htmlFor={id} id={`${id}-label`}>
          {labelText}
        </label>
      )}
      <div className={styles.control}>
        <FieldContext value={context}>{children}</FieldContext>
        {shown.hint ? (
          <div className={styles.hint} id={`${id}-hint`}>
            {hint}
          </div>
        ) : null}
        {shown.warning ? (
          <div className={classNames(styles.sign, 'warn')} id={`${id}-warning`}>
            <TriangleExclamationPoint />
            <span>{warning}</span>
          </div>
        ) : null}
        {shown.error ? (
          <div className={classNames(styles.sign, 'bad')} id={`${id}-error`} ref={appear}>
            <CircleExclamationPoint />
            <span>{error}</span>
          </div>
        ) : null}
      </div>
    </div>
  );
}

/**
 * Scrolls to an error that appears in the dialog where the user is: in a low window it would be below the fold. Says it if its field has
 * the keyboard, or is given it; those of other fields are read with them.
 */
function appear(error: HTMLElement | null): void {
  if (error === null) return;
  if (error.closest('[data-modal]')?.contains(document.activeElement) === true) error.scrollIntoView({ block: 'nearest' });
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (error.parentElement?.contains(document.activeElement) === true) announcer.say(error.textContent, { urgent: true });
    }),
  );
}

function present(node: ReactNode): boolean {
  if (Array.isArray(node)) return node.some((part: ReactNode) => present(part));
  return node !== undefined && node !== null && node !== false && node !== '';
}
