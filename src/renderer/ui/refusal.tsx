import { Button } from './button.tsx';
import styles from './refusal.module.css';

/** Shows a refusal above the content of a page until the user closes it. */
export function Refusal({ message, onClose }: { message: string; onClose: () => void }) {
  return (
    <div className={styles.refusal} role="alert">
      <p className="grow">{message}</p>
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}
