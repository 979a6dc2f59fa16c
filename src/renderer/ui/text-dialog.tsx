import { Dialog } from './dialog.tsx';
import styles from './text-dialog.module.css';

/** Shows a long text in a plain field, where everybody can read, search and copy it. */
export function TextDialog({
  title,
  text,
  note,
  onClose,
}: {
  title: string;
  text: string;
  note?: string | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} width="large" title={title} description={note}>
      <textarea className={styles.text} readOnly aria-label={title} value={text} spellCheck={false} />
    </Dialog>
  );
}
