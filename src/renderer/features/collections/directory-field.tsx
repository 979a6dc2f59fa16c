import { useState, type ReactNode } from 'react';
import { FolderSearch } from 'lucide-react';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { DirectoryPicker, ListDirectories } from './directory-picker.ts';
import { lazyDialog } from '#renderer/ui/lazy-page.ts';

const DirectoryChooser = lazyDialog(async () => (await import('./directory-chooser.tsx')).DirectoryChooser);

/** The absolute path of a directory, typed, or chosen in the system's own dialog if there is one. */
export function DirectoryField({
  value,
  onText,
  hint,
  error,
  pick,
  list,
  purpose,
  onPicked,
}: {
  readonly value: string;
  readonly onText: (directory: string) => void;
  readonly hint: ReactNode;
  readonly error: string | null;
  /** The system's own dialog; null if the host has none. */
  readonly pick: DirectoryPicker | null;
  /** Lists directories, for the chooser that a host without such a dialog shows. */
  readonly list: ListDirectories;
  readonly purpose: Parameters<DirectoryPicker>[0];
  readonly onPicked: (directory: string) => void;
}) {
  const [asking, setAsking] = useState(false);
  const [listed, setListed] = useState(false);
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
    <Field label="Folder" layout="stack" hint={hint} warning={trouble} error={error}>
      <div className="line">
        <TextField code className="grow" value={value} onText={onText} />
        <Button
          icon={<FolderSearch />}
          busy={asking}
          aria-expanded={pick === null ? listed : undefined}
          onClick={() => {
            if (pick === null) setListed(!listed);
            else startWork(ask(pick));
          }}
        >
          Choose…
        </Button>
      </div>
      {pick === null && listed ? <DirectoryChooser list={list} onPicked={onPicked} /> : null}
    </Field>
  );
}
