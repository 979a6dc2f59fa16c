import { useStore } from 'zustand';
import type { Call } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { now } from '#renderer/ui/use-now.ts';
import { ConfirmSend } from './confirm-send.tsx';
import { repeatFacts } from './repeat-words.ts';
import type { RepeatStore } from './repeat-store.ts';
import styles from './repeat-dialog.module.css';

/** Explains an exact repeat before it is sent, asks before production, and says why nothing was sent. */
export function RepeatDialog({
  store,
  onEdit,
}: {
  readonly store: RepeatStore;
  /** Opens a call as a request that is signed again. */
  readonly onEdit: (id: number) => void;
}) {
  const { job, agree, confirm, dismiss } = useStore(store);
  const edit = (id: number) => {
    dismiss();
    onEdit(id);
  };
  if (job.state === 'asking') {
    return <Question call={job.call} onAgree={() => startWork(agree())} onEdit={() => edit(job.call.id)} onClose={dismiss} />;
  }
  if (job.state === 'unconfirmed') {
    return <ConfirmSend question={job.question} onConfirm={(confirmed) => startWork(confirm(confirmed))} onClose={dismiss} />;
  }
  if (job.state !== 'refused') return null;
  return (
    <Dialog
      onClose={dismiss}
      tone="bad"
      title={`Call ${job.id} was not repeated`}
      description={<p>{job.message}</p>}
      actions={
        <>
          <Button onClick={() => edit(job.id)}>Edit and re-sign</Button>
          <Button variant="primary" onClick={dismiss}>
            Close
          </Button>
        </>
      }
    />
  );
}

function Question({
  call,
  onAgree,
  onEdit,
  onClose,
}: {
  readonly call: Call;
  readonly onAgree: () => void;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}) {
  const { bytes, old, again, otherwise } = repeatFacts(call, now());
  return (
    <Dialog
      onClose={onClose}
      tone={again === null ? 'plain' : 'bad'}
      title={`Repeat call ${call.id} exactly`}
      description={
        <>
          <p>{bytes}</p>
          <ul className={styles.facts}>
            <li>
              Sent to <code>{call.url}</code>, as before.
            </li>
            {old.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
            {again === null ? null : <li className="bad">{again}</li>}
          </ul>
          <p>{otherwise}</p>
        </>
      }
      actions={
        <>
          <Button onClick={onClose}>Don&apos;t send</Button>
          <Button onClick={onEdit}>Edit and re-sign</Button>
          <Button variant="primary" onClick={onAgree}>
            Repeat exactly
          </Button>
        </>
      }
    />
  );
}
