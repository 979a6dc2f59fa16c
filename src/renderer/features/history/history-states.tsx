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
        {...(choice.pack === null ? { hint: 'You can still send: Croupier records each call or refuses it.' } : {})}
        retry={() => startWork(load())}
      />
    );
  }
  if (list.calls.length > 0) return null;
  if (list.search !== null) {
    return (
      <EmptyState icon={<Search />} title={list.search.going ? 'Nothing found yet' : 'Nothing found where it was searched'}>
        {list.search.going ? 'Croupier shows each call as it finds it.' : 'Older calls were not searched.'}
      </EmptyState>
    );
  }
  if (narrowed) {
    return (
      <EmptyState icon={<SearchX />} title="Nothing found" action={<Button onClick={showAll}>Show all calls</Button>}>
        {searched === ''
          ? 'No call fits what is chosen above.'
          : `No request and no response of the calls that are chosen holds "${searched}". The search looks for the text as it stands, with its quotes and spaces.${list.newestOnly ? ` ${shortText}` : ''}`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<RotateCcwClock />}
      title="No calls in the history"
      action={
        <Button variant="primary" onClick={onFirstStep}>
          Open gameList
        </Button>
      }
    >
      Each call is recorded here before it leaves, exactly as sent and received. Begin with gameList: it needs no data.
    </EmptyState>
  );
}
