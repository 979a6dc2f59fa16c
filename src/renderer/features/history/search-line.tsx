import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import type { HistoryStore } from './history-store.ts';
import { searchedText } from './history-words.ts';
import { ProgressLine } from './progress-line.tsx';

/** Shows the progress of a search that takes longer than a moment, with the way to stop it; after a stop, the way to go on. */
export function SearchLine({ store, onGone }: { store: HistoryStore; onGone: () => void }) {
  const { list, stopSearch, resumeSearch } = useStore(store);
  const search = list.state === 'ready' ? list.search : null;
  if (search === null) return null;
  const { going, looked, of } = search;
  return going ? (
    <ProgressLine
      key="going"
      soon
      label="Search"
      title="Still searching"
      text={searchedText(search)}
      share={of === null || of === 0 ? null : looked / of}
      action="Cancel"
      keys="Escape"
      onAction={stopSearch}
      onGone={onGone}
    />
  ) : (
    <ProgressLine
      key="stopped"
      label="Search"
      title="You stopped the search"
      text={`${searchedText(search)} Older calls were not searched.`}
      share={null}
      action="Go on"
      onAction={() => startWork(resumeSearch())}
      onGone={onGone}
    />
  );
}
