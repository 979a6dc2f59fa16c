import { ArrowUpRight } from 'lucide-react';
import type { CallSummary } from '#shared/ipc/index.ts';
import { operationTitle } from '#shared/provider/index.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { durationText, messageOf, outcomeOf } from './call-words.ts';
import styles from './call-line.module.css';

/** One call of the history in a line: its operation, its outcome, its duration, and the way to it. */
export function CallLine({ call, onOpen }: { call: CallSummary; onOpen: (id: number) => void }) {
  const outcome = outcomeOf(call);
  const name = operationTitle(call.operation);
  const message = messageOf(call);
  return (
    <div className={styles.line}>
      <code className="rigid">{name}</code>
      <Pill tone={outcome.tone} size="small">
        {outcome.text}
      </Pill>
      {call.durationMs === null ? null : <span className="faint numbers rigid">{durationText(call.durationMs)}</span>}
      {(call.code === 0 && call.doubt === undefined) || message === '' ? null : (
        <span className="short quiet" title={message}>
          {message}
        </span>
      )}
      <Button variant="quiet" icon={<ArrowUpRight />} className="at-end" onClick={() => onOpen(call.id)}>
        Open call <span className="visually-hidden">{name}</span>
      </Button>
    </div>
  );
}
