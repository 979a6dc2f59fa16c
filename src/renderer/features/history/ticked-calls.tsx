import { X } from 'lucide-react';
import { useStore } from 'zustand';
import type { CallSummary } from '#shared/ipc/index.ts';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { chosenCalls, tickedOutOfSight } from './chosen-calls.ts';
import type { HistoryStore } from './history-store.ts';
import { tickedText } from './history-words.ts';
import styles from './ticked-calls.module.css';

/** The number of ticked calls beside the filters, which may have them out of sight, with the way to compare two where no rows are left. */
export function TickedCalls({
  store,
  onCompare,
  onGone,
}: {
  store: HistoryStore;
  onCompare: (calls: readonly CallSummary[]) => void;
  /** Called when it is about to go with the focus in it. */
  onGone: () => void;
}) {
  const state = useStore(store);
  const { list, ticked, tick } = state;
  // Otherwise the strip below the rows has the button.
  const hasRows = list.state === 'ready' && list.calls.length > 0;
  if (ticked.size === 0) return null;
  return (
    <span className={styles.ticked} role="group" aria-label="Ticked calls">
      <span>{tickedText(ticked.size, tickedOutOfSight(state))}</span>
      {ticked.size === 2 && !hasRows ? (
        <button type="button" className="link strong target" onClick={() => onCompare(chosenCalls(state))}>
          Compare <span className="visually-hidden">the two ticked calls</span>
        </button>
      ) : null}
      <IconButton
        small
        label="Untick all"
        icon={<X />}
        onClick={() => {
          onGone();
          tick([...ticked.keys()], false);
        }}
      />
    </span>
  );
}
