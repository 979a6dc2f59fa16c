import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { TriangleExclamationPoint } from 'lucide-react';
import type { HistoryStatus } from '#shared/ipc/index.ts';
import { bytesText } from '#renderer/calls/call-words.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { limitProblem, readRetention, retentionLine, retentionText, type RetentionText } from './retention-words.ts';
import type { StorageStore } from './storage-store.ts';
import styles from './storage-line.module.css';

/** At the foot of the history: how much there is, what is kept, and what is wrong with the file. */
export function StorageLine({ store, onForget }: { store: StorageStore; onForget: () => void }) {
  const status = useStore(store, (state) => state.status);
  const [choosing, setChoosing] = useState(false);
  useEffect(() => {
    void store.getState().load();
  }, [store]);
  if (status === null) return null;
  const { calls, pinned, bytes, path, state, message, retention, remains } = status;
  return (
    <footer className={styles.line}>
      {state === 'ready' ? null : (
        <p className={styles.problem} role="alert">
          <TriangleExclamationPoint aria-hidden="true" />
          <span>
            {message ?? 'The history cannot be used.'} The file is <code>{path}</code>.
          </span>
        </p>
      )}
      {remains === null ? null : (
        <p className={styles.problem}>
          <TriangleExclamationPoint aria-hidden="true" />
          <span>{remains}</span>
        </p>
      )}
      <span title={path}>
        {calls.toLocaleString('en')} {calls === 1 ? 'call' : 'calls'}
        {pinned === 0 ? '' : `, ${pinned.toLocaleString('en')} pinned`}, {sizeText(bytes)} on disk
      </span>
      <span className={styles.actions}>
        <button type="button" className={styles.choose} onClick={onForget}>
          Forget a player
        </button>
        <button type="button" className={styles.choose} onClick={() => setChoosing(true)}>
          {retentionLine(retention)}
        </button>
      </span>
      {choosing ? <RetentionDialog store={store} status={status} onClose={() => setChoosing(false)} /> : null}
    </footer>
  );
}

function sizeText({ database, wal, index }: HistoryStatus['bytes']): string {
  return bytesText(database + wal + index);
}

const fields: readonly { name: keyof RetentionText; label: string; unit: string }[] = [
  { name: 'days', label: 'Age', unit: 'days' },
  { name: 'calls', label: 'Number', unit: 'calls' },
  { name: 'megabytes', label: 'Size of the database', unit: 'MB' },
];

function RetentionDialog({ store, status, onClose }: { store: StorageStore; status: HistoryStatus; onClose: () => void }) {
  const [text, setText] = useState(() => retentionText(status.retention));
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const retention = readRetention(text);
  async function save(): Promise<void> {
    if (retention === null || busy) return;
    setBusy(true);
    const failed = await store.getState().retain(retention);
    setBusy(false);
    if (failed === null) onClose();
    else setProblem(failed);
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="What the history keeps"
      width="small"
      description="Every call is kept unless a limit is set here. What is beyond a limit is removed for good, the oldest first; pinned calls stay."
      actions={
        <>
          <Button onClick={() => setText({ days: '', calls: '', megabytes: '' })}>Keep all calls</Button>
          <Button variant="primary" busy={busy} disabled={retention === null} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {fields.map(({ name, label, unit }) => (
          <Field key={name} label={label} error={limitProblem(name, text[name])}>
            <TextField
              inputMode="numeric"
              placeholder="no limit"
              maxLength={12}
              value={text[name]}
              onText={(typed) => setText((before) => ({ ...before, [name]: typed }))}
              suffix={unit}
            />
          </Field>
        ))}
        {problem === null ? null : <p className={styles.failed}>Nothing was changed. {problem}</p>}
        {/* So that Enter in a field saves. */}
        <button type="submit" hidden tabIndex={-1}>
          Save
        </button>
      </form>
    </Dialog>
  );
}
