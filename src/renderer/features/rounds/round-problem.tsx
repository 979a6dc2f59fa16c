import { SearchX } from 'lucide-react';
import type { CallSummary } from '#shared/ipc/index.ts';
import { CallProblem } from '#renderer/calls/call-problem.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import styles from './round-result.module.css';

/** Shows why one of the two calls brought nothing; `title` is for a response that was good and empty. */
export function RoundProblem({
  call,
  title,
  problem,
  onOpenCall,
}: {
  call: CallSummary;
  title: string;
  problem: string | null;
  onOpenCall: (id: number) => void;
}) {
  const words = problem ?? 'The response does not have the documented shape. Open the call to see what it is.';
  if (call.code === 0 && call.state === 'answered') {
    return (
      <EmptyState icon={<SearchX />} title={title}>
        {words}
      </EmptyState>
    );
  }
  return (
    <div className={styles.problem}>
      <CallProblem
        call={call}
        title={call.state === 'cancelled' ? 'Cancelled' : 'Nothing came'}
        otherwise={words}
        onOpen={onOpenCall}
      />
    </div>
  );
}
