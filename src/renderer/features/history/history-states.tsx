import { RotateCcwClock, Search, SearchX } from 'lucide-react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import type { HistoryStore } from './history-store.ts';
import { shortText } from './history-words.ts';

/** Shows why there are no rows: the list is being read, cannot be read, or is empty. Nothing if it has rows. */
export function HistoryStates({
  store,
  onFirstStep,
}: {
  store: HistoryStore;
  /** Takes the user of an empty list to the first request. */
  onFirstStep: () => void;
}) {
  const { list, searched, narrowed, choice, load, showAll } = useStore(store);
  if (list.state === 'loading') return <Skeleton rows={14} label="Loading the history" />;
  if (list.state === 'failed') {
    return (
      <FailedState
        title={choice.pack === null ? 'The history could not be read' : 'The support pack could not be read'}
        message={list.message}
        {...(choice.pack === null ? { hint: "You can still send. If Croupier can't record a call, it doesn't send it." } : {})}
        retry={() => startWork(load())}
      />
    );
  }
  if (list.calls.length > 0) return null;
  if (list.search !== null) {
    return (
      <EmptyState icon={<Search />} title={list.search.going ? 'Nothing found yet' : 'Nothing found so far'}>
        {list.search.going ? 'Calls appear as Croupier finds them.' : 'Older calls were not searched.'}
      </EmptyState>
    );
  }
  if (narrowed) {
    return (
      <EmptyState icon={<SearchX />} title="Nothing found" action={<Button onClick={showAll}>Show all calls</Button>}>
        {searched === ''
          ? 'No calls match these filters.'
          : `No request or response of these calls contains "${searched}". Quotes and spaces count.${list.newestOnly ? ` ${shortText}` : ''}`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<RotateCcwClock />}
      title="No calls yet"
      action={
        <Button variant="primary" onClick={onFirstStep}>
          Open gameList
        </Button>
      }
    >
      Croupier records each call before it leaves.
    </EmptyState>
  );
}
