import type { RequestSubstitution } from '#shared/variables/substitute-request.ts';
import { WarningLine } from '#renderer/ui/warning-line.tsx';
import styles from './request-workspace.module.css';

/** Number of variables that are listed: nobody reads more before the first is corrected. */
const SHOWN = 3;

/** The variables that have no value, each with its position; nothing is sent until they have one. */
export function Unresolved({ filled }: { readonly filled: RequestSubstitution | null }) {
  if (filled === null || filled.ok || filled.errors.length === 0) return null;
  const { errors } = filled;
  return (
    <WarningLine said="status" label="Variables without a value">
      <div className={styles.lines}>
        {errors.slice(0, SHOWN).map(({ field, line, column, message, start }) => (
          <p key={`${field} ${start}`}>
            <span className={styles.place}>
              {field === '/data' ? 'Data' : field.slice(1)}, line {line}, column {column}:
            </span>{' '}
            {message}
          </p>
        ))}
        {errors.length > SHOWN ? <p>And {(errors.length - SHOWN).toLocaleString('en')} more.</p> : null}
      </div>
    </WarningLine>
  );
}
