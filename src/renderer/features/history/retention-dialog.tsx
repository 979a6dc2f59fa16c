import { useEffect, useState } from 'react';
import { callsText, previewText } from '#shared/history/retention-words.ts';
import type { HistoryStatus, Retention, RetentionPreview } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { DatedText } from '#renderer/ui/dated-text.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { KeptList } from './kept-list.tsx';
import { limitProblem, readRetention, retentionText, type RetentionText } from './retention-words.ts';
import type { StorageStore } from './storage-store.ts';
import styles from './storage-line.module.css';

const fields: readonly { name: keyof RetentionText; label: string; unit: string }[] = [
  { name: 'days', label: 'Age', unit: 'days' },
  { name: 'calls', label: 'Number', unit: 'calls' },
  { name: 'megabytes', label: 'Size', unit: 'MB' },
];

const noLimits: RetentionText = { days: '', calls: '', megabytes: '' };
const isEmpty = (text: RetentionText) => Object.values(text).every((typed) => typed === '');

/** Chooses the limits, and says what they would remove before they are set. */
export function RetentionDialog({ store, status, onClose }: { store: StorageStore; status: HistoryStatus; onClose: () => void }) {
  const [text, setText] = useState(() => retentionText(status.retention));
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const retention = readRetention(text);
  const removes = useRemoves(store, retention);
  const ready = retention !== null && removes !== null && 'calls' in removes;
  async function save(): Promise<void> {
    if (!ready || busy) return;
    setBusy(true);
    const failed = await store.getState().retain(retention, removes.calls);
    setBusy(false);
    if (failed === null) onClose();
    else setProblem(failed);
  }
  return (
    <Dialog
      onClose={onClose}
      title="History retention"
      width="medium"
      description="Croupier keeps every call unless you set a limit. Beyond a limit, it permanently removes the oldest calls. It always keeps the newest 100, and pinned calls, which don't count."
      actions={
        <>
          <Button disabled={isEmpty(text)} onClick={() => setText(noLimits)}>
            Clear limits
          </Button>
          <Button
            variant={ready && removes.calls > 0 ? 'danger' : 'primary'}
            busy={busy}
            waits={ready ? null : waitsFor(retention, removes)}
            onClick={() => startWork(save())}
          >
            {ready && removes.calls > 0 ? `Save and remove ${callsText(removes.calls)}` : 'Save'}
          </Button>
        </>
      }
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          startWork(save());
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
        <p className={styles.preview} aria-live="polite">
          <DatedText
            text={
              retention === null
                ? ''
                : removes === null
                  ? 'Counting…'
                  : 'calls' in removes
                    ? previewText(removes, retention)
                    : removes.problem
            }
          />
        </p>
        {problem === null ? null : <p className="bad small">Nothing was changed. {problem}</p>}
        {/* Makes Enter in a field save. */}
        <button type="submit" hidden tabIndex={-1}>
          Save
        </button>
      </form>
      <KeptList store={store} />
    </Dialog>
  );
}

function waitsFor(retention: Retention | null, removes: RetentionPreview | { problem: string } | null): string {
  if (retention === null) return 'A limit is not valid.';
  return removes === null || 'calls' in removes ? 'Counting what this removes…' : removes.problem;
}

/** Milliseconds of a pause in typing, so that not every digit counts the history. */
const typingMs = 250;

/** Returns what these limits would remove; null while that is counted. */
function useRemoves(store: StorageStore, retention: Retention | null): RetentionPreview | { problem: string } | null {
  const key = retention === null ? null : JSON.stringify(retention);
  const [found, setFound] = useState<{ key: string; removes: RetentionPreview | { problem: string } } | null>(null);
  useEffect(() => {
    if (key === null) return;
    let left = false;
    const timer = setTimeout(() => {
      startWork(
        store
          .getState()
          .preview(JSON.parse(key) as Retention)
          .then((removes) => {
            if (!left) setFound({ key, removes });
          }),
      );
    }, typingMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [store, key]);
  return found?.key === key ? found.removes : null;
}
