import { useState } from 'react';
import { useStore } from 'zustand';
import { TriangleExclamationPoint } from 'lucide-react';
import { callsText, keepWaitingText, waitingText } from '#shared/history/retention-words.ts';
import { setAsideText } from '#shared/history/set-aside-words.ts';
import type { WaitingRemoval } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { DatedText } from '#renderer/ui/dated-text.tsx';
import type { StorageStore } from './storage-store.ts';
import styles from './storage-line.module.css';

/** The foot of the history: the problem of its file, and a removal that waits for the user. */
export function StorageLine({ store }: { store: StorageStore }) {
  const status = useStore(store, (state) => state.status);
  if (status === null) return null;
  const { path, state, message, remains, stuck, waiting } = status;
  const [newestAside] = status.setAside;
  const aside = newestAside === undefined ? null : setAsideText(newestAside);
  if (state === 'ready' && aside === null && remains === null && stuck === null && waiting === null) return null;
  return (
    <footer className={styles.line}>
      {state === 'ready' ? null : (
        <p className={styles.problem} role="alert">
          <TriangleExclamationPoint />
          <span>
            {message ?? 'The history cannot be used.'} The file is <code>{path}</code>.
          </span>
        </p>
      )}
      {[aside, remains, stuck].map((sentence) =>
        sentence === null ? null : (
          <p key={sentence} className={styles.problem}>
            <TriangleExclamationPoint />
            <span>{sentence}</span>
          </p>
        ),
      )}
      {waiting === null ? null : <Waiting store={store} waiting={waiting} />}
    </footer>
  );
}

/** Shows a removal that waits for the user. Nothing else waits for it. */
function Waiting({ store, waiting }: { store: StorageStore; waiting: WaitingRemoval }) {
  const [busy, setBusy] = useState<'remove' | 'keep' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  async function settle(does: 'remove' | 'keep'): Promise<void> {
    setBusy(does);
    setProblem(await store.getState().settle(does, waiting.calls));
    setBusy(null);
  }
  return (
    <div className={styles.waiting} role="group" aria-label="Calls waiting to be removed">
      <p className={styles.problem}>
        <TriangleExclamationPoint />
        <span>
          <DatedText text={`${waitingText(waiting)} ${keepWaitingText}`} />
        </span>
      </p>
      <span className="wrap">
        <Button busy={busy === 'keep'} disabled={busy !== null} onClick={() => startWork(settle('keep'))}>
          Keep them
        </Button>
        <Button variant="danger" busy={busy === 'remove'} disabled={busy !== null} onClick={() => startWork(settle('remove'))}>
          Remove {callsText(waiting.calls)}
        </Button>
      </span>
      {problem === null ? null : (
        <p className="bad small" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
