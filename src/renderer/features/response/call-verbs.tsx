import { FilePen, Repeat } from 'lucide-react';
import type { Call } from '#shared/ipc/calls.ts';
import { repeatedText } from '#renderer/calls/repeat-words.ts';
import { Button } from '#renderer/ui/button.tsx';
import styles from './call-verbs.module.css';

/** Says of an exact repeat that the request beside it was not signed for it. */
export function RepeatNote({ repeats, onOpenCall }: { readonly repeats: number; readonly onOpenCall: (id: number) => void }) {
  return (
    <p className={styles.note}>
      <Repeat aria-hidden="true" />
      <span>{repeatedText(repeats)}. What stands in the request was not signed for it.</span>
      <button type="button" className={styles.link} onClick={() => onOpenCall(repeats)}>
        Open call {repeats}
      </button>
    </p>
  );
}

/** The two ways to send a call once more. */
export function CallVerbs({
  call,
  onEdit,
  onRepeat,
}: {
  readonly call: Call;
  /** As a request of its own, signed anew with a fresh time. */
  readonly onEdit: (call: Call) => void;
  /** The same bytes. */
  readonly onRepeat: (id: number) => void;
}) {
  return (
    <div className={styles.verbs} role="group" aria-label={`Call ${call.id}`}>
      <span className={styles.id}>Call {call.id}</span>
      <Button variant="quiet" icon={<FilePen aria-hidden="true" />} onClick={() => onEdit(call)}>
        Edit and re-sign
      </Button>
      <Button variant="quiet" icon={<Repeat aria-hidden="true" />} onClick={() => onRepeat(call.id)}>
        Repeat exactly
      </Button>
    </div>
  );
}
