import { useState, type ReactNode } from 'react';
import { FolderSearch } from 'lucide-react';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { DirectoryPicker } from './directory-picker.ts';
import styles from './directory-field.module.css';

/** The absolute path of a directory, typed, or chosen in the system's own dialog if there is one. */
export function DirectoryField({
  value,
  onText,
  hint,
  error,
  pick,
  purpose,
  onPicked,
}: {
  readonly value: string;
  readonly onText: (directory: string) => void;
  readonly hint: ReactNode;
  readonly error: string | null;
  /** The system's own dialog; null if the host has none. */
  readonly pick: DirectoryPicker | null;
  readonly purpose: Parameters<DirectoryPicker>[0];
  readonly onPicked: (directory: string) => void;
}) {
  const [asking, setAsking] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  async function ask(picker: DirectoryPicker): Promise<void> {
    if (asking) return;
    setAsking(true);
    const { directory, message } = await picker(purpose);
    setAsking(false);
    setTrouble(message);
    if (directory !== null) onPicked(directory);
  }
  return (
    <Field label="Directory" layout="stack" hint={hint} warning={trouble} error={error}>
      <div className={styles.line}>
        <TextField code className={styles.path} value={value} onText={onText} />
        {pick === null ? null : (
          <Button icon={<FolderSearch aria-hidden="true" />} busy={asking} onClick={() => startWork(ask(pick))}>
            Choose…
          </Button>
        )}
      </div>
    </Field>
  );
}
