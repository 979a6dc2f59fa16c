import type { ReactNode } from 'react';
import { CircleExclamationPoint } from 'lucide-react';
import { Button } from './button.tsx';
import styles from './empty-state.module.css';

/** Fills a place that could not be loaded: what happened, what to do, and a way to try again. */
export function FailedState({
  title,
  message,
  hint,
  retry,
  action,
}: {
  title: string;
  message: string;
  hint?: ReactNode;
  retry?: () => void;
  action?: ReactNode;
}) {
  return (
    <div className={styles.state} role="alert">
      <div className={`${styles.icon ?? ''} ${styles.bad ?? ''}`} aria-hidden="true">
        <CircleExclamationPoint />
      </div>
      <h2 className={styles.title}>{title}</h2>
      <div className={styles.text}>
        <p>{message}</p>
        {hint === undefined ? null : <p>{hint}</p>}
      </div>
      {retry === undefined && action === undefined ? null : (
        <div className={styles.action}>
          {retry === undefined ? null : <Button onClick={retry}>Try again</Button>}
          {action}
        </div>
      )}
    </div>
  );
}
