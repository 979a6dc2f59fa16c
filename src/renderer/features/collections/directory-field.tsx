import { useState, type ReactNode } from 'react';
import { FolderSearch } from 'lucide-react';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import styles from './directory-field.module.css';

/** The whole path of a directory, typed, or chosen in the system's own dialog where there is one. */
export function DirectoryField({
  value,
  onText,
  hint,
  error,
  onPick,
}: {
  readonly value: string;
  readonly onText: (directory: string) => void;
  readonly hint: ReactNode;
  readonly error: string | null;
  /** Asks in the system's own dialog; null where the host has none. */
  readonly onPick: (() => Promise<void>) | null;
}) {
  const [asking, setAsking] = useState(false);
  async function ask(): Promise<void> {
    if (onPick === null || asking) return;
    setAsking(true);
    await onPick();
    setAsking(false);
  }
  return (
    <Field label="Directory" layout="stack" hint={hint} error={error}>
      <div className={styles.line}>
        <TextField code className={styles.path} value={value} onText={onText} />
        {onPick === null ? null : (
          <Button icon={<FolderSearch aria-hidden="true" />} busy={asking} onClick={() => void ask()}>
            Choose…
          </Button>
        )}
      </div>
    </Field>
  );
}
