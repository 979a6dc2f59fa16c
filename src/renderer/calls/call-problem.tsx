import { ArrowUpRight, X } from 'lucide-react';
import type { CallSummary } from '#shared/ipc/index.ts';
import { explainCode, operationByName } from '#shared/provider/index.ts';
import { Button } from '#renderer/ui/button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { messageOf, outcomeOf } from './call-words.ts';
import styles from './call-problem.module.css';

/** Why a call did not bring what was asked for, what that means, what to do, and the way to the call. */
export function CallProblem({
  call,
  title,
  otherwise,
  first,
  onOpen,
  onClose,
}: {
  call: CallSummary;
  title: string;
  /** Said where the call itself went well and its answer is still not what was asked for. */
  otherwise: string;
  /** What to look at before the steps that are known for the code; null for nothing. */
  first?: string | null;
  onOpen: (id: number) => void;
  onClose?: () => void;
}) {
  const outcome = outcomeOf(call);
  const { meaning, next: known } = meaningOf(call, otherwise);
  const next = first === undefined || first === null ? known : [first, ...known];
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
        <p>{meaning}</p>
        {next.length === 0 ? null : (
          <ol>
            {next.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        <Button icon={<ArrowUpRight aria-hidden="true" />} onClick={() => onOpen(call.id)}>
          Open the call
        </Button>
      </div>
      {onClose === undefined ? null : <IconButton small label="Close" icon={<X />} onClick={onClose} />}
    </section>
  );
}

function meaningOf(call: CallSummary, otherwise: string): { meaning: string; next: readonly string[] } {
  if (call.failure !== null) {
    return { meaning: call.failure.message, next: call.failure.hint === '' ? [] : [call.failure.hint] };
  }
  if (call.code === null || call.code === 0) return { meaning: otherwise, next: [] };
  return explainCode(call.code, operationByName(call.operation));
}
