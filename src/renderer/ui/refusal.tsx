import { Button } from './button.tsx';
import styles from './refusal.module.css';

/** What was refused and why, above the content of a page, until it is closed. */
export function Refusal({ message, onClose }: { message: string; onClose: () => void }) {
  return (
    <div className={styles.refusal} role="alert">
      <p className={styles.message}>{message}</p>
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}
