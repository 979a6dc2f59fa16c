import { ArrowUpRight, X } from 'lucide-react';
import type { CallSummary } from '#shared/ipc/index.ts';
import { Button } from '#renderer/ui/button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { messageOf, outcomeOf } from './call-words.ts';
import { RejectionWords } from './explanation.tsx';
import styles from './call-problem.module.css';

/** Explains why a call did not bring the expected result: its meaning, what to do, and the way to the call. */
export function CallProblem({
  call,
  title,
  otherwise,
  onOpen,
  onClose,
}: {
  call: CallSummary;
  title: string;
  /** Message if the call itself went well and its response is still not the expected one. */
  otherwise: string;
  onOpen: (id: number) => void;
  onClose?: () => void;
}) {
  const outcome = outcomeOf(call);
  return (
    <section className={styles.card} role="alert" aria-label={title}>
      <div className={styles.words}>
        <h3>
          {title}
          <Pill tone={outcome.tone} size="small">
            {outcome.text}
          </Pill>
          {call.code === null || call.code === 0 ? null : <span className={styles.message}>{messageOf(call)}</span>}
        </h3>
        {call.failure !== null ? (
          <p>{`${call.failure.message} ${call.failure.hint}`.trim()}</p>
        ) : call.code === null || call.code === 0 ? (
          <p>{(call.code === null ? call.doubt : undefined) ?? otherwise}</p>
        ) : (
          <RejectionWords id={call.id} />
        )}
        <Button icon={<ArrowUpRight />} onClick={() => onOpen(call.id)}>
          Open call
        </Button>
      </div>
      {onClose === undefined ? null : <IconButton small label="Close" icon={<X />} onClick={onClose} />}
    </section>
  );
}
